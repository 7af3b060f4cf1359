"""The standard's steps for tables, transcribed literally, to hold the quick code against.

A cell is a list [element, x, y, width, height]; a slot is the list of the cells that cover it.
Nothing here is fast, and nothing is shared with xmlfix. The names are those of the standard
(WHATWG #forming-a-table, #algorithm-for-assigning-header-cells).
"""

from __future__ import annotations

from functools import cache

from lxml import etree

SPACE = " \t\n\f\r"
NEEDED = {"colgroup", "thead", "tbody", "tfoot", "tr"}


def name(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else "#other"


def parse_non_negative(text: str) -> int | None:
    """Rules for parsing non-negative integers; None is an error."""
    position = 0
    sign = 1
    while position < len(text) and text[position] in SPACE:
        position += 1
    if position == len(text):
        return None
    if text[position] == "-":
        sign = -1
        position += 1
    elif text[position] == "+":
        position += 1
    if position == len(text) or text[position] not in "0123456789":
        return None
    value = 0
    while position < len(text) and text[position] in "0123456789":
        value = min(10 * value + int(text[position]), 10**9)
        position += 1
    value *= sign
    return None if value < 0 else value


class Cell:
    def __init__(self, element: etree._Element, x: int, y: int, width: int, height: int) -> None:
        self.element = element
        self.x, self.y, self.width, self.height = x, y, width, height
        self.is_header = name(element) == "th"


class Oracle:
    """A table formed by the steps."""

    def __init__(self, table: etree._Element) -> None:
        self.slots: dict[tuple[int, int], list[Cell]] = {}
        self.cells: list[Cell] = []
        self.row_groups: list[tuple[int, int, etree._Element]] = []
        self.column_groups: list[tuple[int, int, etree._Element]] = []
        self.xwidth = 0
        self.yheight = 0
        self.document = table.getroottree()
        self.form(table)
        self.row_group_headers = [c for c in self.cells if self.scope(c) == "rowgroup"]
        self.column_group_headers = [c for c in self.cells if self.scope(c) == "colgroup"]
        # asked often, and nothing changes any more
        self.is_column_header = cache(self._is_column_header)
        self.is_row_header = cache(self._is_row_header)

    def form(self, table: etree._Element) -> None:
        pending_tfoot: list[etree._Element] = []
        children = list(table)
        current = 0  # the current element is children[current]
        self.ycurrent = 0
        self.downward_growing: list[tuple[Cell, int, int]] = []
        while current < len(children) and name(children[current]) not in NEEDED:
            current += 1
        while current < len(children) and name(children[current]) == "colgroup":
            self.process_colgroup(children[current])
            current += 1
            while current < len(children) and name(children[current]) not in NEEDED:
                current += 1
        while True:
            while current < len(children) and name(children[current]) not in NEEDED - {"colgroup"}:
                current += 1
            if current == len(children):
                break
            element = children[current]
            if name(element) == "tr":
                self.process_row(element)
                current += 1
                continue
            self.end_row_group()
            if name(element) == "tfoot":
                pending_tfoot.append(element)
                current += 1
                continue
            self.process_row_group(element)
            current += 1
        for tfoot in pending_tfoot:
            self.process_row_group(tfoot)

    def process_colgroup(self, element: etree._Element) -> None:
        cols = [child for child in element if name(child) == "col"]
        if cols:
            xstart = self.xwidth
            for col in cols:
                self.xwidth += self.span_of(col)
            self.column_groups.append((xstart, self.xwidth - xstart, element))
        else:
            span = self.span_of(element)
            self.xwidth += span
            self.column_groups.append((self.xwidth - span, span, element))

    def span_of(self, element: etree._Element) -> int:
        value = parse_non_negative(element.get("span", ""))
        span = 1 if value is None or value == 0 else value
        return min(span, 1000)

    def process_row_group(self, element: etree._Element) -> None:
        ystart = self.yheight
        for child in element:
            if name(child) == "tr":
                self.process_row(child)
        if self.yheight > ystart:
            self.row_groups.append((ystart, self.yheight - ystart, element))
        self.end_row_group()

    def end_row_group(self) -> None:
        while self.ycurrent < self.yheight:
            self.grow()
            self.ycurrent += 1
        self.downward_growing = []

    def process_row(self, tr: etree._Element) -> None:
        if self.yheight == self.ycurrent:
            self.yheight += 1
        xcurrent = 0
        self.grow()
        for element in [child for child in tr if name(child) in ("td", "th")]:
            while xcurrent < self.xwidth and (xcurrent, self.ycurrent) in self.slots:
                xcurrent += 1
            if xcurrent == self.xwidth:
                self.xwidth += 1
            colspan = parse_non_negative(element.get("colspan", ""))
            if colspan is None or colspan == 0:
                colspan = 1
            if colspan > 1000:
                colspan = 1000
            rowspan = parse_non_negative(element.get("rowspan", ""))
            if rowspan is None:
                rowspan = 1
            if rowspan > 65534:
                rowspan = 65534
            if rowspan == 0:  # the document is not in quirks mode
                grows_downward = True
                rowspan = 1
            else:
                grows_downward = False
            if self.xwidth < xcurrent + colspan:
                self.xwidth = xcurrent + colspan
            if self.yheight < self.ycurrent + rowspan:
                self.yheight = self.ycurrent + rowspan
            cell = Cell(element, xcurrent, self.ycurrent, colspan, rowspan)
            self.cells.append(cell)
            for x in range(xcurrent, xcurrent + colspan):
                for y in range(self.ycurrent, self.ycurrent + rowspan):
                    self.slots.setdefault((x, y), []).append(cell)
            if grows_downward:
                self.downward_growing.append((cell, xcurrent, colspan))
            xcurrent += colspan
        self.ycurrent += 1

    def grow(self) -> None:
        for cell, cellx, width in self.downward_growing:
            cell.height = self.ycurrent - cell.y + 1
            for x in range(cellx, cellx + width):
                covering = self.slots.setdefault((x, self.ycurrent), [])
                if cell not in covering:
                    covering.append(cell)

    # ── headers ──────────────────────────────────────────────────────────────

    def headers_of(self, principal: Cell) -> list[Cell]:
        header_list: list[Cell] = []
        if principal.element.get("headers") is not None:
            for token in principal.element.get("headers", "").split():
                found = self.document.xpath("//*[@id = $id]", id=token)
                for cell in self.cells:
                    if found and cell.element is found[0] and cell is not principal:
                        header_list.append(cell)
        else:
            for y in range(principal.y, principal.y + principal.height):
                self.scan(principal, header_list, principal.x, y, -1, 0)
            for x in range(principal.x, principal.x + principal.width):
                self.scan(principal, header_list, x, principal.y, 0, -1)
            right = principal.x + principal.width - 1
            bottom = principal.y + principal.height - 1
            for start, height, _ in self.row_groups:
                if start <= principal.y < start + height:
                    header_list += [
                        cell
                        for cell in self.row_group_headers
                        if start <= cell.y < start + height and cell.x <= right and cell.y <= bottom
                    ]
            for start, width, _ in self.column_groups:
                if start <= principal.x < start + width:
                    header_list += [
                        cell
                        for cell in self.column_group_headers
                        if start <= cell.x < start + width and cell.x <= right and cell.y <= bottom
                    ]
        result: list[Cell] = []
        for cell in header_list:
            if not self.is_empty(cell) and cell not in result and cell is not principal:
                result.append(cell)
        return result

    def scan(
        self, principal: Cell, header_list: list[Cell], x: int, y: int, dx: int, dy: int
    ) -> None:
        opaque: list[Cell] = []
        in_block = principal.is_header
        block = [principal] if principal.is_header else []
        while True:
            x += dx
            y += dy
            if x < 0 or y < 0:
                return
            covering = self.slots.get((x, y), [])
            if len(covering) != 1:
                continue
            current = covering[0]
            if current.is_header:
                in_block = True
                block.append(current)
                if dx == 0:
                    blocked = any(
                        cell.x == current.x and cell.width == current.width for cell in opaque
                    ) or not self.is_column_header(current)
                else:
                    blocked = any(
                        cell.y == current.y and cell.height == current.height for cell in opaque
                    ) or not self.is_row_header(current)
                if not blocked:
                    header_list.append(current)
            elif in_block:
                in_block = False
                opaque += block
                block = []

    def scope(self, cell: Cell) -> str:
        if not cell.is_header:
            return ""
        value = cell.element.get("scope", "").lower()
        return value if value in ("row", "col", "rowgroup", "colgroup") else "auto"

    def _is_column_header(self, cell: Cell) -> bool:
        if self.scope(cell) != "auto":
            return self.scope(cell) == "col"
        return all(
            covering.is_header
            for y in range(cell.y, cell.y + cell.height)
            for x in range(self.xwidth)
            for covering in self.slots.get((x, y), [])
        )

    def _is_row_header(self, cell: Cell) -> bool:
        if self.scope(cell) != "auto":
            return self.scope(cell) == "row"
        return not self.is_column_header(cell) and all(
            covering.is_header
            for x in range(cell.x, cell.x + cell.width)
            for y in range(self.yheight)
            for covering in self.slots.get((x, y), [])
        )

    def is_empty(self, cell: Cell) -> bool:
        if any(isinstance(child.tag, str) for child in cell.element):
            return False
        text = (cell.element.text or "") + "".join(child.tail or "" for child in cell.element)
        return not text.strip(SPACE)
