"""The rules for tokens in foreign content: SVG and MathML.

Source: WHATWG #parsing-main-inforeign, #adjust-svg-attributes, #adjust-mathml-attributes,
#adjust-foreign-attributes.
"""

from __future__ import annotations

from xmlfix.elements import BREAKOUT, HTML_POINTS, SVG_NAMES, TEXT_POINTS, VOID
from xmlfix.read.tokens import Tag
from xmlfix.repair.elements import HTML, SVG
from xmlfix.repair.vocabulary import SPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.elements import Element
    from xmlfix.repair.modes import Mode

PREFIXES = ("", "svg ", "math ")

FONT_BREAKOUT = frozenset(("color", "face", "size"))

HTML_ENCODINGS = frozenset(("text/html", "application/xhtml+xml"))


def _by_lower_case(names: str) -> dict[str, str]:
    """Names by their lower-case form."""
    return {name.lower(): name for name in names.split()}


SVG_ATTRIBUTES = _by_lower_case(
    "attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits"
    " diffuseConstant edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix"
    " kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight"
    " markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength"
    " patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ"
    " preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur"
    " requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod"
    " startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX"
    " targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan"
)
MATHML_ATTRIBUTES = {"definitionurl": "definitionURL"}
# Those with a namespace, as "prefix local": no name that is read has a space in it. `xml:lang`
# and `xml:space` need no mark, since the prefix `xml` means the same everywhere.
FOREIGN_ATTRIBUTES = {
    f"xlink:{local}": f"xlink {local}"
    for local in "actuate arcrole href role show title type".split()
}
_ADJUSTED_IN_SVG = SVG_ATTRIBUTES | FOREIGN_ATTRIBUTES
_ADJUSTED_IN_MATHML = MATHML_ATTRIBUTES | FOREIGN_ATTRIBUTES


def adjust(tag: Tag, namespace: int) -> Tag:
    """The tag as it is in SVG or MathML: with the case and the namespaces of that language.

    A tag that changes is kept with the one it comes from, since the memo shares tags. One
    whose name is a void element's of HTML is another tag here, even if it reads the same.
    """
    is_svg = namespace == SVG
    if is_svg and tag.adjusted is not None:
        return tag.adjusted
    names = _ADJUSTED_IN_SVG if is_svg else _ADJUSTED_IN_MATHML
    name = SVG_NAMES.get(tag.name, tag.name) if is_svg else tag.name
    if name == tag.name and name not in VOID and not any(key in names for key, _ in tag.attrs):
        return tag
    adjusted = Tag(name, _renamed(tag.attrs, names), tag.self_closing)
    if is_svg:
        tag.adjusted = adjusted
    return adjusted


def with_namespaces(tag: Tag) -> Tag:
    """The tag with its attributes that have a namespace in SVG and MathML marked, no more."""
    if not any(key in FOREIGN_ATTRIBUTES for key, _ in tag.attrs):
        return tag
    return Tag(tag.name, _renamed(tag.attrs, FOREIGN_ATTRIBUTES), tag.self_closing)


def _renamed(
    attrs: tuple[tuple[str, str], ...], names: dict[str, str]
) -> tuple[tuple[str, str], ...]:
    """Attributes under the names that `names` gives them."""
    return tuple([(names.get(name, name), value) for name, value in attrs])


def is_html_point(name: str, tag: Tag) -> bool:
    """Whether an element is an HTML integration point [#html-integration-point]."""
    if name == "math annotation-xml":
        return (tag.get("encoding") or "").lower() in HTML_ENCODINGS
    return name in HTML_POINTS


def takes_html_start(element: Element, name: str) -> bool:
    """Whether a start tag `name` is HTML's inside the foreign `element`.

    Source: WHATWG #tree-construction-dispatcher.
    """
    if element.name in TEXT_POINTS:
        return name not in ("mglyph", "malignmark")
    if element.name == "math annotation-xml" and name == "svg":
        return True
    return element.is_html_point


def takes_html_text(element: Element) -> bool:
    """Whether characters are HTML's inside the foreign `element`."""
    return element.name in TEXT_POINTS or element.is_html_point


def textInForeign(b: BrowserRepair, data: str) -> Mode | None:
    b.insert_text(data.replace("\0", "\ufffd"))
    if b.frameset_ok and data.strip(SPACE + "\0"):
        b.frameset_ok = False
    return None


def startInForeign(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A start tag: HTML's own break out; all others are the current namespace's."""
    name = tag.name
    if name in BREAKOUT or (name == "font" and any(key in FONT_BREAKOUT for key, _ in tag.attrs)):
        return break_out(b)
    namespace = b.current().namespace
    b.insert_foreign(adjust(tag, namespace), namespace)
    return None


def break_out(b: BrowserRepair) -> Mode:
    """Leave the foreign content; the token is then HTML's."""
    while True:
        current = b.stack[-1]
        if current.namespace <= HTML or takes_html_text(current):
            return b.mode
        b.pop_unclosed()


def endInForeign(b: BrowserRepair, name: str) -> Mode | None:
    """An end tag: down the stack to its element, or to HTML, whose rules take it then."""
    if name in ("br", "p"):
        return break_out(b)
    stack = b.stack
    index = len(stack) - 1
    if index and not b.open_foreign.get(name):
        return b.mode  # nothing to find on the way down to an HTML element
    while index > 0:
        node = stack[index]
        if node.tag.name.lower() == name:
            while stack[-1] is not node:
                b.pop_unclosed()
            b.pop()
            return None
        index -= 1
        if stack[index].namespace <= HTML:
            return b.mode
    return b.ignore_end(name)
