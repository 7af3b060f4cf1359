"""What is known of an open select: its options, its selectedcontents, and the boxes of both.

Source: WHATWG #the-select-element, #the-option-element.
"""

from __future__ import annotations

from xmlfix.elements import HTML_POINTS, TEXT_POINTS
from xmlfix.write.tape import ATTRIBUTES, flatten, slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from xmlfix.repair.elements import Element
    from xmlfix.write.tape import Box


# an option in one of these is none of the select around, nor in a second optgroup
NO_CHOICE = frozenset(("datalist", "option", "template"))
# what has HTML in SVG and MathML
POINTS = {"annotation-xml"}.union(name.rpartition(" ")[2] for name in TEXT_POINTS | HTML_POINTS)


class Option:
    """An option of a select, open or not; one in a copy too.

    Attributes:
        home: the box that has it, its start tag at the index `at`.
        end: the index after its content; -1 while it is open.
        tail: what else is in it, of the box in which the adoption agency has closed it.
        bars: the open elements that keep it out of the options of its select.
        groups: the open optgroup elements around it; two keep it out as well.
    """

    __slots__ = ("at", "bars", "element", "end", "groups", "home", "is_disabled", "is_set", "tail")

    def __init__(
        self, home: Box, at: int, *, is_disabled: bool, is_set: bool, element: Element | None = None
    ) -> None:
        self.home = home
        self.at = at
        self.is_disabled = is_disabled
        self.is_set = is_set  # has the attribute `selected`
        self.element = element
        self.end = -1
        self.tail: Box = []
        self.bars: list[Element] = []
        self.groups: list[Element] = []

    @property
    def is_free(self) -> bool:
        """Whether it is one of the options of its select."""
        return not self.bars and len(self.groups) < 2


class Content:
    """A selectedcontent.

    Attributes:
        home: the box that has it, its start tag at the index `at`.
        frame: the box whose only item is the box with the content.
        room: how many elements may be nested in it.
        bars: the open elements that disable it.
    """

    __slots__ = ("at", "bars", "element", "frame", "groups", "home", "is_barred", "room")

    def __init__(self, home: Box, at: int, frame: Box, element: Element | None) -> None:
        self.home = home
        self.at = at
        self.frame = frame
        self.element = element
        self.room = 0
        self.bars: list[Element] = []
        self.groups: list[Element] = []  # none matters
        self.is_barred = False  # by what will not leave the stack without it


class Select:
    """An open select that is not `multiple`: its options and selectedcontents so far."""

    __slots__ = (
        "contents", "element", "has_inside", "is_full", "is_given_up", "templates",
        "lost", "options", "others", "primary", "selected", "start",
    )  # fmt: skip

    def __init__(self, element: Element, start: int) -> None:
        self.element = element
        self.start = start  # offset of its start tag
        self.options: list[Option] = []
        self.others: list[Option] = []  # in it and not of it, but may become so
        self.selected: Option | None = None
        self.primary: Content | None = None  # the first selectedcontent
        self.contents: list[Content] = []  # the others, but for those that stay empty
        self.lost: list[Option | Content] = []  # that are no longer in the document
        self.is_given_up = False  # a stream could not wait
        # whether it, or a select in it, has an option or selectedcontent in a selectedcontent
        self.has_inside = False
        self.templates = 0  # how many are open around it
        self.is_full = False  # the limit has been met

    @property
    def is_drop_down(self) -> bool:
        """Whether it shows one option, so that its first is selected by default."""
        size = (self.element.tag.get("size") or "").strip()
        return not size.isdecimal() or int(size[:9]) <= 1


def written(copy: Iterable[str], box: Box, groups: int) -> Iterator[Option | Content]:
    """Write a copy into a box; the options and selectedcontents in it that count.

    Args:
        groups: how many optgroups there are around.
    """
    bars = 0
    opened: list[tuple[str, str, Option | None]] = []  # name, start tag
    foreign: list[bool] = [False]  # whether what is in an open element is foreign
    homes: list[Box] = [box]
    for chunk in copy:
        if chunk[:1] != "<" or chunk[1] in "!?":
            homes[-1].append(chunk)
            continue
        if chunk[1] == "/":
            name, _, option = opened.pop()
            foreign.pop()
            if option is not None:
                option.end = len(homes[-1])
            if name == "selectedcontent":
                homes.pop()
            groups -= name == "optgroup"
            bars -= name in NO_CHOICE or name == "select"
            homes[-1].append(chunk)
            continue
        home = homes[-1]
        at = len(home)
        home.append(chunk)
        if chunk[-2] == "/":
            continue
        name = chunk[1:-1].split(" ")[0]
        option = None
        if foreign[-1]:
            foreign.append(name not in POINTS)
            opened.append(("", chunk, None))
            continue
        foreign.append(name in ("svg", "math"))
        if name == "option" and not bars and groups < 2:
            attributes = dict(ATTRIBUTES(chunk))
            parent, tag, _ = opened[-1] if opened else ("", "", None)
            is_disabled = "disabled" in attributes or (
                parent == "optgroup" and "disabled" in dict(ATTRIBUTES(tag))
            )
            option = Option(home, at, is_disabled=is_disabled, is_set="selected" in attributes)
            yield option
        elif name == "selectedcontent":
            content = Content(home, at, slot(home), None)
            content.is_barred = True
            homes.append(slot(content.frame))
            yield content
        groups += name == "optgroup"
        bars += name in NO_CHOICE or name == "select"
        opened.append((name, chunk, option))


def parts(select: Select) -> Iterator[Option | Content]:
    """All that is known of what is in a select."""
    yield from select.options
    yield from select.others
    if select.primary is not None:
        yield select.primary
    yield from select.contents


def boxes(box: Box, start: int = 0) -> Iterator[Box]:
    """A box and all boxes in it from the index `start` on."""
    yield box
    pending = [item for item in box[start:] if not isinstance(item, str)]
    while pending:
        box = pending.pop()
        yield box
        pending.extend(item for item in box if not isinstance(item, str))


def weight(box: Box, start: int = 0) -> int:
    """How many characters are in a box from the index `start` on."""
    return sum(map(len, flatten(box[start:])))


def closed(box: Box, start: int, ends: dict[int, list[str]]) -> Iterator[str]:
    """The chunks of `box` from the index `start`, with end tags at the ends of boxes.

    Args:
        ends: the end tags, by the identity of their box.
    """
    pending = [(box, iter(box[start:]))]
    while pending:
        inner, items = pending[-1]
        for item in items:
            if isinstance(item, str):
                yield item
            else:
                pending.append((item, iter(item)))
                break
        else:
            yield from ends.get(id(inner), ())
            pending.pop()
