"""Which rows of a table are the header of its columns, as a reader of the page sees it.

The standard says which header cells apply to which cell; it does not say where the header
ends and the data begin. What decides here, row by row from the top:

- A row of `th` is a header. A `th` that only stands where the rows below have their own `th`
  heads its row, and no column.
- A title (one label for the whole width) and a sub-heading (a `th` with nothing to its right)
  head what follows, and no column. What is empty may stand left of a label, as a corner.
- Labels get finer downwards: what spans several labels of the header is no part of it, what
  divides one of them is.
- A header has data below it.
"""

from __future__ import annotations

from functools import cached_property

from xmlfix.extract.grid import local_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from xmlfix.extract.grid import Cell, Grid

UNPRINTED: Final = "\u200b\u200c\u200d\u2060\ufeff"  # characters without width
_OF_ROWS: Final = frozenset(("row", "rowgroup"))
_BOLD: Final = frozenset(("b", "strong"))


def header_rows(grid: Grid) -> list[int]:
    """The rows that are headers of columns, and empty rows above and between them.

    Args:
        grid: of a table, its cells with their texts.

    >>> from xmlfix.extract.tables import tables
    >>> html = "<table><tr><td colspan=2>Teas<tr><th>Name<th>Price<tr><td>Assam<td>3"
    >>> tables(html)[0].header_rows
    [1]
    """
    return _Search(grid).found() if grid.height > 1 else []


class Row:
    """A row of the grid as the search for the header sees it.

    Attributes:
        y: its number.
        slots: the cell of each slot, None where a ragged row has none.
        cells: its cells from left to right, with those that reach into it from above.
        labels: those of them that say something.
        heads: the labels that are th, but for those that say that they are for rows.
        is_of_th: whether it has cells, and all are th, none for rows.
        says_th_only: whether all its labels are heads, and it has some.
    """

    __slots__ = ("cells", "heads", "is_of_th", "labels", "says_th_only", "slots", "y")

    def __init__(self, slots: list[Cell | None], y: int) -> None:
        self.y = y
        self.slots = slots
        self.cells = list(dict.fromkeys([cell for cell in slots if cell is not None]))
        self.labels = [cell for cell in self.cells if _says(cell)]
        self.heads = [cell for cell in self.labels if _is_head(cell)]
        self.is_of_th = bool(self.cells) and all(map(_is_head, self.cells))
        self.says_th_only = bool(self.labels) and len(self.heads) == len(self.labels)

    def is_title(self) -> bool:
        """Whether its only label is at its left and heads no column.

        That is a th with nothing to its right, or a td that is alone.
        """
        if len(self.slots) < 2 or len(self.labels) != 1 or self.labels[0].x:
            return False
        return self.labels[0].is_header or len(self.cells) == 1

    def begins(self) -> bool:
        """Whether its first slot says something."""
        return bool(self.labels) and self.labels[0].x == 0

    def has_gap(self) -> bool:
        """Whether an empty td stands to the right of the first th that says something."""
        first = next((cell.x for cell in self.labels if cell.is_header), len(self.slots))
        return any(
            not cell.is_header and cell.x > first and cell.y == self.y for cell in self.cells
        )

    def is_bold(self) -> bool:
        """Whether all its labels look like th: each td is bold as a whole, and there are some."""
        data = [cell for cell in self.labels if not cell.is_header]
        return bool(data) and all(map(_is_bold, data))


def _says(cell: Cell) -> bool:
    return bool(cell.text.strip(UNPRINTED))


def _has_digit(cell: Cell) -> bool:
    return any(char.isdecimal() for char in cell.text)


def _is_record(cells: list[Cell], named: list[Cell | None]) -> bool:
    """Whether th read like data: they have digits, and the labels above them have none."""
    above = [named[cell.x] for cell in cells]
    return any(map(_has_digit, cells)) and not any(
        label is None or _has_digit(label) for label in above
    )


def _is_head(cell: Cell) -> bool:
    return cell.is_header and cell.scope not in _OF_ROWS


def _is_td(cell: Cell | None) -> bool:
    return cell is not None and not cell.is_header


def _is_bold(cell: Cell) -> bool:
    inner = cell.element
    while local_name(inner) not in _BOLD:
        elements = [child for child in inner if isinstance(child.tag, str)]
        said = (inner.text or "") + "".join([child.tail or "" for child in inner])
        if len(elements) != 1 or said.strip():
            return False
        inner = elements[0]
    return True


