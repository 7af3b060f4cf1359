"""How what the quick loop has opened comes onto the stack, and how the stack is left again."""

from __future__ import annotations

from xmlfix.elements import BUTTON_SCOPE, TABLE_LIKE
from xmlfix.read.lane import tag_of
from xmlfix.repair.by_rules import ByRules
from xmlfix.repair.elements import HTML, IMPLIED_TAGS, Element
from xmlfix.repair.foreign import PREFIXES, adjust
from xmlfix.repair.kinds import CELL, END_CELL, END_FORM, END_ROW, FORM, FORMAT, SECTION, TABLE
from xmlfix.write.tape import slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.write.tape import Box

SECTIONS = frozenset(("tbody", "tfoot", "thead"))
BASE, IN_PLACE = -1, -2  # in the place of a piece: an element on the stack, one that was made
TBODY = IMPLIED_TAGS["tbody"]
SLICE = 16_384  # characters that are looked at at a time


class OnStack(ByRules):
    """Knows the elements of the loop by the pieces that have opened them.

    Args:
        b: the repair, attached to its reader.
    """

    __slots__ = ("_has_selectedcontent", "_tops")

    def __init__(self, b: BrowserRepair) -> None:
        super().__init__(b)
        self._has_selectedcontent: bool | None = None  # in the source, as far as it is known
        self._tops = [BASE] * b.max_depth  # by depth: which piece opened what lies below

    def below(self, at: int, depth: int) -> str:
        """The name of the parent of the current node; see `close`."""
        stack = self._b.stack
        if at == BASE:
            return stack[-2].name
        return self._window.shapes[self._tops[depth - 1]].name or stack[-1].name

    def has_outer_p(self, outside: list[Any], tables: list[Any]) -> bool:
        """Whether a p is in button scope when the loop has closed one.

        Where a button had to go at `max_depth`, one p may lie in another.

        Args:
            outside, tables: the cells and tables that the loop has opened.
        """
        b = self._b
        return b.open_p > 0 and not outside and not tables and b.in_scope("p", BUTTON_SCOPE)

    def close(
        self, name: str, kind: int, at: int, depth: int, index: int, run: int
    ) -> tuple[int, int, str] | None:
        """Close the current node, which has no end tag of its own; None if it is not `name`.

        Args:
            name, kind: of the end tag that it would have.
            at, depth: the piece that has opened the current node, and its depth.
            index: of the piece before which it ends.
            run: where the run begins.

        Returns:
            The depth of what is the current node then, the piece that has opened it, and its
            name ("" if it is on the stack); None also if there is more to do.
        """
        window = self._window
        if at == BASE:
            b = self._b
            box = b.stack[-1].box
            if not self.pop_plain(name, kind, box):
                return None
            if index > run:
                window.out[index - 1] += f"</{name}>"
            else:
                box.append(f"</{name}>")
            return b.stack[-1].depth, BASE, ""
        if window.shapes[at].name != name:
            return None
        window.out[index - 1] += f"</{name}>"
        at = self._tops[depth - 1]
        return depth - 1, at, window.shapes[at].name

    def options_are_plain(self) -> bool:
        """Whether no selectedcontent can ask which option of a select is chosen."""
        if self._has_selectedcontent is None:
            is_known = not self._more and not self._reader.base
            self._has_selectedcontent = not is_known or has_word(self._src, b"selectedcontent")
        return not self._has_selectedcontent

    def pop_plain(self, name: str, kind: int, box: Box) -> bool:
        """Pop the current node, whose end tag is in the run; False if there is more to do.

        Args:
            name, kind: of the end tag.
            box: that the run goes to.
        """
        b = self._b
        element, below = b.stack[-1], b.stack[-2]
        if kind == END_CELL:
            is_usual = below.name == "tr"
        elif kind == END_ROW:
            is_usual = below.name in SECTIONS
        else:
            is_usual = below.name not in TABLE_LIKE
        if (
            not is_usual
            or element.name != name
            or element.home is not box
            or below.box is not box
            or below.namespace != HTML
            or element.end != f"</{name}>"
            or element.waiting
            or element.after is not None
            or element.on_close is not None
        ):
            return False
        if element.is_listed:
            before = b.formatting[-2] if len(b.formatting) > 1 else None
            if b.formatting[-1] is not element or (before is not None and not before.is_open):
                return False  # something is to be reopened then
            b.unlist_at(len(b.formatting) - 1)
        elif kind == END_CELL:
            if not b.formatting or b.formatting[-1] is not None:
                return False
            b.clear_to_marker()
        elif kind == END_FORM:
            if b.form is not element:
                return False
            b.form = None
        b.stack.pop()
        element.is_open = False
        b.forget(element)
        return True

    def settle(self, run: int, end: int, opened: list[int], made: dict[int, int]) -> None:
        """Put the run on the tape, and what it leaves open on the stack and the list.

        Args:
            run, end: where the run begins and ends among the pieces.
            opened: which of them have opened an element that is still open.
            made: see `go_through`.
        """
        b, window = self._b, self._window
        out = window.out
        top = b.stack[-1]
        box, depth, namespace = top.box, top.depth, top.namespace
        text = ""  # after the last start tag
        for at in opened:
            depth += 1
            if at == IN_PLACE:
                name, kind, tag, start = "tbody", SECTION, TBODY, "<tbody>"
                last = made[depth] + 1
                chunk = window.joined(run, last, text).removesuffix(start)
                text, run = "", last
            else:
                shape = window.shapes[at]
                name, kind = shape.name, shape.kind
                tag = tag_of(window.raws[at], shape)
                chunk = window.joined(run, at, text)
                if namespace == HTML:
                    start = f"<{window.start_tag(at)}"
                else:
                    tag = adjust(tag, namespace)
                    start = b.writer.start(tag)
                text, run = out[at][len(start) - 1 :], at + 1
            if chunk:
                box.append(chunk)
            if kind == TABLE:
                before = slot(box)
            end_tag = f"</{tag.name}>"
            element = Element(tag.name, tag, namespace, box, len(box), end_tag, depth)
            box.append(start)
            b.stack.append(element)
            if namespace != HTML:
                element.name = PREFIXES[namespace] + tag.name
                element.outer = namespace
                b.open_foreign[name] = b.open_foreign.get(name, 0) + 1
            elif name == "p":
                b.open_p += 1
            elif kind == FORMAT:
                b.list_formatting(element)
            elif kind == FORM:
                b.form = element
            elif kind == CELL:
                b.push_marker()
            elif kind == TABLE:
                element.slot, element.slot_at = before, element.at - 1
        if end > run or text:
            box.append(window.joined(run, end, text))


def has_word(text: str, word: bytes) -> bool:
    """Whether an ASCII word in lower case is anywhere in a text in any case."""
    step = SLICE - len(word)
    return any(
        word in text[at : at + SLICE].encode("utf-8", "replace").lower()
        for at in range(0, len(text), step)
    )
