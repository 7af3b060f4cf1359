"""What the quick loop knows of a tag, by its name.

The kinds are numbers, so that the loop can tell groups of them apart by their order.
"""

from __future__ import annotations

from xmlfix import elements
from xmlfix.elements import (
    BLOCKS,
    CELLS,
    FORMATTING,
    HEADINGS,
    ITEMS,
    KEPT_AT_DEPTH,
    METADATA,
    RUBY_BASES,
    RUBY_TEXTS,
    SECTIONS,
    SPECIAL,
    VOID,
)
from xmlfix.patterns import late
from xmlfix.read.lane import Shape, note
from xmlfix.repair import body  # noqa: F401  (it fills the table of IN_BODY)
from xmlfix.repair.foreign import FONT_BREAKOUT, MATHML_ATTRIBUTES, SVG_ATTRIBUTES
from xmlfix.repair.modes import IN_BODY
from xmlfix.write.characters import escape_value

# The text after a RAW tag and those that follow here is not what comes next in XML. SLOW is
# a matter for the rules, UNREAD for the states; PASSED belongs to something before it.
(
    END_ORDINARY, END_PREFIXED, END_FORMAT, END_PARAGRAPH, END_FORM, END_BUTTON, END_CELL,
    BLOCK, PARAGRAPH, FORM, HEADING, ORDINARY, NOSCRIPT, PREFIXED, BUTTON, FORMAT,
    EMPTY, EMPTY_IN_HEAD, EMPTY_BLOCK, FIELD,
    ITEM, OPTION, RUBY, CELL, ROW, END_ROW, SECTION, END_SECTION, END_TABLE, TABLE, FOREIGN,
    TITLE, RAW, SLOW, UNREAD, PASSED,
) = range(36)  # fmt: skip

IRREGULAR = Shape("", UNREAD)
MADE = Shape("tbody", UNREAD)  # an element that the loop has made
NOTHING = Shape("", UNREAD)  # where the loop has opened no element
PART = Shape("", PASSED)  # of a comment, or of an SVG or MathML element

RUBY_PARTS = (RUBY_BASES | RUBY_TEXTS) - {"rtc"}  # which the loop reads
START_KINDS: dict[str, int] = {
    **dict.fromkeys(FORMATTING - {"nobr"}, FORMAT),
    **dict.fromkeys(BLOCKS, BLOCK),
    **dict.fromkeys(HEADINGS, HEADING),
    **dict.fromkeys(elements.EMPTY | elements.RESOURCES, EMPTY),
    **dict.fromkeys(METADATA & VOID, EMPTY_IN_HEAD),
    "p": PARAGRAPH,
    **dict.fromkeys(ITEMS, ITEM),
    **dict.fromkeys(RUBY_PARTS, RUBY),
    "option": OPTION,
    "form": FORM,
    "button": BUTTON,
    "svg": FOREIGN,
    "math": FOREIGN,
    "title": TITLE,
    "noscript": NOSCRIPT,
    "script": RAW,
    "style": RAW,
    "hr": EMPTY_BLOCK,
    "input": FIELD,
    "table": TABLE,
    **dict.fromkeys(SECTIONS, SECTION),
    "tr": ROW,
    **dict.fromkeys(CELLS, CELL),
}
# names that have rules of their own, so that they are not ordinary
RULED = {"selectedcontent"}.union(IN_BODY.start, IN_BODY.end, SPECIAL, VOID, KEPT_AT_DEPTH)
END_KINDS: dict[str, int] = {
    **dict.fromkeys(FORMATTING - {"nobr"}, END_FORMAT),
    **dict.fromkeys(BLOCKS | HEADINGS, END_ORDINARY),
    **dict.fromkeys(ITEMS | RUBY_PARTS, END_ORDINARY),
    **dict.fromkeys("noscript optgroup option pre script style title".split(), END_ORDINARY),
    "p": END_PARAGRAPH,
    "form": END_FORM,
    "button": END_BUTTON,
    "table": END_TABLE,
    **dict.fromkeys(SECTIONS, END_SECTION),
    "tr": END_ROW,
    **dict.fromkeys(CELLS, END_CELL),
}


# names that most pages have
USUAL = (
    "a article aside b blockquote body br button center code dd div dl dt em fieldset figure font"
    " footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta"
    " nav noscript ol option p path picture pre s script section select small source span strong"
    " style sub sup svg table tbody td textarea tfoot th thead time title tr tt u ul"
).split()
# attributes on which it depends what becomes of a tag in SVG or MathML
TELLING = FONT_BREAKOUT | SVG_ATTRIBUTES.keys() | MATHML_ATTRIBUTES.keys()
# a name with a prefix that stands in XML as it stands in the source, if that is declared
IN_XML = late(
    globals(),
    "IN_XML",
    "fullmatch",
    r"(?!xml(?:ns)?:)[a-z][a-z0-9._-]*:[a-z_][a-z0-9._-]*",
)


def start_kind(name: str) -> int:
    """What the loop knows of a start tag."""
    if ":" in name:
        return PREFIXED if IN_XML(name) else SLOW
    return START_KINDS.get(name, SLOW if name in RULED else ORDINARY)


def end_kind(name: str) -> int:
    """What the loop knows of an end tag."""
    if ":" in name:
        return END_PREFIXED if IN_XML(name) else SLOW
    return END_KINDS.get(name, SLOW if name in RULED else END_ORDINARY)


note(start_kind, end_kind, SLOW, IRREGULAR, USUAL, TELLING, escape_value)
