"""The common case inside SVG and MathML, as quick.py has it for HTML.

A tag is inert here if it is inserted where it stands: it does not leave the foreign
content, and no rule for its content depends on it. Integration points are not inert, but
one that holds no more than text and comments can pass.
"""

from __future__ import annotations

from xmlfix.elements import BREAKOUT, HTML_POINTS, SVG_NAMES, TEXT_POINTS, VOID
from xmlfix.read.lane import tag_of
from xmlfix.repair.elements import MATHML, SVG
from xmlfix.repair.foreign import PREFIXES, SVG_ATTRIBUTES, adjust, takes_html_text
from xmlfix.repair.kinds import PART, PASSED, RAW, UNREAD
from xmlfix.repair.modes import BODY_MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.lane import Shape
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.window import Window

# What becomes of a start tag, for each namespace: as it is in HTML; with the case of SVG;
# with prefixes that the writer has to see; as a POINT that may hold text.
UNKNOWN, NOT_INERT, INERT, ADJUSTED, WITH_PREFIX, POINT = range(6)


def pass_inert(b: BrowserRepair, window: Window, begin: int) -> tuple[int, list[int]]:
    """Go through the pieces as long as their tags are inert, making XML of them.

    Returns:
        The index of the first piece that is a matter for the rules, and the indices of the
        pieces that have opened an element that is still open.
    """
    current = b.stack[-1]
    if (
        len(b.stack) < 2
        or takes_html_text(current)
        or current.name == "math annotation-xml"  # an svg in it is HTML's
        or b.frameset_ok
    ):
        return begin, []
    opened: list[int] = []
    room = b.max_depth - current.depth
    end = go_through(b, window, begin, current.namespace, room, opened, is_whole=False)
    return end, opened


def pass_whole(b: BrowserRepair, window: Window, begin: int, room: int) -> bool:
    """Make XML of an SVG or MathML element that is inert throughout.

    Args:
        begin: the piece that has its start tag.
        room: how many elements may be nested here.

    Returns:
        False if there is more to do, or it has no end in the window.
    """
    namespace = SVG if window.shapes[begin].name == "svg" else MATHML
    if b.options.xhtml:
        return False  # its namespace is to be declared
    opened: list[int] = []
    end = go_through(b, window, begin, namespace, room, opened, is_whole=True)
    if opened or end == begin:
        return False
    window.shapes[begin + 1 : end] = [PART] * (end - begin - 1)
    return True


def go_through(
    b: BrowserRepair,
    window: Window,
    begin: int,
    namespace: int,
    room: int,
    opened: list[int],
    *,
    is_whole: bool,
) -> int:
    """Make XML of pieces as long as their tags are inert.

    Args:
        begin: the first piece.
        namespace, room: of what the pieces stand in, and how deep they may be nested.
        opened: takes the indices of the pieces that have opened what is still open.
        is_whole: end where the first element ends.

    Returns:
        The index of the first piece that is left.
    """
    raws, shapes, texts, out = window.raws, window.shapes, window.texts, window.out
    takes_text = b.mode in BODY_MODES and not b.must_reopen()
    point = -1  # the piece that has opened the current node, if that is an integration point
    for index in range(begin, len(out)):
        shape = shapes[index]
        kind = shape.kind
        text = texts[index]
        if kind >= UNREAD:
            if kind == PASSED:
                continue
            comment = window.comment(index)
            if not comment:
                break
            out[index] = comment + window.in_xml(texts[index])
            continue
        if kind >= RAW and text:
            text = window.in_xml(text)
        if raws[index][0] == "/":
            if not opened or shapes[opened[-1]].name is not shape.name:
                break
            opened.pop()
            point = -1
            if namespace == SVG and shape.name in SVG_NAMES:
                out[index] = f"/{SVG_NAMES[shape.name]}>{text}"
            else:
                out[index] = f"{shape.xml or raws[index] + '>'}{text}"
        else:
            inertness = shape.in_svg if namespace == SVG else shape.in_mathml
            if inertness == UNKNOWN:
                inertness = find_out(raws[index], shape, namespace)
            if inertness == NOT_INERT or point >= 0 or len(opened) >= room:
                break
            if inertness == WITH_PREFIX:
                tag = adjust(tag_of(raws[index], shape), namespace)
                if not b.writer.can_repeat(tag):
                    break
                xml = b.writer.start(tag)[1:]
            elif inertness == ADJUSTED:
                xml = adjusted(window.start_tag(index))
            else:
                xml = window.start_tag(index)
            if shape.has_slash:
                out[index] = f"{xml}</{xml[:-1].partition(' ')[0]}>{text}"
            else:
                if inertness == POINT:
                    if not takes_text:
                        break
                    point = index
                out[index] = f"{xml}{text}"
                opened.append(index)
        if is_whole and not opened:
            return index + 1
    else:
        index = len(out)
    if point >= 0:
        opened.pop()
        return point
    return index


def find_out(raw: str, shape: Shape, namespace: int) -> int:
    """What becomes of a start tag in SVG or MathML; noted in its shape."""
    inertness = inertness_of(raw, shape, namespace)
    if namespace == MATHML:
        shape.in_mathml = inertness
    else:
        shape.in_svg = inertness
    return inertness


def inertness_of(raw: str, shape: Shape, namespace: int) -> int:
    """The same, not noted."""
    name = shape.name
    if namespace == SVG:
        name = SVG_NAMES.get(name, name)
    if name in BREAKOUT or name == "font" or name in VOID or ":" in name:
        return NOT_INERT
    if name in ("foreignObject", "annotation-xml"):
        return NOT_INERT
    tag = tag_of(raw, shape)
    is_adjusted = adjust(tag, namespace) is not tag
    is_prefixed = any(":" in key for key, _ in tag.attrs)
    if PREFIXES[namespace] + name in TEXT_POINTS | HTML_POINTS:
        return NOT_INERT if is_adjusted or is_prefixed else POINT
    if is_prefixed:
        return WITH_PREFIX
    if is_adjusted:
        return ADJUSTED if namespace == SVG else NOT_INERT
    return INERT


def adjusted(xml: str) -> str:
    """A start tag without its "<", with the names that it has in SVG."""
    parts = xml.split('"')
    for index in range(0, len(parts) - 1, 2):  # what is not between quotes, but for the end
        before, space, attribute = parts[index].rpartition(" ")
        attribute = attribute[:-1]
        parts[index] = f"{before}{space}{SVG_ATTRIBUTES.get(attribute, attribute)}="
    name, space, rest = '"'.join(parts).partition(" ")
    if not space:
        name, space, rest = name[:-1], ">", ""
    return f"{SVG_NAMES.get(name, name)}{space}{rest}"
