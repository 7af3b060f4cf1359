"""A part of the source, cut at "<" and ">", with what the memo says of its tags."""

from __future__ import annotations

from xmlfix.read.lane import Shape, look_up
from xmlfix.read.references import decode_text
from xmlfix.repair.kinds import EMPTY, FIELD, IRREGULAR, MADE, NOTHING, PART, RAW, UNREAD
from xmlfix.write.characters import escape_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from xmlfix.write.xml import Writer

LEFT_OUT = "\0"  # instead of a piece in XML: it has gone out with one before it
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
FORBIDDEN_CONTROLS = [chr(code) for code in range(32) if code not in (9, 10, 13)]
FORBIDDEN_BYTES = [ord(char) for char in FORBIDDEN_CONTROLS]


class Window:
    """Pieces of the source, each from after a "<" to the next one.

    Args:
        src: the source.
        begin, end: the part; src[end] is "<".
        writer: of the document.

    Attributes:
        pieces: as in the source; the first is what comes before the first "<".
        raws: what stands between "<" and ">" in each, and the beginning of what follows.
        shapes: what the memo says of these, and what the loop needs at the end.
        texts: the characters after each tag; in XML unless the tag is a matter for the
            rules or the states.
        out: the pieces in XML, as far as that can be said without looking at the tags.
    """

    __slots__ = (
        "_at", "_begin", "_careful", "_has_gaps", "_src", "_writer", "out", "pieces", "raws",
        "shapes", "texts",
    )  # fmt: skip

    def __init__(self, src: str, begin: int, end: int, writer: Writer) -> None:
        source = src[begin:end]
        self._src = src
        self._writer = writer
        self._careful = careful = has_forbidden(source)
        self._has_gaps = False  # whether there are pieces that are LEFT_OUT
        self._at, self._begin = 0, begin  # the index of a piece, and where it begins in src
        self.pieces = pieces = source.split("<")
        parts: list[str] = []  # what stands before the first ">" of each, the ">", and the rest
        extend = parts.extend
        for piece in pieces:
            extend(piece.partition(">"))
        parts[:3] = "", ">", ""
        self.raws = raws = parts[::3]
        brackets = parts[1::3]
        self.texts = texts = parts[2::3]
        self.shapes = shapes = look_up(raws, careful)
        has_null = "\0" in source
        del source, parts
        if has_null or brackets.count(">") < len(brackets):
            for index, bracket in enumerate(brackets):
                if not bracket or "\0" in pieces[index]:
                    shapes[index] = IRREGULAR
        shapes += MADE, NOTHING  # by the indices that the loop has for them, -2 and -1
        raws.append(src[end + 1 : end + 3])
        self.out = out = pieces.copy()
        special: Collection[int]  # the pieces whose text may not be XML
        if careful:
            special = [index for index, text in enumerate(texts) if text]
        else:
            joined = "<".join(texts)
            special = places("&", joined) | places(">", joined)
        for index in special:
            if shapes[index].kind < RAW:
                texts[index] = self.in_xml(texts[index])
                out[index] = f"{raws[index]}>{texts[index]}"

    def in_xml(self, text: str) -> str:
        """Characters of the source as they stand in XML."""
        if self._careful:
            return self._writer.text(decode_text(text))
        if "&" in text:
            text = text.replace("&nbsp;", "\xa0")
            if "&#" in text:
                return self._writer.text(decode_text(text))
            if "&" in text:
                return escape_markup(decode_text(text))
        return text.replace(">", "&gt;")

    def comment(self, index: int) -> str:
        """The comment at the beginning of a piece, without its "<"; "" if there is none.

        Of one that goes on in other pieces this is the first part; what follows is in `out`.
        """
        raw = self.raws[index]
        if raw[:3] != "!--":
            return ""
        piece = self.pieces[index]
        if raw[-2:] != "--" or len(raw) < 5:
            return self._long_comment(index)
        if len(raw) == len(piece) or "\0" in piece:
            return ""  # it has no end, or is a matter for the states
        if not self._careful and "-" not in raw[3:-2]:
            return f"{raw}>"
        return self._writer.comment(raw[3:-2])[1:]

    def _long_comment(self, index: int) -> str:
        """The same for a comment that has "<" or ">" in it."""
        pieces, texts = self.pieces, self.texts
        if pieces[index].startswith((">", "->"), 3):
            return ""
        last = index
        end = pieces[index].find("-->", 3)
        while end < 0:
            last += 1
            if last == len(pieces) or "--!>" in pieces[last - 1]:
                return ""
            end = pieces[last].find("-->")
        data = "<".join([*pieces[index:last], pieces[last][:end]])[3:]
        if "\0" in pieces[last] or self._writer.comment(data) != f"<!--{data}-->":
            return ""
        text = pieces[last][end + 3 :]
        if last == index:
            texts[index] = text
            return pieces[index][: end + 3]
        self.out[index + 1 : last] = pieces[index + 1 : last]
        texts[index:last] = [""] * (last - index)
        texts[last] = self.in_xml(text)
        self.out[last] = pieces[last][: end + 3] + texts[last]
        self.shapes[index + 1 : last + 1] = [PART] * (last - index)
        return pieces[index]

    def text_after(self, index: int) -> str:
        """The characters after the tag or comment of a piece, as in the source."""
        piece = self.pieces[index]
        kind = self.shapes[index].kind
        if kind < UNREAD:
            return piece.partition(">")[2]
        return piece[piece.index("-->", 3 if kind == UNREAD else 0) + 3 :]

    def holds_text(self, index: int) -> bool:
        """Whether the next piece is the end tag of the element that begins here."""
        following = index + 1
        return (
            self.raws[following] == f"/{self.shapes[index].name}"
            and self.shapes[following].kind != UNREAD
        )

    def raw_element(self, index: int) -> str:
        """The start tag of a raw text element and its text in XML, without "<".

        The pieces of a text that has "<" in it go out with the first one. "" if there is
        more to do, or the element has no end in the window.
        """
        if self.holds_text(index):
            text = self.pieces[index][len(self.raws[index]) + 1 :]
        else:
            text = self._long_text(index)
            if not text:
                return ""
        return self.start_tag(index) + (
            self._writer.text(text) if self._careful else escape_markup(text)
        )

    def _long_text(self, index: int) -> str:
        """The text of a raw text element that has "<" in it, whose pieces are left out then."""
        pieces, shapes = self.pieces, self.shapes
        end_tag = f"/{shapes[index].name}"
        size = len(end_tag)
        for end in range(index + 1, len(pieces)):
            piece = pieces[end]
            if piece[:1] == "/" and piece[:size].lower() == end_tag:
                break
        else:
            return ""
        text = "<".join(pieces[index:end])[len(self.raws[index]) + 1 :]
        if (
            self.raws[end] != end_tag
            or shapes[end].kind == UNREAD
            or "\0" in text
            or (end_tag == "/script" and may_be_escaped_twice(text))
        ):
            return ""
        between = range(index + 1, end)
        for left_out in between:
            self.out[left_out] = LEFT_OUT
            self.texts[left_out] = ""
            shapes[left_out] = PART
        self._has_gaps = True
        return text

    def joined(self, begin: int, end: int, before: str = "") -> str:
        """Pieces in XML, in one; after some text that comes before the first."""
        chunks = self.out[begin:end]
        if self._has_gaps:
            chunks = [chunk for chunk in chunks if chunk is not LEFT_OUT]
        return "<".join([before, *chunks])

    def start_tag(self, index: int) -> str:
        """The start tag of a piece in XML, without "<"."""
        shape = self.shapes[index]
        if shape.xml is None:
            return f"{self.raws[index]}>"
        return shape.xml or self.written(shape)

    def written(self, shape: Shape) -> str:
        """The XML of a start tag that the memo does not have in XML, without "<"."""
        assert shape.tag is not None
        writer = self._writer
        is_empty = EMPTY <= shape.kind <= FIELD
        shape.xml = (writer.empty(shape.tag) if is_empty else writer.start(shape.tag))[1:]
        return shape.xml

    def ends_run(self, index: int) -> bool:
        """Whether a real token follows a piece: in a table only that ends a run of characters."""
        following = index + 1
        return self.shapes[following].kind < UNREAD or begins_tag(self.raws[following])

    # ── places in the source ─────────────────────────────────────────────────

    def start(self, index: int) -> int:
        """Where pieces[index], after its "<", begins in the source."""
        between = self.pieces[self._at : index]
        self._begin += sum(map(len, between)) + len(between)
        self._at = index
        return self._begin

    def rest(self, pos: int) -> tuple[str, int]:
        """The characters from `pos` to the next "<", and the index of the piece after it."""
        end = self._begin + len(self.pieces[self._at])
        while end < pos:
            self._at += 1
            self._begin = end + 1
            end = self._begin + len(self.pieces[self._at])
        return self._src[pos:end], self._at + 1


