"""What the adoption agency moves out of options and selectedcontents.

The furthest block stays in its box. Where a selectedcontent lies between it and the formatting
element, what comes before the block becomes the content of the selectedcontent, in a new box,
and the rest of the box is an ordinary part of the box around it: it is *joined* to that. A box
that a copy has replaced is joined likewise where the block comes back into the document.

Source: WHATWG #adoption-agency-algorithm, #maybe-clone-an-option-into-selectedcontent.
"""

from __future__ import annotations

from xmlfix.repair.adoption import INNER_LOOPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.elements import Element
    from xmlfix.repair.select import Selects
    from xmlfix.write.tape import Box


def can_carry(selects: Selects, stack: list[Element]) -> bool:
    """Whether each of `stack`, the part that is moved, is in a box at the end of that below it."""
    if selects.are_full:
        return False
    box = stack[-1].home
    for element in reversed(stack[:-1]):
        while box is not element.home:
            if element.name == "selectedcontent" and (element.box is box or selects.is_gone(box)):
                box = element.home
            elif id(box) in selects.joined:
                box = selects.joined[id(box)][0]
            else:
                return False
    return True


def carry(selects: Selects, stack: list[Element], position: int, furthest: int) -> Box:
    """Prepare the boxes for a move; what is to be written before the furthest block."""
    block = stack[furthest]
    before: Box = list(block.waiting or ())
    box, at = block.home, block.at  # where the block is, or what contains it
    for element in reversed(stack[position:furthest]):
        while box is not element.home:
            if selects.is_gone(box):
                before = []
                forget_before(block)
                join(selects, block, element.home)
                box = element.home
            elif element.box is box:
                shown: Box = [*box[:at], *forget_before(block), *before]
                box[:at] = [""] * at
                before = [[shown]]
                selects.frames[element].frame = before[0]  # the rest stays where it is
                selects.rehome(box, shown, at)
                selects.joined[id(box)] = (element.home, element.at + 1, box)
                box, at, _ = selects.joined[id(box)]
            else:
                box, at, _ = selects.joined[id(box)]
        selects.leave(element, block, [*ahead(block), *before])
        before.append(element.end)
        before.extend(element.waiting or ())
    index = position - 1  # of the common ancestor
    if selects.is_fostered(index):
        while stack[index].name != "table" and index > 1:
            index -= 1
        if stack[index].slot is not block.home or stack[index].waiting:
            return before
        index -= 1
    elif not selects.is_gone(stack[position].home):
        return before
    ancestor = stack[index]
    if selects.is_gone(stack[index + 1].home) and not selects.is_gone(ancestor.home):
        before = []
        forget_before(block)
        join(selects, block, ancestor.box)
    return before


def join(selects: Selects, block: Element, box: Box) -> None:
    """Put the box of a block, from the block on, at the end of another."""
    home = block.home
    home[: block.at] = [""] * block.at
    selects.removed.pop(id(home), None)
    selects.joined[id(home)] = (box, len(box), home)
    box.append(home)
    selects.regain(block)


def ahead(block: Element) -> Box:
    """What splices have put before the start tag of a block."""
    cell = block.home[block.at]
    return [] if isinstance(cell, str) else list(cell[0])


def forget_before(block: Element) -> Box:
    """Take what splices have put before the start tag of a block."""
    before = ahead(block)
    if before:
        block.home[block.at][0].clear()
    return before


def close_options(selects: Selects, stack: list[Element], position: int, furthest: int) -> None:
    """The options between the formatting element and the block leave the stack.

    That is before the move, and after it for those from which a formatting element is cloned
    above: the block is no longer in them.
    """
    block = stack[furthest]
    has_clone = False
    for index in range(furthest - 1, position, -1):
        element = stack[index]
        if element.is_listed and furthest - index <= INNER_LOOPS:
            has_clone = True
        elif element.name == "option":
            limit = block if has_clone and element.home is block.home else None
            selects.show_left(element, limit)
