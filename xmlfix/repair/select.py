"""What `selectedcontent` shows: a copy of the content of its select's selected option.

The copy is made as browsers make it: each time the selected option leaves the stack of open
elements, and each time a selectedcontent is inserted. On the tape the content of a
selectedcontent is a box of its own in a *frame*, a box that has nothing else. A new copy is a
new box in the frame. What was in the old one is no longer in the document: elements open there
go on writing into the old box. The adoption agency can bring them back (see `carry`).

Source: WHATWG #the-selectedcontent-element, #the-option-element, #the-select-element.

Deviates: a selectedcontent that the adoption agency moves is not filled anew then, because the
standard has a move as a removal and an insertion, each with copies of their own, and the tape
has no state between the two.
"""

from __future__ import annotations

from xmlfix.elements import TABLE_LIKE
from xmlfix.repair.elements import OUTPUT_ALLOWANCE
from xmlfix.repair.select_parts import (
    NO_CHOICE,
    Content,
    Option,
    Select,
    boxes,
    closed,
    parts,
    weight,
    written,
)
from xmlfix.write.tape import flatten, flattened, parted, slot, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.elements import Element, OpenElements
    from xmlfix.write.tape import Box


LOOK = 16  # what it costs to look at a part of a select, in characters that are copied
DISABLES = frozenset(("option", "selectedcontent"))


