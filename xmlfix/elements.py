"""The table of elements: what the parser and its kin must know of each name, once.

A line is a name and the words that hold for it; all sets below derive from the lines, and
the rules, the stack repair, the reader and the extraction take theirs from here. A name
with a space is a foreign element's.

| word | meaning |
| --- | --- |
| `void` | has neither content nor an end tag [#void-elements, with those that are parsed alike] |
| `raw` | its content is text to the reader [#generic-raw-text-element-parsing-algorithm] |
| `special` | [#special] |
| `formatting` | [#formatting] |
| `scope` | ends every scope [#has-an-element-in-scope] |
| `list-scope`, `button-scope` | ends that scope too |
| `table-scope` | ends "table scope" |
| `implied` | its end tag can be generated [#generate-implied-end-tags] |
| `thorough` | likewise, "thoroughly" only |
| `closes-p` | its start tag closes a p element |
| `foster` | a current node for which foster parenting is asked for [#foster-parent] |
| `kept` | stays on the stack at `max_depth`, since the rules for its content rely on it |
| `breakout` | its start tag leaves foreign content [#parsing-main-inforeign] |
| `lines` | begins and ends a line of text, by the standard's style sheet [#rendering] |
| `text-point` | [#mathml-text-integration-point] |
| `html-point` | [#html-integration-point], whatever its attributes are |

The other words name the entries of "in body" and "in table" that the element shares with
others; a void element without such a word is an ordinary one, like `img`. A name that
nothing holds for has a line too: it is that of an element.
"""

from __future__ import annotations

_TABLE = """
a                    formatting
abbr
acronym
address              special closes-p lines block
applet               special scope marked
area                 special void
article              special closes-p lines block
aside                special closes-p lines block
audio
b                    formatting breakout
base                 special void metadata
basefont             special void metadata
bdi
bdo
bgsound              special void metadata
big                  formatting breakout
blink
blockquote           special closes-p breakout lines block
body                 special kept breakout
br                   special void breakout
button               special button-scope
canvas
caption              special scope thorough lines table-part
center               special closes-p breakout lines block
cite
code                 formatting breakout
col                  special void table-part
colgroup             special thorough kept table-part
data
datalist
dd                   special implied closes-p breakout lines item
del
details              special closes-p lines block
dfn
dialog               closes-p lines block
dir                  special closes-p lines block
div                  special closes-p breakout lines block
dl                   special closes-p breakout lines block
dt                   special implied closes-p breakout lines item
em                   formatting breakout
embed                special void breakout
fieldset             special closes-p lines block
figcaption           special closes-p lines block
figure               special closes-p lines block
font                 formatting
footer               special closes-p lines block
form                 special closes-p lines
frame                special void
frameset             special kept
h1                   special closes-p breakout lines heading
h2                   special closes-p breakout lines heading
h3                   special closes-p breakout lines heading
h4                   special closes-p breakout lines heading
h5                   special closes-p breakout lines heading
h6                   special closes-p breakout lines heading
head                 special kept breakout
header               special closes-p lines block
hgroup               special closes-p lines block
hr                   special void closes-p breakout lines
html                 special scope table-scope
i                    formatting breakout
iframe               special raw
img                  special void breakout
input                special void
ins
isindex
kbd
keygen               special void
label
legend               lines
li                   special implied closes-p breakout lines item
link                 special void metadata
listing              special closes-p breakout lines preformatted
main                 special closes-p lines block
map
mark
marquee              special scope marked
math                 kept
menu                 special closes-p breakout lines block
menuitem
meta                 special void breakout metadata
meter
multicol
nav                  special closes-p lines block
nextid
nobr                 formatting breakout
noembed              special raw
noframes             special raw metadata
noscript             special
object               special scope marked
ol                   special list-scope closes-p breakout lines block
optgroup             implied lines
option               implied lines
output
p                    special implied closes-p breakout lines
param                special void resource
picture
plaintext            special raw closes-p lines
pre                  special closes-p breakout lines preformatted
progress
q
rb                   implied ruby-base
rp                   implied ruby-text
rt                   implied ruby-text
rtc                  implied ruby-base
ruby                 breakout
s                    formatting breakout
samp
script               special raw metadata
search               special closes-p lines block
section              special closes-p lines block
select               special scope
selectedcontent
slot
small                formatting breakout
source               special void resource
spacer
span                 breakout
strike               formatting breakout
strong               formatting breakout
style                special raw metadata
sub                  breakout
summary              special closes-p lines block
sup                  breakout
svg                  kept
table                special scope table-scope foster breakout lines
tbody                special thorough foster lines table-part section
td                   special scope thorough table-part cell
template             special scope table-scope metadata
textarea             special raw
tfoot                special thorough foster lines table-part section
th                   special scope thorough table-part cell
thead                special thorough foster lines table-part section
time
title                special raw metadata
tr                   special thorough foster lines table-part
track                special void resource
tt                   formatting breakout
u                    formatting breakout
ul                   special list-scope closes-p breakout lines block
var                  breakout
video
wbr                  special void
xmp                  special raw closes-p lines

math annotation-xml  special scope
math mi              special scope text-point
math mn              special scope text-point
math mo              special scope text-point
math ms              special scope text-point
math mtext           special scope text-point

svg desc             special scope html-point
svg foreignObject    special scope html-point
svg title            special scope html-point
"""