def places(char: str, joined: str) -> set[int]:
    """Which of some texts have a character; they are joined with "<", which none has."""
    found: set[int] = set()
    if char in joined:
        index = 0
        for before in joined.split(char)[:-1]:
            index += before.count("<")
            found.add(index)
    return found


def may_be_escaped_twice(script: str) -> bool:
    """Whether a script up to its first end tag may be one that goes on after that.

    Source: WHATWG #script-data-double-escape-start-state.
    """
    begin = script.find("<!--")
    return begin >= 0 and "<script" in script[begin:].lower()


def begins_tag(piece: str) -> bool:
    """Whether a real token begins with "<" and this piece, which ends a run of characters."""
    char = piece[:1]
    return char in LETTERS or (char == "/" and piece[1:2] in LETTERS)


def has_forbidden(text: str) -> bool:
    """Whether `text` has characters that XML forbids, or form feeds."""
    if text.isascii():
        return any(map(text.__contains__, FORBIDDEN_CONTROLS))
    try:
        return any(map(text.encode("latin-1").__contains__, FORBIDDEN_BYTES))
    except UnicodeEncodeError:
        pass  # the quick way does not work
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        return True  # lone surrogates
    return any(map(data.__contains__, FORBIDDEN_BYTES)) or "\ufffe" in text or "\uffff" in text
