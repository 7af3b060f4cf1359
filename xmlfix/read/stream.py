"""The public token iterator."""

from __future__ import annotations

from typing import NamedTuple

from xmlfix.decode import decode, exact, normalize_newlines
from xmlfix.elements import RAW_TEXT, VOID
from xmlfix.positions import Positions
from xmlfix.read.reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from xmlfix.read import tokens as read

PIECE = 16_384  # characters read ahead of the caller


class StartTag(NamedTuple):
    """A start tag.

    Attributes:
        name: the element's name, A to Z in lower case.
        attrs: name and value of each attribute, in order, the first of equals.
        self_closing: whether it ends with a slash, which HTML ignores but in SVG and MathML.
        void: whether its element is always empty and has no end tag.
        start, end: 0-based code-point offsets of the tag in the input as given.
    """

    name: str
    attrs: dict[str, str]
    self_closing: bool
    void: bool
    start: int
    end: int


class EndTag(NamedTuple):
    """An end tag; see `StartTag`."""

    name: str
    start: int
    end: int


class Text(NamedTuple):
    """A run of characters, references resolved; see `StartTag` for the offsets."""

    data: str
    start: int
    end: int


class Comment(NamedTuple):
    """A comment, or what HTML makes one; see `StartTag` for the offsets."""

    data: str
    start: int
    end: int


class Doctype(NamedTuple):
    """A DOCTYPE; None stands for what it does not say; see `StartTag` for the offsets."""

    name: str | None
    public_id: str | None
    system_id: str | None
    force_quirks: bool
    start: int
    end: int


class Instruction(NamedTuple):
    """A processing instruction; see `StartTag` for the offsets."""

    target: str
    data: str
    start: int
    end: int


Token: TypeAlias = "StartTag | EndTag | Text | Comment | Doctype | Instruction"


class Tokens:
    """An iterator over the tokens of a text, read as they are asked for.

    `skip()` goes past the end tag of the start tag that came last.
    """

    def __init__(self, given: str) -> None:
        text = given.removeprefix("\ufeff")
        self._positions = Positions(len(given) - len(text))
        self._positions.add(text)
        self._text = normalize_newlines(text)
        self._fed = 0
        self._ready: list[Token] = []  # the last first
        self._run: list[str] = []  # the text that may go on
        self._run_start = self._run_end = 0
        self._arrived: list[Token] = []
        self._last: Token | None = None
        self._reader = Reader(self)

    def __iter__(self) -> Iterator[Token]:
        return self

    def __next__(self) -> Token:
        while not self._ready:
            if self._fed > len(self._text):
                raise StopIteration
            piece = self._text[self._fed : self._fed + PIECE]
            self._fed += PIECE
            more = self._fed <= len(self._text)
            self._reader.feed(piece, more)
            self._ready = self._arrived[::-1]
            self._arrived = []
        self._last = self._ready.pop()
        return self._last

    def skip(self) -> EndTag | None:
        """Skip what the start tag that came last opens, its end tag included.

        Elements of the same name inside are counted, so that the end tag is its own as
        far as the source says so; without such a tag everything is skipped. A void
        element has nothing to skip.

        Returns:
            The end tag; None for a void element or where there is no end tag.

        Raises:
            ValueError: the last token was no start tag.

        >>> it = tokens("<nav>menu<nav></nav></nav><p>text")
        >>> next(it).name, it.skip().name, next(it).name
        ('nav', 'nav', 'p')
        """
        opener = self._last
        if not isinstance(opener, StartTag):
            raise ValueError("skip() follows a start tag")
        if opener.void:
            return None
        depth = 1
        for token in self:
            if isinstance(token, StartTag):
                depth += token.name == opener.name
            elif isinstance(token, EndTag) and token.name == opener.name:
                depth -= 1
                if not depth:
                    return token
        return None

    # ── the sink's side ──────────────────────────────────────────────────────

    def _deliver(self, token: Token) -> None:
        self._settle()
        self._arrived.append(token)

    def _span(self, start: int, end: int) -> tuple[int, int]:
        return self._positions.locate(start)[0], self._positions.locate(end)[0]

    def _here(self) -> tuple[int, int]:
        return self._span(self._reader.start, self._reader.end)

    def _settle(self) -> None:
        """The run of characters is complete."""
        if self._run:
            span = self._span(self._run_start, self._run_end)
            self._arrived.append(Text("".join(self._run), *span))
            self._run = []

    def start_tag(self, tag: read.Tag) -> None:
        name = tag.name
        self._deliver(
            StartTag(name, dict(tag.attrs), tag.self_closing, name in VOID, *self._here())
        )
        if name in RAW_TEXT:
            self._reader.raw(name)

    def end_tag(self, name: str) -> None:
        self._deliver(EndTag(name, *self._here()))

    def text(self, data: str) -> None:
        if not self._run:
            self._run_start = self._reader.start
        self._run.append(data)
        self._run_end = self._reader.end

    def comment(self, data: str) -> None:
        self._deliver(Comment(data, *self._here()))

    def doctype(self, doctype: read.Doctype) -> None:
        self._deliver(
            Doctype(
                doctype.name,
                doctype.public_id,
                doctype.system_id,
                doctype.force_quirks,
                *self._here(),
            )
        )

    def instruction(self, target: str, data: str) -> None:
        self._deliver(Instruction(target, data, *self._here()))

    def end(self) -> None:
        self._settle()


def tokens(html: str | bytes, *, encoding: str | None = None) -> Tokens:
    """Read HTML token by token, without repair.

    Args:
        html: the markup.
        encoding: of bytes; None to find it as a browser does.

    Returns:
        An iterator of StartTag, EndTag, Text, Comment, Doctype and Instruction, each with
        `start` and `end`: 0-based code-point offsets in the input as given (of bytes: in
        the decoded text), so that `html[token.start:token.end]` is its source. Raw text
        elements (script, style, textarea …) are read as such.

    Raises:
        InputError: bytes in an encoding that nobody knows.
        TypeError: `html` is neither str nor bytes.

    Source: WHATWG #tokenization.

    >>> for token in tokens("<a href=x>1 &lt; 2<br>"):
    ...     print(token)
    StartTag(name='a', attrs={'href': 'x'}, self_closing=False, void=False, start=0, end=10)
    Text(data='1 < 2', start=10, end=18)
    StartTag(name='br', attrs={}, self_closing=False, void=True, start=18, end=22)
    """
    html = exact(html)
    if isinstance(html, str):
        text = html
    elif isinstance(html, bytes):
        text = decode(html, encoding)
    else:
        raise TypeError(f"markup is str or bytes, not {type(html).__name__}")
    return Tokens(text)
