"""Tables of a page, each as a regular grid with its headers."""

from __future__ import annotations

import re
from functools import cache, cached_property
from operator import attrgetter

from lxml import etree

from xmlfix.errors import LimitError, OptionError
from xmlfix.extract.cell_text import TextReader
from xmlfix.extract.grid import MAX_CELLS, XHTML, Budget, Cell, Grid, local_name
from xmlfix.extract.header import UNPRINTED, header_rows
from xmlfix.extract.hidden import HiddenParts
from xmlfix.extract.query import element_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final, Literal, TypeAlias, Unpack

    from xmlfix.extract.query import Source
    from xmlfix.options import Settings
    from xmlfix.tree import Element

    Index: TypeAlias = int | str

MAX_TEXT: Final = 500_000_000  # characters in all slots of the tables of one document
SPANS: Final = ("repeat", "first", "auto")
_SIDES: Final = frozenset(("row", "rowgroup", "auto"))


class Table:
    """A table of a page.

    Attributes:
        address: "2" is the second table of the page that lies in no other, "2.1" the first
            one within that.
        caption: the text of its caption, or "".
        element: the lxml element.
        width, height: of the grid, in slots.
        cells: every cell, with its slots; those of tfoot come last.
        header_rows: the rows of the grid, from 0, that are headers of columns, with empty rows
            above and between them.

    Source: WHATWG #table-processing-model.

    >>> html = "<table><tr><th rowspan=2>Tea<th colspan=2>Cups<tr><th>S<th>L<tr><td>A<td>1<td>2"
    >>> table = tables(html)[0]
    >>> table.columns, table.grid[1]
    (['Tea', 'Cups / S', 'Cups / L'], ['Tea', 'S', 'L'])
    """

    def __init__(
        self,
        element: Element,
        address: str,
        grid: Grid,
        *,
        caption: str = "",
        header: int | None = None,
        spans: str = "repeat",
        join: str = " / ",
        implied_rows: str = "keep",
        ids: Callable[[], dict[str, Element]] = dict,
        reader: TextReader | None = None,
    ) -> None:
        self.element = element
        self.address = address
        self.caption = caption
        self.width = grid.width
        self.height = grid.height
        self.cells = grid.cells
        self._grid = grid
        self._spans = spans
        self._join = join
        self._implied_rows = implied_rows
        self._ids = ids
        self._reader = reader or TextReader()
        if header is None:
            self.header_rows = header_rows(grid)
        else:
            self.header_rows = list(range(min(header, grid.height)))

    def __repr__(self) -> str:
        return f"<Table {self.address}: {self.width} columns, {self.height} rows>"

    # ── the grid ─────────────────────────────────────────────────────────────

    @property
    def slots(self) -> list[list[Cell | None]]:
        """The cell that covers each slot; None in a ragged row; the first where cells overlap."""
        return [self._grid.row(y) for y in range(self.height)]

    @property
    def grid(self) -> list[list[str]]:
        """The text of each slot, all rows equally long; `spans` says what spanned slots hold."""
        return [self._row(y) for y in range(self.height)]

    @property
    def rows(self) -> list[list[str]]:
        """The grid without the header rows, and without implied rows if these are dropped."""
        return [self._row(y) for y in self._body]

    def escaped(self, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
        """`columns` and `rows` with their text escaped, but for the brackets of links."""
        reader = self._reader.escaping(escape)
        texts: dict[Cell, str] = {}

        def text(cell: Cell) -> str:
            if not reader.writes_links:
                return escape(cell.text)
            if cell not in texts:
                texts[cell] = reader.read(cell.element)
            return texts[cell]

        return self._columns(text, escape(self._join)), [self._row(y, text) for y in self._body]

    @cached_property
    def _body(self) -> list[int]:
        """The rows of the grid that `rows` has."""
        heads = set(self.header_rows)
        elements = self._grid.row_elements
        return [
            y
            for y in range(self.height)
            if y not in heads and (self._implied_rows == "keep" or elements[y] is not None)
        ]

    def cells_at(self, x: int, y: int) -> list[Cell]:
        """The cells that cover a slot: more than one where the page has them overlap."""
        return list(self._grid.at(x, y))

    def _row(self, y: int, text: Callable[[Cell], str] = attrgetter("text")) -> list[str]:
        out = []
        for x, cell in enumerate(self._grid.row(y)):
            if cell is None:
                out.append("")
            elif cell.x == x and cell.y == y:
                out.append(text(cell))
            elif self._spans == "first" or (
                self._spans == "auto" and cell.is_header and cell.y != y
            ):
                out.append("")
            else:
                out.append(text(cell))
        return out

    # ── headers ──────────────────────────────────────────────────────────────

    def headers(self, cell: Cell) -> list[Cell]:
        """The header cells that the standard assigns to a cell, nearest first.

        Source: WHATWG #algorithm-for-assigning-header-cells.
        """
        return self._grid.headers_of(cell, self._ids() if "headers" in cell.element.attrib else {})

    @cached_property
    def columns(self) -> list[str]:
        """The header path of each column: the labels above it, joined; "" if there is none."""
        return self._columns(attrgetter("text"), self._join)

    def _columns(self, text: Callable[[Cell], str], join: str) -> list[str]:
        heads = [self._grid.row(y) for y in self.header_rows]
        named = self._named_headers() if heads else {}
        paths = [named.get(x) or [row[x] for row in heads] for x in range(self.width)]
        return [self._path(path, text, join) for path in paths]

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns in records, all different.

        A column without header has its number, from 1; the second of the same name gets ` (2)`.
        """
        used: set[str] = set()
        counts: dict[str, int] = {}
        out = []
        for x, path in enumerate(self.columns):
            base = name = path or str(x + 1)
            while name in used:
                counts[base] = counts.get(base, 1) + 1
                name = f"{base} ({counts[base]})"
            used.add(name)
            out.append(name)
        return out

    @cached_property
    def row_headers(self) -> list[str]:
        """The header path of each row of `rows`: its row headers, joined; "" if there is none.

        They are those that the standard assigns to the row's data cells (headers in the row,
        of its row group, and titles of sections, which apply to the whole row), and whatever
        header cells the row begins with.
        """
        heads = set(self.header_rows)
        assigned: dict[Cell, list[Cell]] = {}
        out = []
        for y in self._body:
            data = dict.fromkeys(
                cell for cell in self._grid.row(y) if cell is not None and not cell.is_header
            )
            counts: dict[Cell, int] = {}
            for cell in data:
                if cell not in assigned:
                    assigned[cell] = self.headers(cell)
                for head in assigned[cell]:
                    counts[head] = counts.get(head, 0) + 1
            found = [
                head
                for head, count in counts.items()
                if head.y not in heads
                and (
                    head.y <= y < head.y + head.height
                    or (count == len(data) and not self._grid.is_row_header(head))
                )
            ]
            found += [cell for cell in self._first_headers(y) if cell not in counts]
            found.sort(key=lambda head: (head.x, head.y))
            out.append(self._path(found, attrgetter("text"), self._join))
        return out

    def _first_headers(self, y: int) -> list[Cell]:
        """The header cells that a row with data begins with, unless they are for columns.

        The standard has none of them be a row header if the corner above them is a td.
        """
        found: list[Cell] = []
        for cell in self._grid.row(y):
            if cell is not None and not cell.is_header:
                return found
            if cell is not None and cell.scope in _SIDES:
                found.append(cell)
        return []

    def _named_headers(self) -> dict[int, list[Cell | None]]:
        """For columns whose data cells all name the same headers in the header rows: those."""
        heads = set(self.header_rows)
        found: dict[int, list[Cell | None] | None] = {}
        for cell in self.cells:
            if cell.is_header or cell.y in heads:
                continue
            named: list[Cell | None] | None = None
            if "headers" in cell.element.attrib:
                above = [(h.y, h.x, h) for h in self.headers(cell) if h.y in heads]
                named = [head for _, _, head in sorted(above, key=lambda one: one[:2])]
            for x in range(cell.x, cell.x + cell.width):
                if found.setdefault(x, named) != named:
                    found[x] = None
        return {x: named for x, named in found.items() if named}

    def _path(self, cells: Iterable[Cell | None], text: Callable[[Cell], str], join: str) -> str:
        labels: list[str] = []
        for cell in cells:
            if cell is None:
                continue
            label = " ".join(text(cell).split("\n"))
            if label.strip(UNPRINTED) and labels[-1:] != [label]:
                labels.append(label)
        return join.join(labels)

    # ── what comes of it ─────────────────────────────────────────────────────

    def records(self) -> list[dict[str, str]]:
        """A dict for each of `rows`, its keys `names`.

        >>> tables("<table><tr><th>Tea<th>Price<tr><td>Assam<td>3,20</table>")[0].records()
        [{'Tea': 'Assam', 'Price': '3,20'}]
        """
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]

    def to_dataframe(self) -> Any:
        """A pandas DataFrame of `rows`, its columns `names`; every value is a str.

        Raises:
            ImportError: pandas is not installed.
        """
        from importlib import import_module

        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("Table.to_dataframe needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.rows, columns=self.names, dtype=object)


# ── the tables of a page ─────────────────────────────────────────────────────


def tables(
    source: Source,
    *,
    index: Index | Sequence[Index] | None = None,
    css: str | None = None,
    xpath: str | None = None,
    caption: str | None = None,
    match: str | None = None,
    header: int | Literal["auto", "none"] = "auto",
    spans: Literal["repeat", "first", "auto"] = "repeat",
    join: str = " / ",
    nested: Literal["text", "drop"] = "text",
    br: str = "\n",
    links: bool = False,
    hidden: Literal["drop", "keep"] = "drop",
    implied_rows: Literal["keep", "drop"] = "keep",
    max_cells: int = MAX_CELLS,
    **options: Unpack[Settings],
) -> list[Table]:
    """The tables of a page, in document order, inner ones after the one that they are in.

    Args:
        source: the markup, or a path-like or reader to take it from, or an lxml element or
            tree.
        index: only these: 2 is the second table that lies in no other, "2.1" the first one
            within that.
        css: only tables that this selects, or that lie in what it selects.
        xpath: likewise, of an XPath expression.
        caption: only tables whose caption has this in it, in any case.
        match: only tables of which the caption or a cell matches this regular expression.
        header: how many rows are the header; "auto": see `Table.header_rows`; "none": 0.
        spans: what the further slots of a cell hold: "repeat": its text; "first": nothing;
            "auto": its text, but nothing below the first row of a header cell.
        join: what joins the labels of a header path.
        nested: whether the text of an inner table is also part of the outer cell's.
        br: what stands between the lines of a cell.
        links: write links as `[text](href)`, brackets in their text as `\\[` and `\\]`.
        hidden: "drop": leave out what the attribute `hidden` or `display: none` hides: tables,
            row groups, rows, cells, and parts of cells; "keep": do not.
        implied_rows: "drop": leave out of `rows` what a rowspan alone makes, past the last row
            of its group, as browsers do; the standard's grid has such rows.
        max_cells: slots that the tables of the page may have, those of overlapping cells
            counted for each.
        **options: of `xmlfix.fix`, for markup.

    Returns:
        The tables; none from within a template.

    Raises:
        LimitError: the tables have more slots than `max_cells`, or more text than
            500 million characters with every spanned slot counted.
        OptionError: an option has a value that it does not take.
        QueryError: `css` or `xpath` is none.
        OSError, InputError, TypeError: as `xmlfix.parse`.

    >>> [table.address for table in tables("<table><td><table></table></table><table></table>")]
    ['1', '1.1', '2']
    """
    for word, value, choices in (
        ("spans", spans, SPANS),
        ("nested", nested, ("text", "drop")),
        ("hidden", hidden, ("drop", "keep")),
        ("implied_rows", implied_rows, ("keep", "drop")),
    ):
        if value not in choices:
            raise OptionError(f"{word} takes {' or '.join(map(repr, choices))}, not {value!r}")
    pattern = _pattern(match)
    rows = _header_option(header)
    root = element_of(source, options)
    reader = TextReader(br=br, nested=nested, links=links, hidden=hidden)
    found = _chosen(root, HiddenParts() if hidden == "drop" else None, index, css, xpath)
    budget = Budget(max_cells)
    text_left = MAX_TEXT

    @cache
    def ids() -> dict[str, Element]:
        found: dict[str, Element] = {}
        for element in root.getroottree().iter(etree.Element):
            name = element.get("id")
            if name is not None:
                found.setdefault(name, element)
        return found

    out = []
    for address, element in found:
        title = next((child for child in element if local_name(child) == "caption"), None)
        label = "" if title is None or reader.leaves_out(title) else reader.read(title)
        if caption is not None and caption.casefold() not in label.casefold():
            continue
        grid = Grid(element, budget, reader.leaves_out)
        for cell in grid.cells:
            cell.text = reader.read(cell.element)
            text_left -= len(cell.text) * cell.width * cell.height
            if text_left < 0:
                raise LimitError(f"the tables hold more than {MAX_TEXT} characters")
            if links:
                cell.links = reader.links_of(cell.element)
        if pattern is not None and not any(
            pattern.search(text) for text in (label, *(cell.text for cell in grid.cells))
        ):
            continue
        out.append(
            Table(
                element,
                address,
                grid,
                caption=label,
                header=rows,
                spans=spans,
                join=join,
                implied_rows=implied_rows,
                ids=ids,
                reader=reader,
            )
        )
    return out


def _pattern(match: str | None) -> re.Pattern[str] | None:
    if match is None:
        return None
    try:
        return re.compile(match)
    except (re.error, RecursionError, OverflowError) as error:
        raise OptionError(f"match takes a regular expression, not {match!r}: {error}") from None


def _header_option(header: object) -> int | None:
    if header == "auto":
        return None
    if header == "none":
        return 0
    if isinstance(header, int) and not isinstance(header, bool) and header >= 0:
        return header
    raise OptionError(f"header takes 'auto', 'none' or a number of rows, not {header!r}")


def _addressed(root: Element, hidden: HiddenParts | None) -> list[tuple[str, Element]]:
    """Each table with its address, in document order, but for those that are hidden."""
    found = []
    counts = [0]  # for each open table, and the page: how many tables it has had
    prefixes = [""]
    names = ("table", f"{XHTML}table", "template", f"{XHTML}template")
    left_out: set[Element] = set()
    walk = etree.iterwalk(root, events=("start", "end"), tag=names)
    for event, element in walk:
        if event == "end":
            if local_name(element) == "table" and element not in left_out:
                prefixes.pop()
                counts.pop()
        elif local_name(element) == "template":
            walk.skip_subtree()
        elif hidden is not None and hidden.has(element):
            left_out.add(element)
            walk.skip_subtree()
        else:
            counts[-1] += 1
            address = f"{prefixes[-1]}{counts[-1]}"
            found.append((address, element))
            prefixes.append(f"{address}.")
            counts.append(0)
    return found


def _chosen(
    root: Element,
    hidden: HiddenParts | None,
    index: Index | Sequence[Index] | None,
    css: str | None,
    xpath: str | None,
) -> list[tuple[str, Element]]:
    found = _addressed(root, hidden)
    if index is not None:
        wanted = [index] if isinstance(index, (int, str)) else index
        addresses = {str(one) for one in wanted}
        for address in addresses:
            if not re.fullmatch(r"[1-9][0-9]*(\.[1-9][0-9]*)*", address):
                raise OptionError(f"index takes a number from 1 or 2.1, not {address!r}")
        found = [pair for pair in found if pair[0] in addresses]
    if css is not None:
        from xmlfix.extract import query

        found = _within(found, query.css(root, css), "css")
    if xpath is not None:
        from xmlfix.extract import query

        found = _within(found, query.xpath(root, xpath), "xpath")
    return found


def _within(
    found: list[tuple[str, Element]], selected: object, word: str
) -> list[tuple[str, Element]]:
    """Those tables that are selected themselves, or lie in something selected that is none."""
    if not isinstance(selected, list) or not all(
        isinstance(one, etree._Element) for one in selected
    ):
        raise OptionError(f"{word} must select elements")
    kept: set[Element] = set()
    for one in selected:
        if local_name(one) == "table":
            kept.add(one)
        else:
            kept.update(one.iter("table", f"{XHTML}table"))
    return [pair for pair in found if pair[1] in kept]
