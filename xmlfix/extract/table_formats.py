"""Tables as CSV, TSV, JSON and Markdown."""

from __future__ import annotations

import json
import re

from xmlfix.extract.row_formats import csv_line, guarded, tsv_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from xmlfix.extract.tables import Table

MAX_HEADERS: Final = 5_000_000  # header cells that the cells of one table have, in grid-json

_MARKDOWN = re.compile(r"[\\`*_|<&~\[\]]")


def rendered(table: Table, form: str, *, guard: bool = False) -> str:
    """A table in one of `FORMATS`, with a line break at its end.

    Args:
        table: the table.
        form: "csv", "tsv": the header paths, then the rows (without header rows, the rows
            alone); "json": an array of records on one line; "grid-json": the grid with its
            cells, spans and headers, an object on one line; "markdown": a table of GitHub's
            Markdown.
        guard: put an apostrophe before what a spreadsheet would run (csv and tsv).

    Raises:
        ValueError: another format.
        LimitError: grid-json would have more than 5 million headers.

    >>> from xmlfix.extract.tables import tables
    >>> table = tables("<table><tr><th>Tea<th>Price<tr><td>Earl, Grey<td>007")[0]
    >>> rendered(table, "csv")
    'Tea,Price\\r\\n"Earl, Grey",007\\r\\n'
    >>> rendered(table, "json")
    '[{"Tea": "Earl, Grey", "Price": "007"}]\\n'
    """
    if form not in FORMATS:
        raise ValueError(f"form takes {' or '.join(map(repr, FORMATS))}, not {form!r}")
    if form in ("csv", "tsv"):
        return sheet(table, csv_line if form == "csv" else tsv_line, guard=guard)
    return _OTHERS[form](table)


def sheet(table: Table, line: Callable[[Sequence[str]], str], *, guard: bool) -> str:
    """The header paths and the rows, each as a line."""
    rows = table.rows
    if table.header_rows:
        rows.insert(0, table.columns)
    if guard:
        rows = [[guarded(value) for value in row] for row in rows]
    return "".join([line(row) for row in rows])


def records_json(table: Table) -> str:
    """The records, as one line of JSON."""
    return json.dumps(table.records(), ensure_ascii=False) + "\n"


def grid_json(table: Table) -> str:
    """The grid, its cells and headers, as one line of JSON; docs/tables.md has the members."""
    return json.dumps(grid_object(table), ensure_ascii=False) + "\n"


def grid_object(table: Table) -> dict[str, Any]:
    """What `grid_json` writes.

    >>> from xmlfix.extract.tables import tables
    >>> made = grid_object(tables("<table><tr><th colspan=2>Tea<tr><td>Assam<td>3,20")[0])
    >>> made["slots"], made["cells"][2]["headers"]
    ([[0, 0], [1, 2]], [0])
    """
    from xmlfix.errors import LimitError

    numbers = {cell: number for number, cell in enumerate(table.cells)}
    cells = []
    left = MAX_HEADERS
    for cell in table.cells:
        headers = [numbers[head] for head in table.headers(cell)]
        left -= len(headers)
        if left < 0:
            raise LimitError(f"table {table.address} assigns more than {MAX_HEADERS} headers")
        made: dict[str, Any] = {
            "x": cell.x,
            "y": cell.y,
            "width": cell.width,
            "height": cell.height,
            "header": cell.is_header,
            "text": cell.text,
            "headers": headers,
        }
        if cell.is_header:
            made["scope"] = cell.scope
        if cell.links:
            made["links"] = [{"text": text, "href": href} for text, href in cell.links]
        cells.append(made)
    slots = [[None if cell is None else numbers[cell] for cell in row] for row in table.slots]
    return {
        "table": table.address,
        "caption": table.caption,
        "width": table.width,
        "height": table.height,
        "header_rows": table.header_rows,
        "columns": table.columns,
        "row_headers": table.row_headers,
        "slots": slots,
        "cells": cells,
    }


def markdown(table: Table) -> str:
    """A table of GitHub's Markdown; the header line is empty if the table has no header.

    Source: GitHub Flavored Markdown §4.10.
    """
    if not table.width:
        return ""
    columns, rows = table.escaped(lambda text: _MARKDOWN.sub(r"\\\g<0>", text))

    def line(values: Sequence[str]) -> str:
        fields = [value.replace("\r", "").replace("\n", "<br>") for value in values]
        return "| " + " | ".join(fields) + " |\n"

    head = columns if table.header_rows else [""] * table.width
    return line(head) + "|" + " --- |" * table.width + "\n" + "".join(map(line, rows))


_OTHERS: Final = {"json": records_json, "grid-json": grid_json, "markdown": markdown}
FORMATS: Final = ("csv", "tsv", *_OTHERS)
EXTENSIONS: Final = {
    "csv": ".csv",
    "tsv": ".tsv",
    "json": ".json",
    "grid-json": ".json",
    "markdown": ".md",
}
