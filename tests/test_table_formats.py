"""That all forms in which a table is written say the same, and nothing of it is lost."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import cases
from test_tables import PART, written

from xmlfix.extract import table_formats, tables_command
from xmlfix.extract.tables import Table, tables

SOURCES = [case.given for case in cases("tables.txt") + cases("tables-headers.txt")]


def unescaped(field: str) -> str:
    return re.sub(r"\\(.)", r"\1", field.replace("<br>", "\n"))


def markdown_rows(text: str) -> list[list[str]]:
    """The fields of a table of GitHub's Markdown, its second line left out."""
    lines = text.splitlines()
    found = [re.findall(r"(?<=\| )((?:[^|\\]|\\.)*) (?=\|)", line) for line in lines]
    return [[unescaped(field) for field in row] for row in found[:1] + found[2:]]


def check_forms(table: Table) -> None:
    """Hold all forms equal to `columns`, `names` and `rows`."""
    columns, names, rows = table.columns, table.names, table.rows
    head = [columns] if table.header_rows else []
    for form, dialect in (("csv", "excel"), ("tsv", "excel-tab")):
        text = table_formats.rendered(table, form)
        read = list(csv.reader(io.StringIO(text, newline=""), dialect=dialect))
        # an empty line of TSV is a record of one empty value
        assert [row or [""] * (table.width == 1) for row in read] == head + rows
    records = json.loads(table_formats.rendered(table, "json"))
    assert [list(record.items()) for record in records] == [
        list(zip(names, row, strict=True)) for row in rows
    ]
    grid = json.loads(table_formats.rendered(table, "grid-json"))
    assert (grid["columns"], grid["header_rows"]) == (columns, table.header_rows)
    assert len(grid["slots"]) == len(rows) + len(table.header_rows)
    assert len(grid["row_headers"]) == len(rows)
    if table.width:
        read = markdown_rows(table_formats.rendered(table, "markdown"))
        assert read == [head[0] if head else [""] * table.width, *rows]


def check_nothing_is_lost(table: Table) -> None:
    """Each text of a cell is in a path or in a row, and a table with rows has records."""
    said = "\n".join(table.columns + [value for row in table.rows for value in row])
    for y, row in enumerate(table.slots):
        for cell in row:
            if cell is not None and cell.y == y:
                text = cell.text.strip("\u200b")
                assert text in said or " ".join(text.split("\n")) in said
    assert bool(table.height) == bool(table.records())


@pytest.mark.parametrize("source", SOURCES)
def test_all_forms_agree(source: str) -> None:
    for hidden in ("drop", "keep"):
        for table in tables(source, hidden=hidden):  # type: ignore[arg-type]
            check_forms(table)
            if "headers=" not in source:
                check_nothing_is_lost(table)


@given(st.lists(PART, max_size=5))
def test_all_forms_agree_with_wild_spans(parts: list[tuple[str, object]]) -> None:
    for table in tables(written(parts), repair="xml"):
        check_forms(table)
        assert bool(table.height) == bool(table.records())


@pytest.mark.parametrize("source", SOURCES)
def test_data_frames_agree(source: str) -> None:
    pytest.importorskip("pandas")
    for table in tables(source):
        frame = table.to_dataframe()
        assert list(frame.columns) == table.names
        assert frame.shape == (len(table.rows), table.width)
        assert frame.to_numpy().tolist() == table.rows


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>a<th>b</table>",
        "<table><tr><td>a<td>b</table>",
        "<table><thead><tr><th>a<th>b</thead></table>",
        "<table><tfoot><tr><td>a<td>b</tfoot></table>",
    ],
)
def test_a_table_of_one_row_is_not_lost(html: str) -> None:
    table = tables(html)[0]
    assert table_formats.rendered(table, "json") == '[{"1": "a", "2": "b"}]\n'
    assert table_formats.rendered(table, "csv") == "a,b\r\n"


def test_list_shows_the_same_header(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<table><tr><td colspan=2>T<tr><th>a<th>b<tr><td>1<td>2</table>"
        "<table hidden><tr><td>x</table><table><tr><td>1<td>2</table>",
        "utf-8",
    )
    assert tables_command.run_tables(["--list", str(page)]) == 0
    assert capsysbinary.readouterr().out == b"1\t2x3\ta | b\n2\t2x1\t1 | 2\n"
    assert tables_command.run_tables(["--list", "--hidden", "keep", str(page)]) == 0
    assert capsysbinary.readouterr().out == b"1\t2x3\ta | b\n2\t1x1\tx\n3\t2x1\t1 | 2\n"


@pytest.mark.parametrize(
    ("cell", "field"),
    [
        ("<a href=u>a]b</a>", r"[a\]b](u)"),
        ("<a href=u>[1]</a> [2]", r"[\[1\]](u) \[2\]"),
        ("[x](<a href=u>y</a>)", r"\[x\]([y](u))"),
        ("<a href='a|b_c d'>x|y</a>", r"[x\|y](a\|b\_c%20d)"),
        ("<a href='a\\b<c>\nd'>x</a>", r"[x](a%5Cb%3Cc%3Ed)"),
        ("<a href=u><div>*a*<p>b</div></a>c", r"[\*a\*<br>b](u)<br>c"),
        ("<a href=u>a<br>&lt;br></a>", r"[a<br>\<br>](u)"),
    ],
)
def test_links_in_markdown(cell: str, field: str) -> None:
    table = tables(f"<table><tr><td>{cell}<td>[plain]</table>", links=True)[0]
    text = table_formats.rendered(table, "markdown")
    assert text.splitlines()[2] == f"| {field} | \\[plain\\] |"


def test_links_of_inner_tables_in_markdown() -> None:
    html = "<table><tr><td>o<table><tr><td><a href=u>i]</a></table></table>"
    outer, inner = tables(html, links=True)
    for table, field in ((outer, r"o<br>[i\]](u)"), (inner, r"[i\]](u)")):
        assert table_formats.rendered(table, "markdown").splitlines()[2] == f"| {field} |"


def test_what_joins_is_escaped_in_markdown() -> None:
    html = "<table><tr><th colspan=2>a<tr><th>b<th>c<tr><td>1<br>2<td>3</table>"
    table = tables(html, join="|", br="*", links=True)[0]
    assert table_formats.rendered(table, "markdown").splitlines() == [
        r"| a\|b | a\|c |",
        "| --- | --- |",
        r"| 1\*2 | 3 |",
    ]
