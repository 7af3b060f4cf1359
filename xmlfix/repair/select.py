"""What `selectedcontent` shows: a copy of the content of its select's chosen option.

Source: WHATWG #the-selectedcontent-element. Browsers copy while they parse, each time an
option ends; here the copy is made once, when the select ends.
"""

from __future__ import annotations

from xmlfix.repair.elements import OUTPUT_ALLOWANCE
from xmlfix.write.tape import flatten, flattened, parted, slot, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.elements import Element, OpenElements
    from xmlfix.write.tape import Box


# an option in one of these does not belong to the select around it
NO_CHOICE = frozenset(("datalist", "option", "selectedcontent", "template"))


class Select:
    """An open select: its options so far and the place for the copy."""

    __slots__ = ("chosen", "content", "element", "ends", "is_given_up", "room", "start")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.content: Box | None = None
        self.room = 0  # how many elements may be nested in it
        self.start = 0  # offset of the start tag of that selectedcontent
        self.chosen: Element | None = None
        self.ends: dict[Element, int] = {}  # where the content of an option ends
        self.is_given_up = False  # a stream could not wait for the choice


class Selects:
    """The open selects, the innermost last.

    A select may lie in an option of another: copies of copies would grow with a power of the
    depth, so there is a limit.

    Args:
        b: the stack of open elements.
    """

    __slots__ = ("_b", "_copied", "_open")

    def __init__(self, b: OpenElements) -> None:
        self._b = b
        self._copied = 0  # characters
        self._open: list[Select] = []

    @property
    def are_open(self) -> bool:
        """Whether there is any."""
        return bool(self._open)

    def open(self, element: Element) -> None:
        """A select has been inserted."""
        self._open.append(Select(element))
        element.on_close = self.close

    def option(self, element: Element, stack: list[Element]) -> None:
        """An option has been inserted: the last `selected` one is chosen, else the first.

        Source: WHATWG #option-element-nearest-ancestor-select, #concept-option-disabled.
        """
        if not self._open or self._open[-1].is_given_up:
            return
        select = self._open[-1]
        groups = 0
        for ancestor in reversed(stack[:-1]):
            if ancestor is select.element:
                break
            groups += ancestor.name == "optgroup"
            if ancestor.name in NO_CHOICE or groups > 1:
                return
        parent = stack[-2]
        is_disabled = element.tag.get("disabled") is not None or (
            parent.name == "optgroup" and parent.tag.get("disabled") is not None
        )
        is_selected = element.tag.get("selected") is not None
        if is_selected or (
            select.chosen is None and not is_disabled and is_drop_down(select.element)
        ):
            select.chosen = element
            element.on_close = self.close_option

    def content(self, element: Element, stack: list[Element]) -> None:
        """A selectedcontent has been inserted: the first outside an option gets the copy."""
        if not self._open:
            return
        select = self._open[-1]
        if select.content is not None or select.is_given_up or select.element.at < 0:
            return
        for ancestor in reversed(stack[:-1]):
            if ancestor is select.element:
                select.content = element.box = slot(element.home)
                select.room = self._b.max_depth - element.depth
                select.start = self._b.reader.start
                return
            if ancestor.name in ("option", "selectedcontent"):
                return

    def holds(self, element: Element) -> bool:
        """Whether a copy of what is in an open select may still be made."""
        return any(open_.element is element and not open_.is_given_up for open_ in self._open)

    def give_up(self, element: Element, stack: list[Element]) -> bool:
        """Make no copy in a select, so that what is in it is final; False if that cannot be."""
        select = next(open_ for open_ in self._open if open_.element is element)
        content = select.content
        if content is not None:
            below = next((i for i, node in enumerate(stack) if node.box is content), None)
            if below is not None:
                # what comes in the open selectedcontent goes where it stands
                home = stack[below].home
                inside = stack[below + 1 :]
                if any(node.home is not content or node.box is not content for node in inside):
                    return False
                stack[below].box = home
                for node in inside:
                    node.home = node.box = home
                    node.at = -1
        select.is_given_up = True
        select.chosen = None
        select.ends = {}
        return True

    def shift(self, box: Box, taken: int) -> None:
        """The first `taken` items of `box` have been taken away, all before any open select."""
        for select in self._open:
            if select.element.home is box and not select.is_given_up:
                select.ends = {
                    option: end - taken if option.home is box else end
                    for option, end in select.ends.items()
                }
                chosen = select.chosen
                if chosen is not None and not chosen.is_open and chosen.home is box:
                    chosen.at -= taken

    def close_option(self, element: Element) -> None:
        """An option has been closed by its end tag, the last of its name on the tape."""
        if not self._open or self._open[-1].is_given_up:
            return
        end = len(element.home) - 1
        while element.home[end] is not element.end:
            end -= 1
        self._open[-1].ends[element] = end

    def close(self, element: Element) -> None:
        """A select has been closed: make the copy."""
        select = self._open.pop()
        chosen = select.chosen
        if (
            select.is_given_up
            or element.at < 0  # it has gone out
            or select.content is None
            or chosen is None
            or chosen not in select.ends
            or chosen.at < 0
            or element.tag.get("multiple") is not None
        ):
            return
        if self._copied > self._b.options.max_repetition * select.start + OUTPUT_ALLOWANCE:
            self._b.say("xmlfix-copy-limit")
            return
        run = chosen.home[chosen.at + 1 : select.ends[chosen]]
        # an xml:id may stand only once
        copy = [
            chunk.replace(" xml:id=", " xmlU00003Aid=") if chunk[:1] == "<" else chunk
            for chunk in parted(flatten(run))
        ]
        self._copied += sum(map(len, copy))
        select.content[:] = flattened(visible(copy, wants_chosen=False), select.room)


def is_drop_down(select: Element) -> bool:
    """Whether a select shows one option, so that its first is chosen by default."""
    size = (select.tag.get("size") or "").strip()
    return select.tag.get("multiple") is None and (not size.isdecimal() or int(size[:9]) <= 1)
