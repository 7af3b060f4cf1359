"""The rules of the table insertion modes.

Source: WHATWG #parsing-main-intable, #parsing-main-intabletext, #parsing-main-incaption,
#parsing-main-incolgroup, #parsing-main-intbody, #parsing-main-intr, #parsing-main-intd.
"""

from __future__ import annotations

from xmlfix.elements import CELLS, SECTIONS, TABLE_LIKE, TABLE_PARTS, TABLE_SCOPE
from xmlfix.read.tokens import Tag
from xmlfix.repair.body import (
    commentInBody,
    endTemplateToInHead,
    eofInBody,
    startHtmlInBody,
    textInBody,
    toInHead,
)
from xmlfix.repair.elements import IMPLIED_TAGS
from xmlfix.repair.modes import (
    IN_BODY,
    IN_CAPTION,
    IN_CELL,
    IN_COLUMN_GROUP,
    IN_ROW,
    IN_TABLE,
    IN_TABLE_BODY,
    IN_TABLE_TEXT,
)
from xmlfix.repair.vocabulary import SPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.modes import Mode

COLGROUP = IMPLIED_TAGS["colgroup"]
TBODY = IMPLIED_TAGS["tbody"]
TR = IMPLIED_TAGS["tr"]

TAKES_TABLE_TEXT = TABLE_LIKE | {"template"}
TABLE_CONTEXT = TABLE_SCOPE
BODY_CONTEXT = SECTIONS | {"template", "html"}
ROW_CONTEXT = frozenset(("tr", "template", "html"))


def ignoreEndInTable(b: BrowserRepair, name: str) -> Mode | None:
    """An end tag that means nothing here."""
    return b.ignore_end(name)


# ── in table ─────────────────────────────────────────────────────────────────


def textInTable(b: BrowserRepair, data: str) -> Mode | None:
    """Characters directly in a table are collected; elsewhere they are misplaced."""
    if b.stack[-1].name in TAKES_TABLE_TEXT:
        b.rest = data
        b.original_mode = b.mode
        b.mode = IN_TABLE_TEXT
        return IN_TABLE_TEXT
    return fosterText(b, data)


def fosterText(b: BrowserRepair, data: str) -> Mode | None:
    """Characters by the rules of "in body", with foster parenting."""
    b.fostering = True
    textInBody(b, data)
    b.fostering = False
    return None


def startCaptionInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.clear_back_to(TABLE_CONTEXT)
    b.push_marker()
    b.insert(tag)
    b.mode = IN_CAPTION
    return None


def startColgroupInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.clear_back_to(TABLE_CONTEXT)
    b.insert(tag)
    b.mode = IN_COLUMN_GROUP
    return None


def startColInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    startColgroupInTable(b, COLGROUP)
    return b.mode


def startSectionInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """tbody, tfoot, thead."""
    b.clear_back_to(TABLE_CONTEXT)
    b.insert(tag)
    b.mode = IN_TABLE_BODY
    return None


def startRowInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """td, th, tr: a tbody is implied."""
    startSectionInTable(b, TBODY)
    return b.mode


def startTableInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A table directly in a table ends that one."""
    if not b.in_scope("table", TABLE_SCOPE):
        return b.ignore_start(tag)
    b.pop_until("table", has_end_tag=False)
    b.reset_mode()
    return b.mode


def endTableInTable(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("table", TABLE_SCOPE):
        return b.ignore_end(name)
    b.pop_until("table")
    b.reset_mode()
    return None


def startInputInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A hidden input may stand in a table."""
    if (tag.get("type") or "").lower() != "hidden":
        return anyStartInTable(b, tag)
    b.insert_empty(tag)
    return None


def startFormInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """A form in a table holds nothing, but is the one that its fields belong to."""
    if b.open_templates or b.form is not None:
        return b.ignore_start(tag)
    b.form = b.insert(tag)
    b.pop_unclosed()
    return None


def anyStartInTable(b: BrowserRepair, tag: Tag) -> Mode | None:
    """Anything else: by the rules of "in body", with foster parenting."""
    if b.stack[-1].name in TABLE_LIKE:
        b.say("xmlfix-foster-parented", f"<{tag.name}>")
    b.fostering = True
    following = IN_BODY.start.get(tag.name, IN_BODY.any_start)(b, tag)
    b.fostering = False
    return following


