"""The common case inside SVG and MathML, as quick.py has it for HTML.

A tag is inert here if it is inserted as it is: it does not leave the foreign content, has
no name whose case changes, and no rule for its content depends on it. Integration points
are not inert, but a text integration point that holds no more than text can pass.
"""

from __future__ import annotations

from xmlfix.read.lane import tag_of
from xmlfix.repair.elements import HTML, MATHML, SVG
from xmlfix.repair.foreign import (
    BREAKOUT,
    HTML_POINTS,
    PREFIXES,
    TEXT_POINTS,
    adjust,
    takes_html_text,
)
from xmlfix.repair.kinds import RAW, UNREAD
from xmlfix.repair.modes import IN_BODY, IN_CELL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.lane import Shape
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.window import Window

UNKNOWN, NOT_INERT, HOLDS_TEXT, INERT = range(4)  # of a shape, for each namespace


def can_pass(b: BrowserRepair) -> bool:
    """Whether the current node is one in which tags can be inert."""
    stack = b.stack
    return (
        len(stack) > 1
        and stack[-1].namespace != HTML
        and not takes_html_text(stack[-1])
        and stack[-1].name != "math annotation-xml"  # an svg in it is HTML's
        and not b.frameset_ok
    )


def pass_inert(b: BrowserRepair, window: Window, begin: int) -> tuple[int, list[int]]:
    """Go through the pieces as long as their tags are inert, making XML of them.

    Returns:
        The index of the first piece that is a matter for the rules, and the indices of the
        pieces that have opened an element that is still open.
    """
    if not can_pass(b):
        return begin, []
    raws, shapes, texts, out = window.raws, window.shapes, window.texts, window.out
    namespace = b.stack[-1].namespace
    room = b.max_depth - b.stack[-1].depth
    takes_text = b.mode in (IN_BODY, IN_CELL) and not b.must_reopen()
    opened: list[int] = []
    end = begin
    for index in range(begin, len(out)):
        end = index
        shape = shapes[index]
        kind = shape.kind
        text = texts[index]
        if kind == UNREAD:
            comment = window.comment(index)
            if not comment:
                return end, opened
            out[index] = comment + window.in_xml(text)
            continue
        if kind >= RAW and text:
            text = window.in_xml(text)
        if raws[index][0] == "/":
            if not opened or shapes[opened[-1]].name is not shape.name:
                return end, opened
            opened.pop()
            out[index] = f"{shape.xml or raws[index] + '>'}{text}"
            continue
        inertness = shape.in_svg if namespace == SVG else shape.in_mathml
        if inertness == UNKNOWN:
            inertness = find_out(raws[index], shape, namespace)
        if inertness == NOT_INERT or len(opened) >= room:
            return end, opened
        if inertness == HOLDS_TEXT and not (takes_text and window.holds_text(index)):
            return end, opened
        xml = shape.xml or f"{raws[index]}>"
        if shape.has_slash:
            out[index] = f"{xml}</{shape.name}>{text}"
        else:
            out[index] = f"{xml}{text}"
            opened.append(index)
    return len(out), opened


def find_out(raw: str, shape: Shape, namespace: int) -> int:
    """Whether a start tag is inert in SVG or MathML; noted in its shape."""
    name = PREFIXES[namespace] + shape.name
    inertness = INERT
    if (
        shape.name in BREAKOUT
        or shape.name == "font"
        or ":" in raw
        or shape.xml == ""
        or name in HTML_POINTS
        or name == "math annotation-xml"
    ):
        inertness = NOT_INERT
    else:
        tag = tag_of(raw, shape)
        if adjust(tag, namespace) is not tag:
            inertness = NOT_INERT
        elif name in TEXT_POINTS:
            inertness = NOT_INERT if shape.has_slash else HOLDS_TEXT
    if namespace == MATHML:
        shape.in_mathml = inertness
    else:
        shape.in_svg = inertness
    return inertness
