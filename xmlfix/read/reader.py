"""The reader: one machine of named states over a text that may arrive in pieces.

The law of the machine, in six lines:
1. A state is a function `(reader, src, pos, more)`; returning the next one is moving.
2. It scans ahead once, sets `reader.pos`, and decides on the one character it found.
3. `more` says whether text may follow. At the end of a piece the machine stops by itself;
   a state whose decision needs what is not there yet returns None and is called again.
4. What is held back for that is bounded, so time stays linear for pieces of any size.
5. A state that ends a token returns `reader.home`: the state between two tokens.
6. Only the sink sets that home (`raw`, `cdata`); the reader never looks at a stack.
"""

from __future__ import annotations

from xmlfix.patterns import late
from xmlfix.read.rawtext import RAW_HOMES, xmlRawText
from xmlfix.read.states import content
from xmlfix.read.tokens import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from xmlfix.read.subset import Subset
    from xmlfix.read.tokens import Doctype, Sink

    # A state returns the next one, or None; the type of that is spelled out once.
    NextState: TypeAlias = Callable[["Reader", str, int, bool], "State | None"]
    State: TypeAlias = Callable[["Reader", str, int, bool], NextState | None]

MAX_ATTRIBUTES = 10_000
WHOLE_ATTRIBUTES = late(globals(), "WHOLE_ATTRIBUTES", "finditer", r' ([^ ="]+)="[^"]*"')


class Reader:
    """Reads text into a sink, whole or piece by piece.

    Args:
        sink: takes the tokens (see `xmlfix.read.tokens.Sink`).
        pi: "keep" delivers `<?target data?>` as an instruction, "comment" as a
            comment, "drop" not at all.
        xml: XML manners: case kept, CDATA everywhere, XML's instructions, DOCTYPE
            with an internal subset, references only with a semicolon. XML is read as a whole.
        well_formed: the source is well-formed XML: nothing ends where XML would not end it.
        bare: the value of an attribute that has none; None stands for its own name.
        on_error: called with (code, offset) for each parse error.
        max_attributes: further attributes of one tag are dropped, as an error; namespace
            declarations do not count, since the output may need more of them than the input.
        shortcut: given what stands between "<" and the next ">", returns the start tag that
            the states would read there, or the name of the end tag; None where they have to
            be asked. Without it they read all tags.

    Source: WHATWG #tokenization.
    """

    __slots__ = (
        "absent",
        "attrs",
        "back",
        "bare",
        "base",
        "buffer",
        "cdata",
        "closing",
        "code",
        "declarations",
        "doctype",
        "end",
        "home",
        "key",
        "max_attributes",
        "name",
        "on_error",
        "pi",
        "place",
        "places",
        "pos",
        "quote",
        "raw_name",
        "self_closing",
        "shortcut",
        "sink",
        "src",
        "start",
        "state",
        "subset",
        "value",
        "well_formed",
        "whole",
        "xml",
    )

    def __init__(
        self,
        sink: Sink,
        *,
        pi: str = "keep",
        xml: bool = False,
        well_formed: bool = False,
        bare: str | None = "",
        on_error: Callable[[str, int], None] | None = None,
        max_attributes: int = MAX_ATTRIBUTES,
        shortcut: Callable[[str], Tag | str | None] | None = None,
    ) -> None:
        self.sink = sink
        self.pi = pi
        self.xml = xml
        self.well_formed = well_formed
        self.bare = bare
        self.on_error = on_error
        self.max_attributes = max_attributes
        self.shortcut = shortcut
        self.src = ""
        self.pos = 0
        self.base = 0  # offset of src[0] in the whole text
        self.start = 0  # offsets of the token that the sink is given
        self.end = 0
        self.home: State = content
        self.state: State = content
        self.back: State = content  # where a character reference returns to
        self.cdata = xml
        self.raw_name = ""
        # the token under construction
        self.closing = False
        self.name = ""
        self.attrs: dict[str, str] = {}
        self.declarations = 0  # how many of them declare a namespace
        self.self_closing = False
        self.key: str | None = None  # the attribute being read; None: its value is dropped
        self.value: list[str] | None = None  # its value so far; None outside a value
        self.place = 0  # offset of the attribute's name, or of the "&" in a reference
        self.places: dict[str, int] = {}  # those of the attributes of the tag, for `on_error`
        self.whole = ""  # what stands in the brackets of a tag that the states have not read
        self.quote = ""
        self.buffer: list[str] = []  # a name, comment or doctype part so far
        self.code = 0  # a numeric reference so far
        self.doctype: Doctype | None = None
        self.subset: Subset | None = None  # what the DOCTYPE declares, by XML's rules
        self.absent: set[str] = set()  # marks that raw text has looked for, and that do not come

    def feed(self, text: str, more: bool) -> None:
        """Read `text`; `more` says whether a further piece will come."""
        pos = self.pos
        self.base += pos
        self.src = src = self.src[pos:] + text
        self.pos = 0
        size = len(src)
        state: State = self.state
        while self.pos < size or not more:
            following = state(self, src, self.pos, more)
            if following is None:
                break
            state = following
        self.state = state

    def raw(self, name: str) -> None:
        """Make the text of the raw text element `name` what is read next.

        Source: WHATWG #parsing-elements-that-contain-only-text.
        """
        self.raw_name = name
        self.home = xmlRawText if self.xml else RAW_HOMES[name]

    def begin_raw(self, name: str) -> None:
        """Read from the start as inside an element `name`, which no end tag can close.

        Source: WHATWG #html-fragment-parsing-algorithm, "set the state …".
        """
        self.state = self.home = RAW_HOMES[name]

    def error(self, code: str, pos: int) -> None:
        """Report the parse error `code` at `pos` of the present piece."""
        if self.on_error is not None:
            self.on_error(code, self.base + pos)

    def text(self, data: str, start: int, end: int) -> None:
        """Deliver characters read from src[start:end]."""
        self.start = self.base + start
        self.end = self.base + end
        self.sink.text(data)

    def comment(self, data: str, end: int) -> None:
        """Deliver a comment whose start is marked and which ends at `end`."""
        self.end = self.base + end
        self.sink.comment(data)

    def place_of(self, attribute: str) -> int:
        """The offset of an attribute's name in the start tag that the sink is given.

        That of the tag, if it has no attribute of this name.
        """
        if self.whole and not self.places:
            for found in WHOLE_ATTRIBUTES(self.whole):
                self.places[found[1]] = self.start + 1 + found.start(1)
        place = self.places.get(attribute)
        if place is None:  # that of a foreign element may have capitals, or a namespace
            place = self.places.get(attribute.replace(" ", ":").lower(), self.start)
        return place

    def mark(self, pos: int) -> None:
        """Note that a token begins at `pos`."""
        self.start = self.base + pos

    def open_tag(self, closing: bool) -> None:
        """Begin a tag."""
        self.closing = closing
        self.self_closing = False
        self.attrs = {}
        self.places = {}
        self.whole = ""
        self.declarations = 0
        self.buffer = []

    def close_tag(self, end: int) -> None:
        """Deliver the tag that ends at `end`."""
        self.end = self.base + end
        if self.closing:
            if self.attrs:
                self.error("end-tag-with-attributes", end - 1)
            if self.self_closing:
                self.error("end-tag-with-trailing-solidus", end - 1)
            self.home = content
            self.sink.end_tag(self.name)
        else:
            if self.subset is not None:
                fault = self.subset.apply_attributes(self.name, self.attrs, self.max_attributes)
                if fault:
                    self.error(fault, self.start - self.base)
            self.sink.start_tag(Tag(self.name, tuple(self.attrs.items()), self.self_closing))
