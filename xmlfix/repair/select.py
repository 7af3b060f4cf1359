"""What `selectedcontent` shows: a copy of the content of its select's chosen option.

Source: WHATWG #the-selectedcontent-element. Browsers copy while they parse, each time an
option ends; here the copy is made once, when the select ends.
"""

from __future__ import annotations

from xmlfix.write.tape import flatten, parted, slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.elements import Element
    from xmlfix.write.tape import Box


class Select:
    """An open select: its options so far and the place for the copy."""

    __slots__ = ("chosen", "content", "element", "ends")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.content: Box | None = None
        self.chosen: Element | None = None
        self.ends: dict[Element, int] = {}  # where the content of an option ends


class Selects:
    """The open selects, the innermost last."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
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
        """An option has been inserted: the last `selected` one is chosen, else the first."""
        if not self._open:
            return
        select = self._open[-1]
        for ancestor in reversed(stack):
            if ancestor is select.element:
                break
            if ancestor.name in ("template", "selectedcontent"):
                return
        is_selected = element.tag.get("selected") is not None
        if is_selected or (
            select.chosen is None
            and element.tag.get("disabled") is None
            and is_drop_down(select.element)
        ):
            select.chosen = element
            element.on_close = self.close_option

    def content(self, element: Element, stack: list[Element]) -> None:
        """A selectedcontent has been inserted: the first outside an option gets the copy."""
        if not self._open:
            return
        select = self._open[-1]
        if select.content is not None:
            return
        for ancestor in reversed(stack[:-1]):
            if ancestor is select.element:
                select.content = element.box = slot(element.home)
                return
            if ancestor.name in ("option", "selectedcontent"):
                return

    def shift(self, box: Box, taken: int) -> None:
        """The first `taken` items of `box` have been taken away, all before any open select."""
        for select in self._open:
            if select.element.home is box:
                select.ends = {option: end - taken for option, end in select.ends.items()}
                if select.chosen is not None and not select.chosen.is_open:
                    select.chosen.at -= taken

    def close_option(self, element: Element) -> None:
        """An option has been closed by its end tag, the last of its name on the tape."""
        if not self._open:
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
            select.content is None
            or chosen is None
            or chosen not in select.ends
            or element.tag.get("multiple") is not None
        ):
            return
        run = chosen.home[chosen.at + 1 : select.ends[chosen]]
        # an xml:id may stand only once
        select.content[:] = [
            chunk.replace(" xml:id=", " xmlU00003Aid=") if chunk[:1] == "<" else chunk
            for chunk in parted(flatten(run))
        ]


def is_drop_down(select: Element) -> bool:
    """Whether a select shows one option, so that its first is chosen by default."""
    size = (select.tag.get("size") or "").strip()
    return select.tag.get("multiple") is None and (not size.isdecimal() or int(size[:9]) <= 1)
