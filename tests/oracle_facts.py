"""The names and lists of the standard that the oracle goes by; see oracle_rules.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oracle_dom import Token

# -- vocabulary ------------------------------------------------------------------------
#
# Elements are named by their "tag name string" of the conformance data: "p", "svg desc",
# "math mi". No name the tokenizer makes contains a space.

HTML: Final = ""
SVG: Final = "svg"
MATHML: Final = "math"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lines(text: str) -> tuple[str, ...]:
    return tuple(ascii_lower(line.strip()) for line in text.strip().splitlines())


def ascii_lower(text: str) -> str:
    """`text` in ASCII lowercase: no other letter changes."""
    return "".join(char.lower() if char.isascii() else char for char in text)


# The lists of tag names that several entries share.
HEADINGS: Final = _words("h1 h2 h3 h4 h5 h6")
HEAD_ELEMENTS: Final = _words(
    "base basefont bgsound link meta noframes script style template title"
)
BLOCKS: Final = _words("""
    address article aside blockquote center details dialog dir div dl fieldset figcaption figure
    footer header hgroup main menu nav ol search section summary ul
    """)
FORMATTING: Final = _words("b big code em font i s small strike strong tt u")
TABLE_FRAME: Final = _words("table tbody template tfoot thead tr")
TABLE_PARTS: Final = _words("caption col colgroup tbody td tfoot th thead tr")
BREAKOUT: Final = _words("""
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
    listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
    """)

# #mathml-text-integration-point, #html-integration-point, and both with annotation-xml
MATHML_TEXT_INTEGRATION_POINTS: Final = frozenset(
    {"math mi", "math mo", "math mn", "math ms", "math mtext"}
)
SVG_HTML_INTEGRATION_POINTS: Final = frozenset({"svg foreignObject", "svg desc", "svg title"})
FOREIGN_MARKERS: Final = (
    MATHML_TEXT_INTEGRATION_POINTS | SVG_HTML_INTEGRATION_POINTS | {"math annotation-xml"}
)

# #special
SPECIAL: Final = (
    _words("""
    address applet area article aside base basefont bgsound blockquote body br button caption
    center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form
    frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link
    listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre
    script search section select source style summary table tbody td template textarea tfoot th
    thead title tr track ul wbr xmp
    """)
    | FOREIGN_MARKERS
)

# #has-an-element-in-scope and its kin
SCOPE: Final = (
    _words("applet caption html table td th marquee object select template") | FOREIGN_MARKERS
)
LIST_ITEM_SCOPE: Final = SCOPE | {"ol", "ul"}
BUTTON_SCOPE: Final = SCOPE | {"button"}
TABLE_SCOPE: Final = _words("html table template")

# #generate-implied-end-tags, #generate-all-implied-end-tags-thoroughly
IMPLIED_END: Final = _words("dd dt li optgroup option p rb rp rt rtc")
IMPLIED_END_THOROUGHLY: Final = IMPLIED_END | _words("caption colgroup tbody td tfoot th thead tr")

# #adjust-svg-attributes
SVG_ATTRIBUTES: Final = {
    name.lower(): name
    for name in _words("""
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant
    edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength
    keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits
    markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits
    patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
    primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures
    specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles
    surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget
    xChannelSelector yChannelSelector zoomAndPan
    """)
}

# #parsing-main-inforeign, "any other start tag"
SVG_ELEMENTS: Final = {
    name.lower(): name
    for name in _words("""
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
    feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
    """)
}

# #adjust-foreign-attributes: the name in the token, and as the conformance data writes it
FOREIGN_ATTRIBUTES: Final = {
    "xlink:actuate": "xlink actuate",
    "xlink:arcrole": "xlink arcrole",
    "xlink:href": "xlink href",
    "xlink:role": "xlink role",
    "xlink:show": "xlink show",
    "xlink:title": "xlink title",
    "xlink:type": "xlink type",
    "xml:lang": "xml lang",
    "xml:space": "xml space",
    "xmlns": "xmlns xmlns",
    "xmlns:xlink": "xmlns xlink",
}


# #the-initial-insertion-mode, the conditions for quirks mode
_QUIRKY_PUBLIC_IDS: Final = _lines(
    """
    -//W3O//DTD W3 HTML Strict 3.0//EN//
    -/W3C/DTD HTML 4.0 Transitional/EN
    HTML
    """
)
_QUIRKY_SYSTEM_ID: Final = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_PREFIXES: Final = _lines(
    """
    +//Silmaril//dtd html Pro v0r11 19970101//
    -//AS//DTD HTML 3.0 asWedit + extensions//
    -//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//
    -//IETF//DTD HTML 2.0 Level 1//
    -//IETF//DTD HTML 2.0 Level 2//
    -//IETF//DTD HTML 2.0 Strict Level 1//
    -//IETF//DTD HTML 2.0 Strict Level 2//
    -//IETF//DTD HTML 2.0 Strict//
    -//IETF//DTD HTML 2.0//
    -//IETF//DTD HTML 2.1E//
    -//IETF//DTD HTML 3.0//
    -//IETF//DTD HTML 3.2 Final//
    -//IETF//DTD HTML 3.2//
    -//IETF//DTD HTML 3//
    -//IETF//DTD HTML Level 0//
    -//IETF//DTD HTML Level 1//
    -//IETF//DTD HTML Level 2//
    -//IETF//DTD HTML Level 3//
    -//IETF//DTD HTML Strict Level 0//
    -//IETF//DTD HTML Strict Level 1//
    -//IETF//DTD HTML Strict Level 2//
    -//IETF//DTD HTML Strict Level 3//
    -//IETF//DTD HTML Strict//
    -//IETF//DTD HTML//
    -//Metrius//DTD Metrius Presentational//
    -//Microsoft//DTD Internet Explorer 2.0 HTML Strict//
    -//Microsoft//DTD Internet Explorer 2.0 HTML//
    -//Microsoft//DTD Internet Explorer 2.0 Tables//
    -//Microsoft//DTD Internet Explorer 3.0 HTML Strict//
    -//Microsoft//DTD Internet Explorer 3.0 HTML//
    -//Microsoft//DTD Internet Explorer 3.0 Tables//
    -//Netscape Comm. Corp.//DTD HTML//
    -//Netscape Comm. Corp.//DTD Strict HTML//
    -//O'Reilly and Associates//DTD HTML 2.0//
    -//O'Reilly and Associates//DTD HTML Extended 1.0//
    -//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//
    -//SQ//DTD HTML 2.0 HoTMetaL + extensions//
    -//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//
    -//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//
    -//Spyglass//DTD HTML 2.0 Extended//
    -//Sun Microsystems Corp.//DTD HotJava HTML//
    -//Sun Microsystems Corp.//DTD HotJava Strict HTML//
    -//W3C//DTD HTML 3 1995-03-24//
    -//W3C//DTD HTML 3.2 Draft//
    -//W3C//DTD HTML 3.2 Final//
    -//W3C//DTD HTML 3.2//
    -//W3C//DTD HTML 3.2S Draft//
    -//W3C//DTD HTML 4.0 Frameset//
    -//W3C//DTD HTML 4.0 Transitional//
    -//W3C//DTD HTML Experimental 19960712//
    -//W3C//DTD HTML Experimental 970421//
    -//W3C//DTD W3 HTML//
    -//W3O//DTD W3 HTML 3.0//
    -//WebTechs//DTD Mozilla HTML 2.0//
    -//WebTechs//DTD Mozilla HTML//
    """
)
_QUIRKY_PREFIXES_WITHOUT_SYSTEM_ID: Final = _lines(
    """
    -//W3C//DTD HTML 4.01 Frameset//
    -//W3C//DTD HTML 4.01 Transitional//
    """
)


def is_quirky(token: Token) -> bool:
    """Whether this doctype sets the document to quirks mode (#the-initial-insertion-mode).

    Limited-quirks mode is left out: no rule of the parser asks for it.
    """
    public_id = None if token.public_id is None else ascii_lower(token.public_id)
    system_id = None if token.system_id is None else ascii_lower(token.system_id)
    if token.force_quirks or token.name != "html" or system_id == _QUIRKY_SYSTEM_ID:
        return True
    if public_id is None:
        return False
    return (
        public_id in _QUIRKY_PUBLIC_IDS
        or public_id.startswith(_QUIRKY_PREFIXES)
        or (system_id is None and public_id.startswith(_QUIRKY_PREFIXES_WITHOUT_SYSTEM_ID))
    )