def anyEndInTable(b: BrowserRepair, name: str) -> Mode | None:
    b.fostering = True
    following = IN_BODY.end.get(name, IN_BODY.any_end)(b, name)
    b.fostering = False
    return following


# ── in table text ────────────────────────────────────────────────────────────


def textInTableText(b: BrowserRepair, data: str) -> Mode | None:
    b.pending.append(data.replace("\0", ""))
    return None


def settleText(b: BrowserRepair) -> Mode:
    """The run of characters is complete: white space stays, all else is foster-parented."""
    data = "".join(b.pending)
    b.pending = []
    b.mode = b.original_mode
    if data.strip(SPACE):
        b.say("xmlfix-foster-parented", "text")
        fosterText(b, data)
    elif data:
        b.insert_text(data)
    return b.mode


def anyStartInTableText(b: BrowserRepair, tag: Tag) -> Mode | None:
    return settleText(b)


def anyEndInTableText(b: BrowserRepair, name: str) -> Mode | None:
    return settleText(b)


def commentInTableText(b: BrowserRepair, chunk: str) -> Mode | None:
    return settleText(b)


# ── in caption ───────────────────────────────────────────────────────────────


def endCaptionInCaption(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("caption", TABLE_SCOPE):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    b.pop_until("caption")
    b.clear_to_marker()
    b.mode = IN_TABLE
    return None


def closeCaption(b: BrowserRepair) -> bool:
    """Close the caption for another token; False if there is none (fragment case)."""
    if not b.in_scope("caption", TABLE_SCOPE):
        return False
    b.generate_implied_end_tags()
    b.pop_until("caption", has_end_tag=False)
    b.clear_to_marker()
    b.mode = IN_TABLE
    return True


def startPartInCaption(b: BrowserRepair, tag: Tag) -> Mode | None:
    """caption, col, tbody, tr, td and their kin."""
    return b.mode if closeCaption(b) else b.ignore_start(tag)


def endTableInCaption(b: BrowserRepair, name: str) -> Mode | None:
    return b.mode if closeCaption(b) else b.ignore_end(name)


# ── in column group ──────────────────────────────────────────────────────────


def textInColumnGroup(b: BrowserRepair, data: str) -> Mode | None:
    """White space stays; the first other character ends the group."""
    rest = data.lstrip(SPACE)
    if len(rest) < len(data):
        b.insert_text(data[: len(data) - len(rest)])
    if not rest:
        return None
    if b.stack[-1].name == "colgroup":
        b.use_text(data, len(data) - len(rest))
        closeColumnGroup(b)
        return b.mode
    space = "".join([char for char in rest if char in SPACE])
    if space:
        b.insert_text(space)
    b.drop_text(data)
    return None


def closeColumnGroup(b: BrowserRepair) -> bool:
    """Close the column group for another token; False if it is not the current node."""
    if b.stack[-1].name != "colgroup":
        return False
    b.pop_unclosed()
    b.mode = IN_TABLE
    return True


def startColInColumnGroup(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.insert_empty(tag)
    return None


def endColgroupInColumnGroup(b: BrowserRepair, name: str) -> Mode | None:
    if b.stack[-1].name != "colgroup":
        return b.ignore_end(name)
    b.pop()
    b.mode = IN_TABLE
    return None


def anyStartInColumnGroup(b: BrowserRepair, tag: Tag) -> Mode | None:
    return b.mode if closeColumnGroup(b) else b.ignore_start(tag)


def anyEndInColumnGroup(b: BrowserRepair, name: str) -> Mode | None:
    return b.mode if closeColumnGroup(b) else b.ignore_end(name)


# ── in table body ────────────────────────────────────────────────────────────


def startTrInTableBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    b.clear_back_to(BODY_CONTEXT)
    b.insert(tag)
    b.mode = IN_ROW
    return None


def startCellInTableBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """td, th: a tr is implied."""
    startTrInTableBody(b, TR)
    return b.mode


def endSectionInTableBody(b: BrowserRepair, name: str) -> Mode | None:
    """tbody, tfoot, thead."""
    if not b.in_scope(name, TABLE_SCOPE):
        return b.ignore_end(name)
    b.clear_back_to(BODY_CONTEXT)
    b.pop()
    b.mode = IN_TABLE
    return None


def closeSection(b: BrowserRepair) -> bool:
    """Close the table section for another token; False if there is none (fragment case)."""
    if not b.one_in_scope(SECTIONS, TABLE_SCOPE):
        return False
    b.clear_back_to(BODY_CONTEXT)
    b.pop_unclosed()
    b.mode = IN_TABLE
    return True


def startPartInTableBody(b: BrowserRepair, tag: Tag) -> Mode | None:
    """caption, col, colgroup, tbody, tfoot, thead."""
    return b.mode if closeSection(b) else b.ignore_start(tag)


def endTableInTableBody(b: BrowserRepair, name: str) -> Mode | None:
    return b.mode if closeSection(b) else b.ignore_end(name)


# ── in row ───────────────────────────────────────────────────────────────────


def startCellInRow(b: BrowserRepair, tag: Tag) -> Mode | None:
    """td, th."""
    b.clear_back_to(ROW_CONTEXT)
    b.insert(tag)
    b.mode = IN_CELL
    b.push_marker()
    return None


def endTrInRow(b: BrowserRepair, name: str) -> Mode | None:
    if not b.in_scope("tr", TABLE_SCOPE):
        return b.ignore_end(name)
    b.clear_back_to(ROW_CONTEXT)
    b.pop()
    b.mode = IN_TABLE_BODY
    return None


def closeRow(b: BrowserRepair) -> bool:
    """Close the row for another token; False if there is none (fragment case)."""
    if not b.in_scope("tr", TABLE_SCOPE):
        return False
    b.clear_back_to(ROW_CONTEXT)
    b.pop_unclosed()
    b.mode = IN_TABLE_BODY
    return True


def startPartInRow(b: BrowserRepair, tag: Tag) -> Mode | None:
    """caption, col, colgroup, tbody, tfoot, thead, tr."""
    return b.mode if closeRow(b) else b.ignore_start(tag)


def endTableInRow(b: BrowserRepair, name: str) -> Mode | None:
    return b.mode if closeRow(b) else b.ignore_end(name)


def endSectionInRow(b: BrowserRepair, name: str) -> Mode | None:
    """tbody, tfoot, thead."""
    if not b.in_scope(name, TABLE_SCOPE) or not closeRow(b):
        return b.ignore_end(name)
    return b.mode


# ── in cell ──────────────────────────────────────────────────────────────────


def endCellInCell(b: BrowserRepair, name: str) -> Mode | None:
    """td, th."""
    if not b.in_scope(name, TABLE_SCOPE):
        return b.ignore_end(name)
    b.generate_implied_end_tags()
    b.pop_until(name)
    b.clear_to_marker()
    b.mode = IN_ROW
    return None


def closeCell(b: BrowserRepair) -> Mode:
    """Close the cell for another token [#close-the-cell]."""
    b.generate_implied_end_tags()
    while b.stack[-1].name not in CELLS:
        b.pop_unclosed()
    b.pop_unclosed()
    b.clear_to_marker()
    b.mode = IN_ROW
    return IN_ROW


def startPartInCell(b: BrowserRepair, tag: Tag) -> Mode | None:
    """caption, col, tbody, tr, td and their kin."""
    if not b.one_in_scope(CELLS, TABLE_SCOPE):
        return b.ignore_start(tag)
    return closeCell(b)


def endPartInCell(b: BrowserRepair, name: str) -> Mode | None:
    """table, tbody, tfoot, thead, tr."""
    if not b.in_scope(name, TABLE_SCOPE):
        return b.ignore_end(name)
    return closeCell(b)


# ── the tables ───────────────────────────────────────────────────────────────

_PARTS = TABLE_PARTS - CELLS - {"tr"}  # caption, col, colgroup and the sections

IN_TABLE.text = textInTable
IN_TABLE.comment = commentInBody
IN_TABLE.eof = eofInBody
IN_TABLE.otherwise(anyStartInTable, anyEndInTable)
IN_TABLE.starts(startCaptionInTable, "caption")
IN_TABLE.starts(startColgroupInTable, "colgroup")
IN_TABLE.starts(startColInTable, "col")
IN_TABLE.starts(startSectionInTable, SECTIONS)
IN_TABLE.starts(startRowInTable, CELLS | {"tr"})
IN_TABLE.starts(startTableInTable, "table")
IN_TABLE.starts(toInHead, "style script template")
IN_TABLE.starts(startInputInTable, "input")
IN_TABLE.starts(startFormInTable, "form")
IN_TABLE.ends(endTableInTable, "table")
IN_TABLE.ends(ignoreEndInTable, TABLE_PARTS | {"body", "html"})
IN_TABLE.ends(endTemplateToInHead, "template")

IN_TABLE_TEXT.text = textInTableText
IN_TABLE_TEXT.comment = commentInTableText
IN_TABLE_TEXT.eof = settleText
IN_TABLE_TEXT.otherwise(anyStartInTableText, anyEndInTableText)

IN_CAPTION.text = textInBody
IN_CAPTION.comment = commentInBody
IN_CAPTION.eof = eofInBody
IN_CAPTION.start = dict(IN_BODY.start)
IN_CAPTION.end = dict(IN_BODY.end)
IN_CAPTION.otherwise(IN_BODY.any_start, IN_BODY.any_end)
IN_CAPTION.starts(startPartInCaption, TABLE_PARTS)
IN_CAPTION.ends(endCaptionInCaption, "caption")
IN_CAPTION.ends(endTableInCaption, "table")
IN_CAPTION.ends(ignoreEndInTable, TABLE_PARTS - {"caption"} | {"body", "html"})

IN_COLUMN_GROUP.text = textInColumnGroup
IN_COLUMN_GROUP.comment = commentInBody
IN_COLUMN_GROUP.eof = eofInBody
IN_COLUMN_GROUP.otherwise(anyStartInColumnGroup, anyEndInColumnGroup)
IN_COLUMN_GROUP.starts(startHtmlInBody, "html")
IN_COLUMN_GROUP.starts(startColInColumnGroup, "col")
IN_COLUMN_GROUP.starts(toInHead, "template")
IN_COLUMN_GROUP.ends(endColgroupInColumnGroup, "colgroup")
IN_COLUMN_GROUP.ends(ignoreEndInTable, "col")
IN_COLUMN_GROUP.ends(endTemplateToInHead, "template")

IN_TABLE_BODY.text = textInTable
IN_TABLE_BODY.comment = commentInBody
IN_TABLE_BODY.eof = eofInBody
IN_TABLE_BODY.start = dict(IN_TABLE.start)
IN_TABLE_BODY.end = dict(IN_TABLE.end)
IN_TABLE_BODY.otherwise(anyStartInTable, anyEndInTable)
IN_TABLE_BODY.starts(startTrInTableBody, "tr")
IN_TABLE_BODY.starts(startCellInTableBody, CELLS)
IN_TABLE_BODY.starts(startPartInTableBody, _PARTS)
IN_TABLE_BODY.ends(endSectionInTableBody, SECTIONS)
IN_TABLE_BODY.ends(endTableInTableBody, "table")
IN_TABLE_BODY.ends(ignoreEndInTable, TABLE_PARTS - SECTIONS | {"body", "html"})

IN_ROW.text = textInTable
IN_ROW.comment = commentInBody
IN_ROW.eof = eofInBody
IN_ROW.start = dict(IN_TABLE.start)
IN_ROW.end = dict(IN_TABLE.end)
IN_ROW.otherwise(anyStartInTable, anyEndInTable)
IN_ROW.starts(startCellInRow, CELLS)
IN_ROW.starts(startPartInRow, TABLE_PARTS - CELLS)
IN_ROW.ends(endTrInRow, "tr")
IN_ROW.ends(endTableInRow, "table")
IN_ROW.ends(endSectionInRow, SECTIONS)
IN_ROW.ends(ignoreEndInTable, TABLE_PARTS - SECTIONS - {"tr"} | {"body", "html"})

IN_CELL.text = textInBody
IN_CELL.comment = commentInBody
IN_CELL.eof = eofInBody
IN_CELL.start = dict(IN_BODY.start)
IN_CELL.end = dict(IN_BODY.end)
IN_CELL.otherwise(IN_BODY.any_start, IN_BODY.any_end)
IN_CELL.starts(startPartInCell, TABLE_PARTS)
IN_CELL.ends(endCellInCell, CELLS)
IN_CELL.ends(endPartInCell, TABLE_LIKE)
IN_CELL.ends(ignoreEndInTable, "body caption col colgroup html")