def _names_by_word(table: str) -> dict[str, frozenset[str]]:
    """The names that have each word."""
    names: dict[str, set[str]] = {}
    for line in table.splitlines():
        if line:
            name = line[:20].rstrip()
            for word in line[20:].split():
                names.setdefault(word, set()).add(name)
    return {word: frozenset(those) for word, those in names.items()}


_NAMES = _names_by_word(_TABLE)

# the elements of HTML, those that were ones too [#elements-3, #non-conforming-features]
HTML_ELEMENTS = frozenset(
    line[:20].rstrip() for line in _TABLE.splitlines() if " " not in line[:20].rstrip()
) - {"", "math", "svg"}

VOID = _NAMES["void"]
RAW_TEXT = _NAMES["raw"]  # noscript too, where scripts run
SPECIAL = _NAMES["special"]
FORMATTING = _NAMES["formatting"]
SCOPE = _NAMES["scope"]
LIST_ITEM_SCOPE = SCOPE | _NAMES["list-scope"]
BUTTON_SCOPE = SCOPE | _NAMES["button-scope"]
TABLE_SCOPE = _NAMES["table-scope"]
IMPLIED_END = _NAMES["implied"]
IMPLIED_END_THOROUGHLY = IMPLIED_END | _NAMES["thorough"]
CLOSES_P = _NAMES["closes-p"]
TABLE_LIKE = _NAMES["foster"]
KEPT_AT_DEPTH = SCOPE | TABLE_LIKE | _NAMES["kept"]
BREAKOUT = _NAMES["breakout"]
LINES = _NAMES["lines"]
TEXT_POINTS = _NAMES["text-point"]
HTML_POINTS = _NAMES["html-point"]

# ── who shares a rule ────────────────────────────────────────────────────────

BLOCKS = _NAMES["block"]  # address, div, ul
HEADINGS = _NAMES["heading"]  # h1 to h6
ITEMS = _NAMES["item"]  # li, dd, dt
PREFORMATTED = _NAMES["preformatted"]  # they lose a line feed right after the start tag
MARKED = _NAMES["marked"]  # formatting does not cross them
METADATA = _NAMES["metadata"]  # processed by the rules of "in head" in the body too
RESOURCES = _NAMES["resource"]  # param, source, track
RUBY_BASES = _NAMES["ruby-base"]
RUBY_TEXTS = _NAMES["ruby-text"]
CELLS = _NAMES["cell"]
SECTIONS = _NAMES["section"]  # tbody, tfoot, thead
TABLE_PARTS = _NAMES["table-part"]  # what means nothing outside of a table
# area, br, img: what is empty and has no other rule
EMPTY = VOID - METADATA - RESOURCES - TABLE_PARTS - {"frame", "hr", "input"}

# ── names as SVG writes them ─────────────────────────────────────────────────

# #parsing-main-inforeign, "any other start tag": by the name in lower case
SVG_NAMES = {
    name.lower(): name
    for name in (
        "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath"
        " feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix"
        " feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB"
        " feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset"
        " fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef"
        " linearGradient radialGradient textPath"
    ).split()
}
