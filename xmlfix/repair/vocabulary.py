"""Sets of element names: data only. A name with a space is a foreign element's.

Source: WHATWG #parsing-main-inbody and the sections cited at each set.
"""

from __future__ import annotations

from xmlfix.elements import CELLS, ITEMS, RUBY_BASES, RUBY_TEXTS, SECTIONS, TABLE_PARTS, VOID
from xmlfix.write.well_known import MATHML, SVG, XHTML

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# white space; CR only comes from a reference
SPACE = "\t\n\f\r "

# by number, as elements.py has them: HTML, SVG, MATHML
NAMESPACES = (XHTML, SVG, MATHML)

# ── the plain stack repair ───────────────────────────────────────────────────

# a start tag ends these open elements, unless one of the second set lies above them
STACK_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {}


def _ends(names: Iterable[str], closed: frozenset[str], barriers: str) -> None:
    """The start tags `names` close the elements `closed` up to `barriers`, or a template."""
    for name in names:
        STACK_ENDS[name] = closed, frozenset((*barriers.split(), "template"))


_LI, _HEAD, _OPTION = map(frozenset, (("li",), ("head",), ("option",)))
_NO_ROW = frozenset(("caption", "colgroup"))
_RUBY = RUBY_BASES | RUBY_TEXTS
_ends(_LI, _LI, "ul ol menu dir")
_ends(ITEMS - _LI, ITEMS - _LI, "dl")
_ends(_OPTION, _OPTION, "select optgroup datalist")
_ends(("optgroup",), _OPTION | {"optgroup"}, "select")
_ends(_RUBY, _RUBY, "ruby")
_ends(CELLS, CELLS | _NO_ROW, "table tr")
_ends(("tr",), CELLS | _NO_ROW | {"tr"}, f"table {' '.join(SECTIONS)}")
_ends(SECTIONS | _NO_ROW, TABLE_PARTS - VOID, "table")
_ends(("body", "frameset", "head"), _HEAD, "")