class Selects:
    """The open selects, the innermost last.

    Copies of copies could grow with a power of the input, and elements that are not in their
    order in the source are sought, so there is a limit for both.

    Args:
        b: the stack of open elements.
    """

    __slots__ = ("_b", "_open", "_options", "_spent", "frames", "joined", "removed")

    def __init__(self, b: OpenElements) -> None:
        self._b = b
        self._open: list[Select] = []
        self._spent = 0  # characters copied or looked at; no matter how the input is cut
        self._options: dict[Element, Option] = {}  # that are open
        self.frames: dict[Element, Content] = {}  # selectedcontents with a frame, once open
        # by the identity of a box: those that a copy has replaced; those that lie at the end of
        # another, as that one, the index there and the box itself
        self.removed: dict[int, Box] = {}
        self.joined: dict[int, tuple[Box, int, Box]] = {}

    @property
    def are_open(self) -> bool:
        """Whether there is any."""
        return bool(self._open)

    @property
    def are_full(self) -> bool:
        """Whether the limit has been met in the innermost."""
        return bool(self._open) and self._open[-1].is_full

    # ── elements that come ───────────────────────────────────────────────────

    def open(self, element: Element) -> None:
        """A select has been inserted."""
        select = Select(element, self._b.reader.start)
        select.templates = self._b.open_templates
        self._open.append(select)
        element.on_close = self.close

    def close(self, element: Element) -> None:
        """A select has been closed: what it has is in the select around now."""
        select = self._open.pop()
        if self._open:
            outer = self._open[-1]
            if select.primary is None or select.templates > outer.templates:
                return
            outer.has_inside = True
            select.contents.append(select.primary)
            if outer.primary is None:
                outer.primary = select.contents.pop()
            few, many = sorted((select.contents, outer.contents), key=len)
            many.extend(few)
            outer.contents = many
        else:
            self.removed = {}
            self.joined = {}
            self.frames = {}
            self._options = {}

    def option(self, element: Element, stack: list[Element]) -> None:
        """An option has been inserted.

        Source: WHATWG #option-element-nearest-ancestor-select, #concept-option-disabled.
        """
        select = self._nearest()
        if select is None or select.is_full:
            return
        parent = stack[-2]
        if parent.box is not element.home:  # foster-parented
            at = len(stack) - 2
            while at > 1 and stack[at].name != "table":
                at -= 1
            parent = stack[at - 1]
        option = Option(
            element.home,
            element.at,
            is_disabled=element.tag.get("disabled") is not None
            or (parent.name == "optgroup" and parent.tag.get("disabled") is not None),
            is_set=element.tag.get("selected") is not None,
            element=element,
        )
        walked = 0
        for ancestor in reversed(stack[:-1]):
            walked += 1
            if ancestor is select.element:
                break
            if ancestor.name == "template":
                return
            if ancestor.name == "selectedcontent":
                select.has_inside = True
            elif ancestor.name in NO_CHOICE:
                option.bars.append(ancestor)
            elif ancestor.name == "optgroup":
                option.groups.append(ancestor)
        self.may_spend(select, walked)
        self._options[element] = option
        element.on_close = self._close_option
        if self.is_removed(element.home):
            select.lost.append(option)
        elif option.is_free:
            self._add(select, option)
        else:
            select.others.append(option)

    def content(self, element: Element, stack: list[Element]) -> None:
        """A selectedcontent has been inserted.

        Source: the HTML element post-connection steps in WHATWG #the-selectedcontent-element.
        """
        if not self._open or self._open[-1].is_full:
            return
        select = self._open[-1]
        bars: list[Element] = []
        has_select = is_barred = False
        walked = 0
        for ancestor in reversed(stack[:-1]):
            walked += 1
            if ancestor.name == "select":
                is_barred = has_select
                has_select = True
            if ancestor.name == "template" or is_barred:
                break
            if ancestor.name in DISABLES:
                bars.append(ancestor)
        self.may_spend(select, walked)
        if not has_select or select.is_given_up or select.element.at < 0:
            return
        content = Content(element.home, element.at, slot(element.home), element)
        self.frames[element] = content
        element.box = slot(content.frame)
        content.room = self._b.max_depth - element.depth
        content.is_barred = is_barred
        content.bars = bars
        if any(ancestor.name == "selectedcontent" for ancestor in bars):
            select.has_inside = True
        if self.is_removed(element.home):
            select.lost.append(content)
            return
        self._add_content(select, content)
        if select.element.tag.get("multiple") is not None:
            return
        enabled = self._enabled(select)
        if enabled is not None:
            self._show(select, enabled, select.selected)
        if select.is_full:
            return
        for other in select.contents:
            self._replace(other, [])
        select.contents = [
            other
            for other in select.contents
            if other.element is not None and other.element.is_open
        ]

    # ── the selected option ──────────────────────────────────────────────────

    def _nearest(self) -> Select | None:
        """The innermost open select, if what is in it may be shown."""
        if not self._open:
            return None
        select = self._open[-1]
        if select.is_given_up or select.element.at < 0:
            return None
        return None if select.element.tag.get("multiple") is not None else select

    def _add(self, select: Select, option: Option) -> None:
        """Add an option to those of a select [#selectedness-setting-algorithm]."""
        select.options.append(option)
        selected = select.selected
        if selected is None:
            if option.is_set or (select.is_drop_down and not option.is_disabled):
                select.selected = option
        elif option.is_set and self._is_before(select, selected, option):
            select.selected = option

    def _add_content(self, select: Select, content: Content) -> None:
        """Add a selectedcontent to those of a select."""
        if select.primary is None:
            select.primary = content
        elif self._is_before(select, content, select.primary):
            select.contents.append(select.primary)
            select.primary = content
        else:
            select.contents.append(content)

    def _close_option(self, element: Element) -> None:
        """An option has been closed by its end tag, the last of its own on the tape."""
        select = self._nearest()
        option = self._options.pop(element, None)
        if option is None or select is None:
            return
        if element.home is not option.home:  # a stream has closed it where it stood
            select.is_full = True
            return
        after = len(element.waiting or ()) + (element.after is not None)
        option.end = len(option.home) - 1 - after
        self._close(select, option)

    def _close(self, select: Select, option: Option) -> None:
        """An option has left the stack.

        Source: WHATWG #maybe-clone-an-option-into-selectedcontent.
        """
        if select.is_given_up or option is not select.selected:
            return
        content = self._enabled(select)
        if content is not None:
            self._show(select, content, option)

    def _enabled(self, select: Select) -> Content | None:
        """The selectedcontent that shows the selected option, if there is one.

        Source: WHATWG #get-a-select's-enabled-selectedcontent.
        """
        content = select.primary
        return None if content is None or content.is_barred or content.bars else content

    # ── copies ───────────────────────────────────────────────────────────────

    def _show(
        self,
        select: Select,
        content: Content,
        option: Option | None,
        block: Element | None = None,
    ) -> None:
        """Make a copy of the content of an option what a selectedcontent has.

        Source: WHATWG #clone-an-option-into-a-selectedcontent.

        Args:
            block: an element in the option that is left out, with all after it.
        """
        if select.is_full:
            return
        if option is None:
            self._replace(content, [])
            return
        # an xml:id may stand only once
        copy = [without_id(chunk) for chunk in parted(flatten(self._inside(option, block)))]
        if not self.may_spend(select, sum(map(len, copy))):
            return
        copy = flattened(visible(copy, wants_chosen=False), content.room)
        box: Box = []
        added = list(written(copy, box, self._groups(select)))
        self._replace(content, box)
        if added:
            select.has_inside = True
        for item in added:
            if isinstance(item, Content):
                select.contents.append(item)
            else:
                self._add(select, item)

    def _inside(self, option: Option, block: Element | None) -> Box:
        """The content of an option as it is now; what is open is closed there."""
        if option.end >= 0:
            return [*option.home[option.at + 1 : option.end], *option.tail]
        ends: dict[int, list[str]] = {}
        is_inside = block is None
        for element in reversed(self._b.stack):
            if element is option.element:
                break
            if not is_inside:
                is_inside = element is block
                continue
            own = ends.setdefault(id(element.home), [])
            own.append(element.end)
            own.extend(element.waiting or ())
        end = len(option.home)
        ahead: Box = []
        if block is not None:
            end = block.at
            cell = block.home[end]
            ahead = [] if isinstance(cell, str) else cell[0]
        run = [*option.home[option.at + 1 : end], ahead]
        ends[id(run)] = [
            *(block.waiting or () if block is not None else ()),
            *ends.pop(id(option.home), ()),
        ]
        return [*closed(run, 0, ends)]

    def _groups(self, select: Select) -> int:
        """In how many optgroups the selectedcontent is that shows the selected option."""
        stack = self._b.stack
        element = None if select.primary is None else select.primary.element
        if element is None or not element.is_open:
            return 0
        inside = stack[stack.index(select.element) : stack.index(element)]
        return sum(node.name == "optgroup" for node in inside)

    def may_spend(self, select: Select, count: int) -> bool:
        """Whether the limit lets so much be done; if not, the select shows nothing anew."""
        self._spent += count
        if select.is_full:
            return False
        if self._spent > self._b.options.max_repetition * select.start + OUTPUT_ALLOWANCE:
            select.is_full = True
            self._b.say("xmlfix-copy-limit")
        return not select.is_full

    def _replace(self, content: Content, box: Box) -> None:
        """Put a box in place of the content of a selectedcontent."""
        old = content.frame[0]
        if not old and not box:
            return
        content.frame[0] = [box] if box else []
        if len(old) > 1 or (old and isinstance(old[0], str)):
            self._b.say("xmlfix-selectedcontent-replaced")
        element = content.element
        if element is not None and element.is_open:
            element.box = content.frame[0]
            self.removed[id(old)] = old
        if not old:
            return
        select = self._open[-1]
        if not select.has_inside:
            return
        gone = {id(inner) for inner in boxes(old)}
        self._spent += weight(old) + LOOK * sum(1 for _ in parts(select))
        lost = [part for part in parts(select) if id(part.home) in gone]
        if not lost:
            return
        for option in select.options:
            option.is_set = option is select.selected
        select.lost.extend(lost)
        select.options = [option for option in select.options if id(option.home) not in gone]
        select.others = [option for option in select.others if id(option.home) not in gone]
        select.contents = [other for other in select.contents if id(other.home) not in gone]
        if select.selected in lost:
            select.selected = self._first_enabled(select)

    def _first_enabled(self, select: Select) -> Option | None:
        """The first option that is not disabled, if a select has one selected by default."""
        enabled = [option for option in select.options if not option.is_disabled]
        if not enabled or not select.is_drop_down:
            return None
        first = enabled[0]
        if any(option.home is not first.home for option in enabled):
            places = self._places(select)
            return min(enabled, key=lambda option: places.get((id(option.home), option.at), 0))
        return first

    def _is_before(self, select: Select, one: Option | Content, other: Option | Content) -> bool:
        """Whether one thing in a select comes before another in the document."""
        if one.home is other.home:
            return one.at < other.at
        places = self._places(select)
        return places.get((id(one.home), one.at), 0) < places.get((id(other.home), other.at), 0)

    def _places(self, select: Select) -> dict[tuple[int, int], int]:
        """By box and index of what is in a select: its number in the order of the document."""
        if select.is_full:
            return {}
        home = select.element.home
        places: dict[tuple[int, int], int] = {}
        pending = [(home, iter(range(select.element.at, len(home))))]
        while pending:
            box, indices = pending[-1]
            for index in indices:
                places[id(box), index] = len(places)
                if not isinstance(box[index], str):
                    pending.append((box[index], iter(range(len(box[index])))))
                    break
            else:
                pending.pop()
        self.may_spend(select, weight(home, select.element.at))
        return places

    # ── what the adoption agency moves, see carry.py ─────────────────────────

    def regain(self, block: Element) -> None:
        """A block has come back into the document, with all in it."""
        select = self._open[-1]
        regained = {id(inner) for inner in boxes(block.home, block.at)}
        kept: list[Option | Content] = []
        for part in select.lost:
            if id(part.home) not in regained or (part.home is block.home and part.at < block.at):
                kept.append(part)
            elif isinstance(part, Content):
                self._add_content(select, part)
            elif part.is_free:
                self._add(select, part)
            else:
                select.others.append(part)
        count = weight(block.home, block.at) + LOOK * len(select.lost)
        self.may_spend(select, count)
        select.lost = kept

    def rehome(self, box: Box, new: Box, end: int) -> None:
        """What is in `box` before the index `end` is in the box `new` now, at the same place."""
        self._spent += weight(new)
        for select in self._open:
            for part in parts(select):
                self._spent += LOOK
                if part.home is box and part.at < end:
                    part.home = new

    def show_left(self, element: Element, block: Element | None) -> None:
        """Show an option that leaves the stack before what is above it.

        Args:
            block: what is no longer in the option, with all in it.
        """
        select = self._nearest()
        option = self._options.get(element)
        if select is None or option is None or option is not select.selected:
            return
        content = self._enabled(select)
        if content is not None and not select.is_given_up:
            self._show(select, content, option, block)

    def leave(self, element: Element, block: Element, inside: Box) -> None:
        """The adoption agency moves a block out of an element.

        Args:
            inside: what the box of the block has before it gives the end of the element.
        """
        option = self._options.pop(element, None)
        if option is not None:
            joined = self.joined.get(id(block.home))
            is_direct = option.home is block.home
            option.end = block.at if is_direct or joined is None else joined[1]
            option.tail = inside
        if not self._open or self._open[-1].is_full:
            return
        select = self._open[-1]
        barred = [
            part
            for part in (*select.others, *select.contents, *select.lost, select.primary)
            if part is not None and (element in part.bars or element in part.groups)
        ]
        count = len(select.others) + len(select.contents) + len(select.lost)
        self.may_spend(select, LOOK * count)
        if not barred:
            return
        self.may_spend(select, weight(block.home, block.at))
        moved = {id(inner) for inner in boxes(block.home, block.at)}
        for part in barred:
            if id(part.home) in moved and (part.home is not block.home or part.at > block.at):
                kept_out = part.bars if element in part.bars else part.groups
                kept_out.remove(element)
        if select.others:
            freed = [other for other in select.others if other.is_free]
            select.others = [other for other in select.others if not other.is_free]
            for other in freed:
                self._add(select, other)

    # ── what is no longer in the document ────────────────────────────────────

    def is_removed(self, box: Box) -> bool:
        """Whether a copy has replaced what has a box."""
        if not self.removed:
            return False
        for element in reversed(self._b.stack):
            if self.is_gone(box):
                return True
            is_inside = element.box is box or element.slot is box or element.after is box
            if is_inside and element.home is not box and id(box) not in self.joined:
                box = element.home
        return self.is_gone(box)

    def is_fostered(self, index: int) -> bool:
        """Whether what is put into stack[index] is foster-parented."""
        return self._b.fostering and self._b.stack[index].name in TABLE_LIKE

    def is_gone(self, box: Box) -> bool:
        """Whether a copy has replaced a box, or one that it is joined to."""
        while id(box) not in self.removed and id(box) in self.joined:
            box = self.joined[id(box)][0]
        return id(box) in self.removed

    # ── streams ──────────────────────────────────────────────────────────────

    def held(self) -> set[Element]:
        """The open selects of which a copy of what is in them may still be made."""
        return {select.element for select in self._open if not select.is_given_up}

    def give_up(self, element: Element, stack: list[Element]) -> bool:
        """Make no copy in a select, so that what is in it is final; False if that cannot be."""
        inside = stack[stack.index(element) + 1 :]
        places: dict[int, Box] = {}  # by the identity of an open content: where it stands
        for node in inside:
            if self.is_gone(node.home) or id(node.home) in self.joined:
                return False
            if places and id(node.home) not in places:
                return False
            if node in self.frames and node.box is not node.home:
                places[id(node.box)] = places.get(id(node.home), node.home)
        for node in inside:
            # what comes in an open selectedcontent goes where that stands
            if id(node.home) in places:
                node.at = -1
                node.home = places[id(node.home)]
            if id(node.box) in places:
                node.box = places[id(node.box)]
            if node.at < 0 and node.slot is not None:
                node.slot = node.box
        select = next(open_ for open_ in self._open if open_.element is element)
        select.is_given_up = True
        return True

    def shift(self, box: Box, taken: int) -> None:
        """The first `taken` items of `box` have been taken away, all before any open select."""
        for select in self._open:
            if select.element.home is not box or select.is_given_up:
                continue
            for part in parts(select):
                if part.home is box:
                    part.at -= taken
                    if isinstance(part, Option) and part.end >= 0:
                        part.end -= taken
        for key, (outer, at, inner) in self.joined.items():
            if outer is box:
                self.joined[key] = (outer, at - taken, inner)


def without_id(node: str) -> str:
    """A node with its `xml:id`, if it is a start tag that has one, under an escaped name."""
    if node[:1] != "<" or " xml:id=" not in node:
        return node
    parts = node.split('"')  # names stand in the even ones, values in the odd ones
    parts[::2] = [part.replace(" xml:id=", " xmlU00003Aid=") for part in parts[::2]]
    return '"'.join(parts)
