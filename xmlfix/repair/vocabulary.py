"""Sets of element names: data only. A name with a space is a foreign element's.

Source: WHATWG #parsing-main-inbody and the sections cited at each set.
"""

from __future__ import annotations

from xmlfix.write.well_known import MATHML, SVG, XHTML

# #special
SPECIAL = frozenset(
    "address applet area article aside base basefont bgsound blockquote body br button"
    " caption center col colgroup dd details dir div dl dt embed fieldset figcaption"
    " figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html"
    " iframe img input keygen li link listing main marquee menu meta nav noembed noframes"
    " noscript object ol p param plaintext pre script search section select source style"
    " summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp".split()
) | {
    "math mi", "math mo", "math mn", "math ms", "math mtext", "math annotation-xml",
    "svg foreignObject", "svg desc", "svg title",
}  # fmt: skip

# #formatting
FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

# #has-an-element-in-scope and its kin
SCOPE = frozenset("applet caption html marquee object select table td template th".split()) | {
    "math mi", "math mo", "math mn", "math ms", "math mtext", "math annotation-xml",
    "svg foreignObject", "svg desc", "svg title",
}  # fmt: skip
LIST_ITEM_SCOPE = SCOPE | {"ol", "ul"}
BUTTON_SCOPE = SCOPE | {"button"}
TABLE_SCOPE = frozenset(("html", "table", "template"))

# #generate-implied-end-tags
IMPLIED_END = frozenset("dd dt li optgroup option p rb rp rt rtc".split())
IMPLIED_END_THOROUGHLY = IMPLIED_END | frozenset(
    "caption colgroup tbody td tfoot th thead tr".split()
)

# start tags that close a p element and are then ordinary, and whose end tags need a scope
BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset"
    " figcaption figure footer header hgroup main menu nav ol search section summary ul".split()
)
CLOSES_P = BLOCKS | HEADINGS | frozenset("form hr li dd dt listing p plaintext pre xmp".split())

# white space; CR only comes from a reference
SPACE = "\t\n\f\r "

# #foster-parent
TABLE_LIKE = frozenset("table tbody tfoot thead tr".split())

# elements that stay on the stack at max_depth, since the rules for their content rely on them
KEPT_AT_DEPTH = SCOPE | TABLE_LIKE | frozenset("body colgroup frameset head svg math".split())

# the elements of HTML, and those that once were [#elements-3, #non-conforming-features]
HTML_ELEMENTS = frozenset(
    name for name in SPECIAL | FORMATTING | IMPLIED_END if " " not in name
) | frozenset(
    "abbr acronym audio bdi bdo blink canvas cite data datalist del dfn dialog ins isindex kbd"
    " label legend map mark menuitem meter multicol nextid output picture progress q ruby samp"
    " selectedcontent slot spacer span sub sup time var video".split()
)

# by number, as elements.py has them: HTML, SVG, MATHML
NAMESPACES = (XHTML, SVG, MATHML)

# ── the plain stack repair ───────────────────────────────────────────────────

# a start tag ends these open elements, unless one of the second set lies above them
STACK_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {}


def _ends(names: str, closed: str, barriers: str) -> None:
    """The start tags `names` close the elements `closed` up to `barriers`."""
    for name in names.split():
        STACK_ENDS[name] = frozenset(closed.split()), frozenset(barriers.split())


_TABLE_PARTS = "caption colgroup tbody thead tfoot tr td th"
_ends("li", "li", "ul ol menu dir template")
_ends("dt dd", "dt dd", "dl template")
_ends("option", "option", "select optgroup datalist template")
_ends("optgroup", "option optgroup", "select template")
_ends("rt rp rb rtc", "rt rp rb rtc", "ruby template")
_ends("td th", "td th caption colgroup", "table tr template")
_ends("tr", "tr td th caption colgroup", "table tbody thead tfoot template")
_ends("tbody thead tfoot caption colgroup", _TABLE_PARTS, "table template")
_ends("body frameset", "head", "template")
_ends("head", "head", "template")
