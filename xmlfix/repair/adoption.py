"""The adoption agency algorithm, as one splice on the tape.

At the start chunk of the furthest block: before it the end tags of all that is open from
it up to the formatting element, then the start tags of the clones; right after it the
start tag of the new formatting element. The splice never leaves the box, since tables,
templates and integration points end the formatting element's scope; so foster parenting
needs nothing more either: what is moved ends where the formatting element had begun.

Source: WHATWG #adoption-agency-algorithm.
"""

from __future__ import annotations

from xmlfix.elements import SCOPE, SPECIAL, TABLE_LIKE
from xmlfix.repair.elements import HTML, Element
from xmlfix.write.tape import patch, splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.elements import OpenElements

OUTER_LOOPS = 8
INNER_LOOPS = 3


def adopt(b: OpenElements, subject: str, *, has_end_tag: bool = True) -> bool:
    """Run the algorithm for an end tag `subject`; False to act as for any other end tag.

    `has_end_tag` says whether there is one, to be reported.
    """
    current = b.stack[-1]
    if current.name == subject and not current.is_listed:
        b.pop()
        return True
    for _ in range(OUTER_LOOPS):
        formatting = last_formatting(b, subject)
        if formatting is None:
            return False
        if not formatting.is_open:
            if has_end_tag:
                b.say("xmlfix-end-tag-without-start", subject)
            b.unlist(formatting)
            return True
        position = position_in_scope(b, formatting)
        if position < 0:
            if has_end_tag:
                b.say("xmlfix-end-tag-without-start", subject)
            return True
        furthest = next(
            (i for i in range(position + 1, len(b.stack)) if b.stack[i].name in SPECIAL), None
        )
        if furthest is None or not can_move(b, position, furthest):
            while b.stack[-1] is not formatting:
                b.pop_unclosed()
            b.pop()
            b.unlist(formatting)
            return True
        if has_end_tag:
            b.say("xmlfix-misnested-tag", subject)
        move(b, position, furthest)
    return True


def last_formatting(b: OpenElements, subject: str) -> Element | None:
    """The last entry `subject` of the list after its last marker."""
    for element in reversed(b.formatting):
        if element is None:
            return None
        if element.name == subject:
            return element
    return None


def position_in_scope(b: OpenElements, wanted: Element) -> int:
    """The index of an open element on the stack, -1 if it is not in scope."""
    for index in range(len(b.stack) - 1, -1, -1):
        if b.stack[index] is wanted:
            return index
        if b.stack[index].name in SCOPE:
            return -1
    return -1


def can_move(b: OpenElements, position: int, furthest: int) -> bool:
    """Whether the tape still has what is to be moved.

    Not at `max_depth`, nor where a stream has written it as it stands.
    """
    if b.stack[-1].depth >= b.max_depth or b.stack[furthest].at < 0:
        return False
    moved = b.stack[position : furthest + 1]
    home = moved[-1].home
    return all(element.end for element in moved) and (
        all(element.home is home for element in moved) or b.can_carry(moved)
    )


def move(b: OpenElements, position: int, furthest: int) -> None:
    """The steps from "let common ancestor be" on: stack[furthest] moves out of stack[position]."""
    stack, listed = b.stack, b.formatting
    formatting, block = stack[position], stack[furthest]
    before = b.carry(position, furthest)
    block.waiting = None

    bookmark = listed.index(formatting)
    clones: list[Element] = []  # the innermost first
    counter = 0
    for index in range(furthest - 1, position, -1):
        node = stack[index]
        counter += 1
        at = listed.index(node) if node.is_listed else -1
        if at >= 0 and counter > INNER_LOOPS:
            b.unlist_at(at)
            bookmark -= at < bookmark
            at = -1
        node.is_open = False
        if at < 0:
            del stack[index]
            b.forget(node)
            continue
        clone = Element(node.name, node.tag, HTML, block.home, -1, node.end, node.depth)
        stack[index] = listed[at] = clone
        node.is_listed, clone.is_listed = False, True
        if not clones:
            bookmark = at + 1
        clones.append(clone)

    depth = formatting.depth
    ancestor = stack[position - 1]  # the common ancestor
    outer = formatting.outer if ancestor.name in TABLE_LIKE else ancestor.namespace
    declare = b.declaration(HTML, outer)
    for clone in reversed(clones):
        clone.depth = depth
        depth += 1
        start = b.writer.start_again(clone.tag, declare)
        b.repeated += len(start) + len(clone.end)
        before.append(start)
        declare = ""
    if clones:
        clones[-1].outer = outer
    else:
        block.outer = outer
        if declare:
            patch(block.home, block.at, b.writer.start_again(block.tag, declare))
    block.depth = depth

    start = b.writer.start_again(formatting.tag)
    b.repeated += len(start) + len(formatting.end)
    renewed = Element(
        formatting.name, formatting.tag, HTML, block.box, -1, formatting.end, depth + 1
    )
    splice(block.home, block.at, before, start)

    old = listed.index(formatting)
    b.unlist_at(old)
    b.alike = None  # since this is no end of the list
    listed.insert(bookmark - (old < bookmark), renewed)
    renewed.is_listed = True
    formatting.is_open = False
    del stack[position]
    stack.insert(stack.index(block) + 1, renewed)
