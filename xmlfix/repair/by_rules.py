"""What the quick loop leaves: tags and text for the rules, and what the states must read."""

from __future__ import annotations

from xmlfix.read.doctype import wholeDoctype
from xmlfix.read.lane import tag_of
from xmlfix.read.references import decode_text
from xmlfix.read.states import content
from xmlfix.repair.elements import OUTPUT_ALLOWANCE
from xmlfix.repair.kinds import UNREAD
from xmlfix.repair.window import Window, has_forbidden, may_be_escaped_twice
from xmlfix.write.characters import escape_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State
    from xmlfix.repair.browser import BrowserRepair

PIECE = 16_384  # characters of raw text that are copied at a time
ENDS_NAME = frozenset("\t\n\f />")
ESCAPABLE = frozenset(("title", "textarea"))


class ByRules:
    """Gives pieces of a window to the rules of a BrowserRepair, or to the states.

    Args:
        b: the repair, attached to its reader.
    """

    __slots__ = ("_b", "_comment_end", "_more", "_reader", "_src", "_window")

    _window: Window

    def __init__(self, b: BrowserRepair) -> None:
        self._b = b
        self._reader: Reader = b.reader
        self._src = ""
        self._comment_end = -1  # where the next "-->" is in it, as far as it is known
        self._more = False

    def slow_text(self, text: str, index: int) -> None:
        """Give the characters before pieces[index] to the rules."""
        b, reader = self._b, self._reader
        if b.repeated > OUTPUT_ALLOWANCE:  # only then the place matters
            reader.start = reader.base + self._window.start(index) - 1 - len(text)
        b.text(decode_text(text) if "&" in text else text)

    def slow_tag(self, index: int) -> int:
        """Give pieces[index] to the rules, or to the states if it is no regular tag.

        Returns where what comes next begins in the source, -1 if the states have come to
        the end or need more.
        """
        b, reader = self._b, self._reader
        raw, shape = self._window.raws[index], self._window.shapes[index]
        begin = self._window.start(index)
        if shape.kind == UNREAD:
            return self.irregular(begin)
        reader.start = reader.base + begin - 1
        end = begin + len(raw) + 1
        reader.end = reader.base + end
        if raw[0] == "/":
            b.end_tag(shape.name)
        else:
            b.start_tag(tag_of(raw, shape))
            if reader.home is not content:
                return self.raw_text(shape.name, end)
        return end

    def irregular(self, begin: int) -> int:
        """Read what begins with "<" before src[begin]; returns as `slow_tag`."""
        src = self._src
        if src.startswith("!--", begin) and not src.startswith((">", "->"), begin + 3):
            if self._comment_end < begin + 3:
                self._comment_end = src.find("-->", begin + 3)
                if self._comment_end < 0:
                    self._comment_end = len(src)
            end = self._comment_end
            if end < len(src) and src.find("--!>", begin + 3, end) < 0:
                data = src[begin + 3 : end]
                if "\0" not in data:
                    self._b.comment(data)
                    return end + 3
        elif src[begin : begin + 8].lower() == "!doctype":
            end = src.find(">", begin)
            doctype = wholeDoctype(src[begin:end]) if end >= 0 else None
            if doctype is not None:
                self._b.doctype(doctype)
                return end + 1
        self._reader.pos = begin - 1
        return self.states(content)

    def raw_text(self, name: str, pos: int) -> int:
        """The text of the raw text element `name` from `pos`, and its end tag.

        What is more than text up to `</name>` is left to the states; returns as `slow_tag`.
        """
        b, reader, src = self._b, self._reader, self._src
        size = len(name)
        end = src.find("</", pos)
        while end >= 0 and not (
            src[end + 2 : end + 2 + size].lower() == name
            and src[end + 2 + size : end + 3 + size] in ENDS_NAME
        ):
            end = src.find("</", end + 2)
        close = end + 2 + size
        if (
            end < 0
            or src[close : close + 1] != ">"
            or name == "plaintext"
            or src.find("\0", pos, end) >= 0
            or (name == "script" and may_be_escaped_twice(src[pos:end]))
        ):
            reader.pos = pos
            return self.states(reader.home)
        if name in ESCAPABLE:
            if end > pos:
                b.text(decode_text(src[pos:end]))
        else:
            box = b.stack[-1].box
            for begin in range(pos, end, PIECE):
                data = src[begin : min(begin + PIECE, end)]
                box.append(b.writer.text(data) if has_forbidden(data) else escape_markup(data))
        reader.home = content
        b.end_tag(name)
        return close + 1

    def states(self, state: State) -> int:
        """Let the states read until they are between two tokens; returns as `slow_tag`."""
        reader, src = self._reader, self._src
        while reader.pos < len(src) or not self._more:
            following = state(reader, src, reader.pos, self._more)
            if following is content:
                reader.state = content
                return reader.pos
            if following is None:
                break
            state = following
        reader.state = state
        return -1