class _Search:
    """The search for the header of one table."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.known: dict[int, Row] = {}
        # tfoot comes last, and is no header even if it repeats it
        self.end = next((g.y for g in grid.row_groups if g.name == "tfoot"), grid.height)

    def row(self, y: int) -> Row:
        if y not in self.known:
            self.known[y] = Row(self.grid.row(y), y)
        return self.known[y]

    def rows(self, start: int, end: int | None = None) -> Iterator[Row]:
        return map(self.row, range(start, self.grid.height if end is None else end))

    def found(self) -> list[int]:
        """The numbers of the rows of the header."""
        for group in self.grid.row_groups:
            if group.name == "thead" and group.height < self.grid.height:
                given = list(self.rows(group.y, group.y + group.height))
                return self.with_data(self.extended(given), given)
        first = self.first()
        if first is None:
            return []
        block = self.above(first)
        titled = any(row.labels for row in block[:-1])
        return self.with_data(self.extended(block), [] if titled else [first])

    def with_data(self, block: list[Row], least: list[Row]) -> list[int]:
        """The numbers of the rows of the header, or of the least of it, if others are left."""
        for rows in (block, least):
            if rows and (
                rows[-1].y + 1 < self.grid.height
                or any(row.labels and not row.is_title() for row in self.rows(0, rows[0].y))
            ):
                return [row.y for row in rows]
        return []

    # ── where it begins ──────────────────────────────────────────────────────

    def first(self) -> Row | None:
        """The first row of the header, titles left aside; None if the table has none."""
        titles: list[Row] = []
        first = None
        for row in self.rows(0, self.end):
            if row.is_title():
                titles.append(row)
            elif row.labels or (len(row.cells) > 1 and row.is_of_th):
                first = row
                break
        if first is None:
            return self.first_of_titles(titles)
        if not first.heads:
            below = next((row for row in self.rows(first.y + 1, self.end) if row.labels), None)
            if below is not None and below.says_th_only and len(below.heads) > len(first.labels):
                return below if self.heads_columns(below) else None
        if any(cell.is_header for cell in first.cells):
            return first if self.heads_columns(first) else None
        return self.first_of_td(first, titles)

    def first_of_td(self, first: Row, titles: list[Row]) -> Row | None:
        """What is the header where the first row after the titles is of td."""
        if any(title.heads for title in titles):
            heads = (self.heads_columns, self.stands_out, self.reads_as_labels)
            return first if any(test(first) for test in heads) else self.first_of_titles(titles)
        if titles and len(first.labels) < 2:
            return self.first_of_titles(titles)
        if not any(row.labels for row in self.rows(first.y + 1)):
            return None
        if self.has_th and not any(
            row.labels and not row.is_title() for row in self.rows(first.y + 1, self.end)
        ):
            return None
        return first

    def first_of_titles(self, titles: list[Row]) -> Row | None:
        """What is the header where only rows of one label stand before the data, or none do."""
        if not titles:
            return None if self.has_th else self.row(0)
        first = titles[0]
        if not first.labels[0].is_header:
            return first if len(titles) > 1 and not self.has_th else None
        alone = first.labels[0].width == 1 and first.is_of_th
        return first if alone and not self.has_companion(first) else None

    def heads_columns(self, row: Row) -> bool:
        """Whether a row with th is one of column headers, judged by the rows below it."""
        if row.is_of_th or (row.says_th_only and not row.has_gap()):
            return True
        if len(row.labels) > 2 and self.stands_out(row):
            return True
        if not row.heads:  # th that say nothing; td where the rows below have th, or a corner
            below = self.next_label(row)
            return any(
                self.balance(cell.x, row.y) > 0 for cell in row.labels if not cell.is_header
            ) or (below is not None and below.slots[0] in below.heads and not row.begins())
        return any(self.balance(x, row.y) < 0 for cell in row.heads for x in _columns(cell))

    def stands_out(self, row: Row) -> bool:
        """Whether a row is bold, and the next one that says something is not."""
        below = self.next_label(row)
        return row.is_bold() and below is not None and not below.is_bold()

    def reads_as_labels(self, row: Row) -> bool:
        """Whether a row has several labels without digits, and the next one has digits."""
        below = self.next_label(row)
        return (
            len(row.labels) > 2
            and not any(map(_has_digit, row.labels))
            and below is not None
            and any(map(_has_digit, below.labels))
        )

    def next_label(self, row: Row) -> Row | None:
        """The next row that says something and is no title."""
        rows = self.rows(row.y + 1)
        return next((one for one in rows if one.labels and not one.is_title()), None)

    def balance(self, x: int, y: int) -> int:
        """How many more rows below one have a th than a td in a column.

        Only rows that have td and more than one cell are asked: rows of th may repeat the
        header.
        """
        balance = self.balances[x]
        for row in self.bodies:
            if row.y > y:
                break
            balance -= _weight(row.slots[x])
        return balance

    @cached_property
    def balances(self) -> list[int]:
        """The balance of each column, for the whole table."""
        balances = [0] * self.grid.width
        for row in self.bodies:
            for x, cell in enumerate(row.slots):
                balances[x] += _weight(cell)
        return balances

    @cached_property
    def bodies(self) -> list[Row]:
        """The rows with several cells, td among them."""
        return [
            row
            for row in self.rows(0)
            if len(row.cells) > 1 and not all(cell.is_header for cell in row.cells)
        ]

    @cached_property
    def has_th(self) -> bool:
        return any(cell.is_header for cell in self.grid.cells)

    def has_companion(self, title: Row) -> bool:
        """Whether another title of th stands below one: both are of sections."""
        return any(
            row.is_title() and row.is_of_th and row.labels[0].y == row.y
            for row in self.rows(title.y + 1)
        )

    def above(self, first: Row) -> list[Row]:
        """The first row, and what of the rows above it belongs to the header.

        That is empty rows, and a th that spans all labels below it and is of no section, or
        that stands above no label at all.
        """
        start = first.y
        while start > 0:
            row = self.row(start - 1)
            if row.labels:
                if not row.is_of_th or self.has_companion(row):
                    break
                label = row.labels[0]
                fills = len(row.cells) > 1 and first.slots[label.x] not in (None, *first.labels)
                if label.width == 1 and not fills:
                    break
            start -= 1
        return list(self.rows(start, first.y + 1))

    # ── where it ends ────────────────────────────────────────────────────────

    def extended(self, block: list[Row]) -> list[Row]:
        """The rows of the header, and those below that continue it."""
        block = list(block)
        named: list[Cell | None] = [None] * self.grid.width  # the lowest label of each column
        several = False
        at = 0
        while True:
            for row in block[at:]:
                several = several or len(row.labels) > 1
                for cell in row.labels:
                    named[cell.x : cell.x + cell.width] = [cell] * cell.width
            at = len(block)
            if block[-1].y + 1 >= self.end:
                return block
            row = self.row(block[-1].y + 1)
            if not self.continues(block, row, named, several):
                return block
            block.append(row)

    def continues(
        self, block: list[Row], row: Row, named: list[Cell | None], several: bool
    ) -> bool:
        """Whether a row right below the header belongs to it.

        Args:
            block: the rows of the header.
            row: the next one.
            named: for each column the lowest label of the header.
            several: whether a row of the header has several labels.
        """
        new = [cell for cell in row.labels if cell.y == row.y]
        if not new:
            return row.is_of_th
        tied = not {cell for cell in row.labels if cell.y < row.y}.isdisjoint(block[-1].labels)
        divides = tied and all(_divides(cell, named[cell.x]) for cell in new)
        if not all(cell.is_header for cell in new):
            return divides or self.has_scoped_heads(row) or self.is_under_corner(block, row)
        if not all(map(_is_head, new)):
            return False
        if divides:
            return True
        if several and row.is_title():
            return False
        if any(len({named[x] for x in _columns(cell)} - {None}) > 1 for cell in new):
            return False
        if row.has_gap() and not tied:
            return False
        if not any(_divides(cell, named[cell.x]) for cell in new) and (
            _is_record(new, named) or any(_is_td(named[cell.x]) for cell in new)
        ):
            return False
        ragged = row.slots[-1] is None
        return not ragged or not all(self.balance(cell.x, row.y) > 0 for cell in new)

    def has_scoped_heads(self, row: Row) -> bool:
        """Whether it is td up to th that all say that they are for columns."""
        heads = row.heads
        return (
            bool(heads)
            and all(head.scope != "auto" for head in heads)
            and all(cell.is_header or cell.x < heads[0].x for cell in row.labels)
        )

    def is_under_corner(self, block: list[Row], row: Row) -> bool:
        """Whether a table without th goes on with labels right of an empty corner.

        The next rows with data, or most of them, begin with a label.
        """
        if self.has_th or row.begins() or any(one.begins() for one in block):
            return False
        below = [one for one in self.rows(row.y + 1) if one.labels and not one.is_title()]
        first = next((at for at, one in enumerate(below) if one.begins()), len(below))
        return first <= 2 and sum(one.begins() for one in below) * 2 > len(below)


def _columns(cell: Cell) -> range:
    return range(cell.x, cell.x + cell.width)


def _weight(cell: Cell | None) -> int:
    if cell is None:
        return 0
    return 1 if cell.is_header else -1


def _divides(cell: Cell, above: Cell | None) -> bool:
    """Whether a cell stands for a part of the label above it."""
    return (
        above is not None
        and above.x <= cell.x
        and cell.x + cell.width <= above.x + above.width
        and cell.width < above.width
    )
