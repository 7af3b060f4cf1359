"""The standard's table model: which cell covers which slot, and which headers apply to it.

`Grid` is the algorithm "forming a table"; `Grid.headers_of` the one for assigning header
cells. Both give what the standard's own steps give, in time linear in the slots: the steps
walk from each cell to the edge of the table, `_Lines` walks each row and column once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from xmlfix.errors import LimitError
from xmlfix.write import well_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, TypeAlias

    from xmlfix.tree import Element

    Key: TypeAlias = tuple[int, int]  # where a header begins across the line, and how wide it is
    Slot: TypeAlias = "Cell | list[Cell] | None"  # a list where cells overlap

MAX_CELLS: Final = 2_000_000  # slots that cells may cover in the tables of one document
MAX_COLSPAN: Final = 1000
MAX_ROWSPAN: Final = 65534
XHTML: Final = f"{{{well_known.XHTML}}}"
SPACE: Final = " \t\n\f\r"  # ASCII white space
SCOPES: Final = {"row": "row", "col": "col", "rowgroup": "rowgroup", "colgroup": "colgroup"}

_INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?)0*([0-9]+)").match


def non_negative(text: str | None, default: int, most: int) -> int:
    """A span attribute's number, clamped.

    Args:
        text: the attribute's value, None where it is absent.
        default: what stands for an absent value or one that is no number.
        most: what stands for any larger number.

    Source: WHATWG #rules-for-parsing-non-negative-integers.

    >>> [non_negative(text, 1, 1000) for text in ("3", " +2px", "100%", "1.5", "-1", "", "9999")]
    [3, 2, 100, 1, 1, 1, 1000]
    """
    found = _INTEGER(text or "")
    if found is None or (found[1] == "-" and found[2] != "0"):
        return default
    digits = found[2]
    return min(int(digits), most) if len(digits) < 9 else most


def local_name(element: Element) -> str:
    """The name of an HTML element, with or without its namespace; "" for anything else.

    >>> from lxml import etree
    >>> local_name(etree.fromstring('<td xmlns="http://www.w3.org/1999/xhtml"/>'))
    'td'
    """
    tag = element.tag
    if not isinstance(tag, str):  # a comment or processing instruction
        return ""
    if tag[0] == "{":
        return tag[len(XHTML) :] if tag.startswith(XHTML) else ""
    return tag


class Cell:
    """A cell of a table: a td or th element, and the slots that it covers.

    Attributes:
        element: the lxml element.
        x, y: its first slot: column and row, from 0.
        width, height: in slots.
        is_header: whether it is a th.
        scope: "row", "col", "rowgroup", "colgroup", or "auto".
        text: what it says, as one str.
        links: (text, href) of the links in it.
        group: the number of its row group in `Grid.row_groups`, or -1.

    Source: WHATWG #concept-cell.
    """

    __slots__ = (
        "element", "group", "height", "is_header", "links", "scope", "text", "width", "x", "y",
    )  # fmt: skip

    def __init__(self, element: Element, x: int, y: int, width: int, height: int) -> None:
        self.element = element
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.is_header = local_name(element) == "th"
        self.scope = "auto"
        if self.is_header:
            self.scope = SCOPES.get((element.get("scope") or "").lower(), "auto")
        self.text = ""
        self.links: list[tuple[str, str]] = []
        self.group = -1

    def __repr__(self) -> str:
        kind = "th" if self.is_header else "td"
        return f"<{kind} {self.width}x{self.height} at ({self.x}, {self.y}): {self.text!r}>"

    def is_empty(self) -> bool:
        """Whether it holds no element and no text but white space (WHATWG #empty-cell)."""
        for child in self.element:
            if isinstance(child.tag, str) or (child.tail or "").strip(SPACE):
                return False
        return not (self.element.text or "").strip(SPACE)


class Budget:
    """How many slots the tables of one document may still fill.

    Args:
        most: the number at the outset.
    """

    __slots__ = ("left", "most")

    def __init__(self, most: int = MAX_CELLS) -> None:
        self.most = most
        self.left = most

    def take(self, slots: int) -> None:
        """Take some.

        Raises:
            LimitError: there are not as many left.
        """
        self.left -= slots
        if self.left < 0:
            raise LimitError(f"the tables have more than {self.most} cells (max_cells)")


class Group:
    """A row group: thead, tbody or tfoot, and its rows from `y` on, `height` of them."""

    __slots__ = ("element", "height", "name", "y")

    def __init__(self, element: Element, y: int, height: int) -> None:
        self.element = element
        self.name = local_name(element)
        self.y = y
        self.height = height


class Grid:
    """A table as the standard forms it.

    Args:
        table: the table element.
        budget: what its slots are taken from.
        left_out: which row groups, rows and cells are taken to be absent; none unless given.

    Attributes:
        width, height: in slots.
        cells: in the order in which they are met; tfoot comes last.
        rows: for each row its slots: a Cell, None, or a list of the cells that overlap there,
            in the order in which they are met. A row may be shorter than the table is wide.
        row_elements: for each row its tr, None where a rowspan alone makes the row.
        row_groups: in display order.
        column_groups: (x, width) of each.

    Raises:
        LimitError: the budget is exhausted.

    Deviates: `rowspan=0` grows downward in quirks mode as well, where the standard's steps
        give the cell no slot at all, because its text would be lost and browsers show it.

    Source: WHATWG #forming-a-table.
    """

    def __init__(
        self,
        table: Element,
        budget: Budget,
        left_out: Callable[[Element], bool] = lambda element: False,
    ) -> None:
        self.width = 0
        self.height = 0
        self.cells: list[Cell] = []
        self.rows: list[list[Slot]] = []
        self.row_elements: list[Element | None] = []
        self.row_groups: list[Group] = []
        self.column_groups: list[tuple[int, int]] = []
        self._budget = budget
        self._left_out = left_out
        self._current = 0  # "ycurrent"
        self._growing: list[Cell] = []  # "downward-growing cells"
        self._form(table)
        budget.take(max(0, self.width * max(self.height, 1) - sum(map(len, self.rows))))

    # ── forming ──────────────────────────────────────────────────────────────

    def _form(self, table: Element) -> None:
        parts = [(local_name(child), child) for child in table]
        first = next(
            (at for at, (name, _) in enumerate(parts) if name in ("thead", "tbody", "tfoot", "tr")),
            len(parts),
        )
        for name, child in parts[:first]:
            if name == "colgroup":
                self._column_group(child)
        pending = []
        for name, child in parts[first:]:
            if name not in ("thead", "tbody", "tfoot", "tr") or self._left_out(child):
                continue
            if name == "tr":
                self._row(child)
            else:
                self._end_row_group()
                if name == "tfoot":
                    pending.append(child)
                else:
                    self._row_group(child)
        for child in pending:
            self._row_group(child)

    def _column_group(self, element: Element) -> None:
        columns = [child for child in element if local_name(child) == "col"]
        start = self.width
        for column in columns or [element]:
            self.width += max(non_negative(column.get("span"), 1, MAX_COLSPAN), 1)
        self.column_groups.append((start, self.width - start))

    def _row_group(self, element: Element) -> None:
        start = self.height
        first = len(self.cells)
        for child in element:
            if local_name(child) == "tr" and not self._left_out(child):
                self._row(child)
        if self.height > start:
            for cell in self.cells[first:]:
                if cell.y >= start:
                    cell.group = len(self.row_groups)
            self.row_groups.append(Group(element, start, self.height - start))
        self._end_row_group()

    def _end_row_group(self) -> None:
        while self._current < self.height:
            self._grow()
            self._current += 1
        self._growing.clear()

    def _grow(self) -> None:
        for cell in self._growing:
            if self._current >= cell.y + cell.height:
                cell.height += 1
                self._cover(cell, self._current, 1)

    def _row(self, element: Element) -> None:
        if self.height == self._current:
            self._make_rows(self._current + 1)
        self.row_elements[self._current] = element
        x = 0
        self._grow()
        row = self.rows[self._current]
        for child in element:
            if local_name(child) not in ("td", "th") or self._left_out(child):
                continue
            while x < len(row) and row[x] is not None:
                x += 1
            width = max(non_negative(child.get("colspan"), 1, MAX_COLSPAN), 1)
            height = non_negative(child.get("rowspan"), 1, MAX_ROWSPAN)
            cell = Cell(child, x, self._current, width, max(height, 1))
            self.width = max(self.width, x + width)
            self._budget.take(width * cell.height)
            self._make_rows(self._current + cell.height)
            self._cover(cell, cell.y, cell.height)
            self.cells.append(cell)
            if height == 0:
                self._growing.append(cell)
            x += width
        self._current += 1

    def _make_rows(self, height: int) -> None:
        if height > self.height:
            more = height - self.height
            self.rows.extend([[] for _ in range(more)])
            self.row_elements.extend([None] * more)
            self.height = height

    def _cover(self, cell: Cell, y: int, height: int) -> None:
        """Cover some rows of slots, which the budget has been asked for if they are the first."""
        start = cell.x
        if y > cell.y:
            self._budget.take(cell.width * height)
        for row in self.rows[y : y + height]:
            end = len(row)
            if start > end:
                self._budget.take(start - end)
                row.extend([None] * (start - end))
            elif start < end:
                for x in range(start, min(start + cell.width, end)):
                    there = row[x]
                    if there is None:
                        row[x] = cell
                    elif isinstance(there, list):
                        there.append(cell)
                    else:
                        row[x] = [there, cell]
            row.extend([cell] * (start + cell.width - max(start, end)))

    # ── reading ──────────────────────────────────────────────────────────────

    def at(self, x: int, y: int) -> list[Cell]:
        """The cells that cover a slot: usually one; none in a ragged row; several that overlap."""
        row = self.rows[y]
        there = row[x] if x < len(row) else None
        if there is None:
            return []
        return there if isinstance(there, list) else [there]

    def row(self, y: int) -> list[Cell | None]:
        """The cell of each slot of a row; the first to take it where cells overlap."""
        cells = [there[0] if isinstance(there, list) else there for there in self.rows[y]]
        return cells + [None] * (self.width - len(cells))

    # ── headers ──────────────────────────────────────────────────────────────

    def is_column_header(self, cell: Cell) -> bool:
        """Whether a header cell is one for its columns (WHATWG #column-header)."""
        if cell.scope != "auto":
            return cell.scope == "col"
        data = self._data[0]
        return data[cell.y + cell.height] == data[cell.y]

    def is_row_header(self, cell: Cell) -> bool:
        """Whether a header cell is one for its rows (WHATWG #row-header)."""
        if cell.scope != "auto":
            return cell.scope == "row"
        data = self._data[1]
        return not self.is_column_header(cell) and data[cell.x + cell.width] == data[cell.x]

    def headers_of(self, principal: Cell, ids: dict[str, Element]) -> list[Cell]:
        """The header cells that apply to a cell, without duplicates, nearest first.

        Args:
            principal: a cell of this table.
            ids: the first element of the document with each id, where a cell has `headers`.

        Source: WHATWG #algorithm-for-assigning-header-cells.
        """
        found: dict[int, Cell] = {}
        named = principal.element.get("headers")
        if named is not None:
            for token in named.translate(_SPACES).split(" "):
                element = ids.get(token)
                if element is not None and element in self._by_element:
                    cell = self._by_element[element]
                    found[id(cell)] = cell
        else:
            rows, columns = self._lines
            is_header = principal.is_header
            row_key = (principal.y, principal.height)
            column_key = (principal.x, principal.width)
            for y in range(principal.y, principal.y + principal.height):
                for cell in rows.headers(y, principal.x, row_key if is_header else None):
                    found[id(cell)] = cell
            for x in range(principal.x, principal.x + principal.width):
                for cell in columns.headers(x, principal.y, column_key if is_header else None):
                    found[id(cell)] = cell
            for cell in self._group_headers(principal):
                found[id(cell)] = cell
        found.pop(id(principal), None)
        return [cell for cell in found.values() if not cell.is_empty()]

    def _group_headers(self, principal: Cell) -> Iterator[Cell]:
        right = principal.x + principal.width - 1
        bottom = principal.y + principal.height - 1
        by_rows, by_columns = self._scoped
        if principal.group >= 0:
            for cell in by_rows.get(principal.group, ()):
                if cell.x <= right and cell.y <= bottom:
                    yield cell
        group = self._column_group_of(principal.x)
        if group >= 0:
            for cell in by_columns.get(group, ()):
                if cell.x <= right and cell.y <= bottom:
                    yield cell

    def _column_group_of(self, x: int) -> int:
        at = bisect_right(self.column_groups, x, key=lambda group: group[0]) - 1
        return at if at >= 0 and x < sum(self.column_groups[at]) else -1

    @cached_property
    def _scoped(self) -> tuple[dict[int, list[Cell]], dict[int, list[Cell]]]:
        """The headers of row groups and of column groups, by the group's number."""
        by_rows: dict[int, list[Cell]] = {}
        by_columns: dict[int, list[Cell]] = {}
        for cell in self.cells:
            if cell.scope == "rowgroup":
                by_rows.setdefault(cell.group, []).append(cell)
            elif cell.scope == "colgroup":
                by_columns.setdefault(self._column_group_of(cell.x), []).append(cell)
        return by_rows, by_columns

    @cached_property
    def _by_element(self) -> dict[Element, Cell]:
        return {cell.element: cell for cell in self.cells}

    @cached_property
    def _data(self) -> tuple[list[int], list[int]]:
        """For each row and each column, how many before it hold a data cell."""
        data = [cell for cell in self.cells if not cell.is_header]
        return (
            _counts(self.height, [(cell.y, cell.height) for cell in data]),
            _counts(self.width, [(cell.x, cell.width) for cell in data]),
        )

    @cached_property
    def _lines(self) -> tuple[_Lines, _Lines]:
        """The headers along the rows, and along the columns."""
        across = _Lines()
        down = _Lines()
        headers = [cell for cell in self.cells if cell.is_header]
        if headers:
            of_rows = {cell for cell in headers if self.is_row_header(cell)}
            of_columns = {cell for cell in headers if self.is_column_header(cell)}
            for y, row in enumerate(self.rows):
                for x, there in enumerate(row):
                    if isinstance(there, Cell):
                        across.meet(y, x, there, (there.y, there.height), there in of_rows)
                        down.meet(x, y, there, (there.x, there.width), there in of_columns)
        return across, down


_SPACES = str.maketrans(dict.fromkeys(SPACE, " "))


def _counts(count: int, runs: Iterable[Key]) -> list[int]:
    """For each of `count` lines and the end, how many lines before it are in one of the runs."""
    change = [0] * (count + 1)
    for start, length in runs:
        change[start] += 1
        change[start + length] -= 1
    before = [0]
    cells = 0
    for line in range(count):
        cells += change[line]
        before.append(before[-1] + (cells > 0))
    return before


class _Event:
    """A header met along a line, as an entry of a list that shares its tail.

    `cell` is None for one that no cell of the line is assigned, but that hides those of its
    `key` beyond the next data cell.
    """

    __slots__ = ("before", "block", "cell", "key", "length")

    def __init__(self, cell: Cell | None, key: Key, block: int, before: _Event | None) -> None:
        self.cell = cell
        self.key = key
        self.block = block
        self.before = before
        self.length: int = 1 if before is None else before.length + 1


class _Lines:
    """The headers along all rows (or all columns), for "scanning and assigning header cells".

    Seen from a cell back to the edge, a line is blocks of headers parted by data cells. A
    header counts unless a nearer block has one with the same place and width ("opaque"); so
    for each place and width only the nearest block matters, and cells between which no header
    stands see the same.
    """

    __slots__ = ("_blocks", "_places", "_pushed", "_states")

    def __init__(self) -> None:
        # by line: places from which on another state holds; the state: the newest event, and
        # the block that is open, 0 once a data cell has ended it
        self._places: dict[int, list[int]] = {}
        self._states: dict[int, list[tuple[_Event, int]]] = {}
        self._blocks = 0
        self._pushed: dict[int, int] = {}  # by line: events since it was last pruned

    def meet(self, line: int, place: int, cell: Cell, key: Key, counts: bool) -> None:
        """Take the only cell of the next slot of a line into account.

        Args:
            line, place: of the slot; `place` runs along the line.
            cell: the cell.
            key: where the cell begins across the line, and how wide it is there.
            counts: whether it is a header for this direction.
        """
        states = self._states.get(line)
        newest, block = states[-1] if states else (None, 0)
        if not cell.is_header:
            if block and newest is not None:
                self._note(line, place + 1, (newest, 0))
            return
        event = cell if counts else None
        if block and newest is not None and newest.key == key and newest.cell is event:
            return  # the same cell's next slot, or one that hides what is hidden already
        if not block:
            self._blocks += 1
            block = self._blocks
        newest = _Event(event, key, block, newest)
        self._pushed[line] = self._pushed.get(line, 0) + 1
        if self._pushed[line] * 2 > newest.length + 16:
            newest = self._pruned(newest)
            self._pushed[line] = 0
        self._note(line, place + 1, (newest, block))

    def _note(self, line: int, place: int, state: tuple[_Event, int]) -> None:
        self._places.setdefault(line, []).append(place)
        self._states.setdefault(line, []).append(state)

    @staticmethod
    def _pruned(newest: _Event) -> _Event:
        """The same without the events that nearer ones hide."""
        kept = list(_visible(newest, {}))
        chain = None
        for event in reversed(kept):
            chain = _Event(event.cell, event.key, event.block, chain)
        return chain or newest

    def headers(self, line: int, place: int, key: Key | None) -> Iterator[Cell]:
        """The headers that a cell is assigned when the line is scanned back from a place.

        Args:
            line, place: where the cell begins.
            key: that of the cell if it is itself a header, else None.
        """
        places = self._places.get(line)
        if places is None:
            return
        at = bisect_right(places, place) - 1
        if at < 0:
            return
        newest, block = self._states[line][at]
        nearest: dict[Key, int] = {}
        if key is not None:  # the cell is itself in the nearest block
            nearest[key] = block
        for event in _visible(newest, nearest):
            if event.cell is not None:
                yield event.cell


def _visible(newest: _Event | None, nearest: dict[Key, int]) -> Iterator[_Event]:
    """The events of which no nearer block has the key; one of each run that only hides."""
    hiding = set()
    event = newest
    while event is not None:
        if nearest.setdefault(event.key, event.block) == event.block and (
            event.cell is not None or event.key not in hiding
        ):
            if event.cell is None:
                hiding.add(event.key)
            yield event
        event = event.before
