"""Which part of the tape is final, so that a stream can write it and forget it.

Final is all that lies before the earliest of: the start of body while a frameset may still
replace it, or its start tag may still come; the head's slot until body begins; the slot of
the outermost open table; the start of the first open special element with an open
formatting element below it, which the adoption agency may move; the start of the outermost
open select.

What is final does not depend on how the input is cut, so the result does not either.
"""

from __future__ import annotations

from xmlfix.elements import SCOPE, SPECIAL
from xmlfix.write.tape import flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.elements import Element
    from xmlfix.write.tape import Box


def final_end(b: BrowserRepair) -> int:
    """The index on the outermost box before which nothing will change any more."""
    tape, stack = b.tape, b.stack
    end = len(tape)
    has_body = len(stack) > 1 and stack[1].name in ("body", "frameset")
    if b.head is not None and not b.head.is_open and not has_body:
        end = min(end, b.head_slot_at)
    if has_body and b.frameset_ok and stack[1].name == "body":
        end = min(end, stack[1].at)
    if waits_for_body_tag(b):
        end = min(end, stack[1].at)
    held = b.selects.held()
    is_formatted = False  # by an open formatting element since the last scope marker
    for element in stack:
        name = element.name
        if element.home is tape and element.at >= 0:
            if element.slot is not None and element.slot is not element.box:
                end = min(end, element.slot_at)
            elif (is_formatted and name in SPECIAL) or element in held:
                end = min(end, element.at)
        if name in SCOPE:
            is_formatted = False
        elif element.is_listed:
            is_formatted = True
    return end


def waits_for_body_tag(b: BrowserRepair) -> bool:
    """Whether a tag that may still come can give attributes to a body that had none."""
    return b.waits_for_body_tag(b.reader.base + b.reader.pos + 1)


def take_final(b: BrowserRepair, end: int) -> list[str]:
    """Take the chunks before `end` from the tape; the indices of what stays are shifted."""
    if end <= 0:
        return []
    tape = b.tape
    chunks = flat(tape[:end])
    del tape[:end]
    for element in b.stack:
        if element.home is tape and element.at >= 0:
            element.at -= end  # below 0: it has gone out
            element.slot_at -= end
    b.head_slot_at -= end
    b.selects.shift(tape, end)
    return chunks


def pending_size(box: Box) -> int:
    """How many characters wait in a box."""
    return sum(map(len, flat(box)))


def settle_table(b: BrowserRepair, table: Element) -> None:
    """Let nothing more be moved out of a table; what is open outside of it is closed there."""
    for element in reversed(b.stack[b.stack.index(table) :]):
        if element.home is not b.tape:
            element.home.append(element.end)
            element.home.extend(element.waiting or ())
            element.end = ""
            element.waiting = None
            element.at = -1
            element.home = element.box = b.tape
        if element.slot is not None:
            element.slot = b.tape


def settle_oldest(b: BrowserRepair) -> str:
    """Give up the earliest edit that may still come.

    Returns the name of the element that it is about, "" if there is none.

    What would have been foster-parented out of a table then stays where it is met, and an
    element that the adoption agency might have moved stays where it is.
    """
    held = b.selects.held()
    is_formatted = False
    for element in b.stack:
        name = element.tag.name
        if element.home is b.tape and element.at >= 0:
            if element.slot is not None and element.slot is not element.box:
                settle_table(b, element)
                return name
            if element in held and b.selects.give_up(element, b.stack):
                return name
            if is_formatted and element.name in SPECIAL:
                for below in b.stack:
                    if below is element:
                        return name
                    b.unlist(below)
        if element.name in SCOPE:
            is_formatted = False
        elif element.is_listed:
            is_formatted = True
    has_waited = b.frameset_ok or waits_for_body_tag(b)
    b.frameset_ok = False
    b.body_tag_limit = 0
    return "body" if has_waited else ""
