"""Tables: the grid, the headers, the texts, the formats, and the limits."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support import CASES, Case, cases, need_shared, pages
from table_oracle import Oracle

import xmlfix
from xmlfix.errors import LimitError, OptionError, XmlfixError
from xmlfix.extract import grid, table_formats
from xmlfix.extract.tables import Table, tables

BROWSER = json.loads((CASES / "tables-browser.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "case", cases("tables.txt") + cases("tables-headers.txt"), ids=lambda case: case.title
)
def test_case(case: Case) -> None:
    found = tables(case.given, **case.options)
    table = found[0]
    made = [json.dumps(part, ensure_ascii=False) for part in (table.columns, table.rows)]
    if len(case.expected) > 2:
        made.append(json.dumps(table.row_headers, ensure_ascii=False))
    assert made == case.expected


# ── the standard's model ─────────────────────────────────────────────────────


def compare(table: etree._Element) -> None:
    """Hold grid and headers equal to what the standard's steps give."""
    made = grid.Grid(table, grid.Budget())
    oracle = Oracle(table)
    assert (made.width, made.height) == (oracle.xwidth, oracle.yheight)
    places = [(c.element, c.x, c.y, c.width, c.height, c.is_header) for c in made.cells]
    assert places == [(c.element, c.x, c.y, c.width, c.height, c.is_header) for c in oracle.cells]
    for y in range(made.height):
        for x in range(made.width):
            covering = [cell.element for cell in oracle.slots.get((x, y), [])]
            assert [cell.element for cell in made.at(x, y)] == covering
            assert (made.row(y)[x] is not None) == bool(covering)
    assert [(g.y, g.height, g.element) for g in made.row_groups] == oracle.row_groups
    assert made.column_groups == [(x, width) for x, width, _ in oracle.column_groups]
    ids: dict[str, etree._Element] = {}
    for element in table.getroottree().iter(etree.Element):
        if "id" in element.attrib:
            ids.setdefault(element.attrib["id"], element)
    for cell, literal in zip(made.cells, oracle.cells, strict=True):
        if cell.is_header:
            assert made.is_column_header(cell) == oracle.is_column_header(literal)
            assert made.is_row_header(cell) == oracle.is_row_header(literal)
        assert cell.is_empty() == oracle.is_empty(literal)
        headers = [head.element for head in made.headers_of(cell, ids)]
        assert headers == [head.element for head in oracle.headers_of(literal)]


def test_the_tables_of_every_page() -> None:
    """The standard's steps give the same, and every format can be written."""
    need_shared()
    count = 0
    for page in pages():
        root = xmlfix.fromstring(page.read_bytes())
        for table in tables(root, links=True, hidden="keep"):
            count += 1
            compare(table.element)
            assert all(len(row) == table.width for row in table.grid)
            assert len(set(table.names)) == table.width
            assert len(table.rows) == len(table.records()) == len(table.row_headers)
            assert not any("Unnamed" in name for name in table.names)
            for form in table_formats.FORMATS:
                assert table_formats.rendered(table, form)[-1:] in ("\n", "")
    assert count == 599


SPAN_VALUES = [
    "0", "1", "2", "3", "4", "7", "", " ", "x", "-1", "-0", "+2", " 3", "2.5", "20%", "2;",
    "003", "٣",
]  # fmt: skip
CELL = st.tuples(
    st.sampled_from(["td", "th"]),
    st.fixed_dictionaries(
        {},
        optional={
            "rowspan": st.sampled_from(SPAN_VALUES),
            "colspan": st.sampled_from(SPAN_VALUES),
            "scope": st.sampled_from(["row", "col", "rowgroup", "colgroup", "ROW", "auto", ""]),
            "headers": st.lists(st.sampled_from(["c1", "c2", "c3", "c5", "none"])).map(" ".join),
        },
    ),
    st.sampled_from(["", " ", "x", "<b/>", "<!--c-->"]),
)
ROW = st.lists(CELL, max_size=4)
PART = st.one_of(
    st.tuples(st.sampled_from(["thead", "tbody", "tfoot"]), st.lists(ROW, max_size=4)),
    st.tuples(st.just("tr"), ROW),
    st.tuples(st.just("colgroup"), st.lists(st.sampled_from(["1", "0", "2", "x"]), max_size=2)),
    st.tuples(st.sampled_from(["caption", "p"]), st.just([])),
)


def written(parts: list[tuple[str, Any]]) -> str:
    """A table in XML, its cells with the ids c1, c2 …."""
    number = 0

    def row(cells: list[Any]) -> str:
        nonlocal number
        out = []
        for name, attributes, content in cells:
            number += 1
            said = "".join(f' {word}="{value}"' for word, value in attributes.items())
            out.append(f'<{name} id="c{number}"{said}>{content}</{name}>')
        return f"<tr>{''.join(out)}</tr>"

    out = []
    for name, content in parts:
        if name == "tr":
            out.append(row(content))
        elif name == "colgroup":
            columns = "".join(f'<col span="{span}"/>' for span in content)
            out.append(f'<colgroup span="2">{columns}</colgroup>')
        else:
            out.append(f"<{name}>{''.join(map(row, content))}</{name}>")
    return f"<table>{''.join(out)}</table>"


@given(st.lists(PART, max_size=5))
def test_the_standards_steps_give_the_same_with_wild_spans(parts: list[tuple[str, Any]]) -> None:
    compare(etree.fromstring(written(parts)))


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><td colspan='100%'/></tr>",
        "<tr><th colspan='1001'/><td/></tr><tr><td/></tr>",
        "<tr><td/><th colspan='99999999999999999999'/></tr><tr><td/><td colspan='1000'/></tr>",
        "<tr><td rowspan='3000'/><td/></tr><tr><th rowspan='0'/></tr>",
        "<tbody><tr><td rowspan='2000'/></tr></tbody><tr><th/></tr>",
        "<tr><td rowspan='65535' colspan='2'/></tr>",
        # the rows of tfoot begin above its row group
        "<tfoot><tr><th scope='rowgroup'>x</th></tr><tr/><tr><td/><td/></tr></tfoot>"
        "<tr><td rowspan='3'/></tr>",
    ],
)
def test_the_standards_steps_give_the_same_with_huge_spans(rows: str) -> None:
    compare(etree.fromstring(f"<table>{rows}</table>"))


@pytest.mark.parametrize("seed", range(60))
def test_the_standards_steps_give_the_same_on_tall_tables(seed: int) -> None:
    """Many headers of few shapes above one another, so that what they hide is dropped."""
    choose = random.Random(seed)
    share = choose.choice([0.3, 0.6, 0.9])

    def cell() -> tuple[str, dict[str, str], str]:
        attributes = {}
        if choose.random() < 0.3:
            attributes["colspan"] = str(choose.randint(1, 3))
        if choose.random() < 0.1:
            attributes["rowspan"] = str(choose.randint(0, 3))
        if choose.random() < 0.3:
            attributes["scope"] = choose.choice(["col", "row", "rowgroup"])
        return "th" if choose.random() < share else "td", attributes, choose.choice("xy ")

    rows = [[cell() for _ in range(choose.randint(0, 4))] for _ in range(60)]
    compare(etree.fromstring(written([("tbody", rows)])))


@pytest.mark.parametrize("seen", BROWSER, ids=lambda seen: seen["title"])
def test_the_grid_is_what_a_browser_lays_out(seen: dict[str, Any]) -> None:
    table = tables(seen["html"])[0]
    made = grid.Grid(table.element, grid.Budget())
    # rows that no tr makes are not there to be seen
    rows = [y for y, element in enumerate(made.row_elements) if element is not None]
    places = [
        {
            "text": (cell.element.text or "").strip(),
            "x": cell.x,
            "y": rows.index(cell.y),
            "width": cell.width,
            "height": sum(cell.y <= y < cell.y + cell.height for y in rows),
        }
        for cell in made.cells
    ]
    order = sorted(seen["cells"], key=lambda cell: (cell["y"], cell["x"]))
    assert sorted(places, key=lambda cell: (cell["y"], cell["x"])) == order


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (None, 1),
        ("", 1),
        ("5", 5),
        (" \t\n\f\r5", 5),
        ("\u00a05", 1),
        ("+5", 5),
        ("-5", 1),
        ("-0", 0),
        ("- 5", 1),
        ("5%", 5),
        ("1.9", 1),
        ("٣", 1),
        ("0005", 5),
        ("1000", 1000),
        ("1001", 1000),
        ("9" * 10_000, 1000),
        ("0" * 10_000, 0),
    ],
)
def test_numbers_of_spans(text: str | None, number: int) -> None:
    assert grid.non_negative(text, 1, 1000) == number


def test_cells_that_overlap_are_all_there() -> None:
    table = tables("<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c</table>")[0]
    assert [cell.text for cell in table.cells_at(1, 1)] == ["b", "c"]
    assert table.cells_at(0, 0)[0].text == "a"


def test_headers_come_from_the_first_element_of_that_id() -> None:
    html = "<p id=b>x</p><table><tr><th id=a>A<th id=b>B<tr><td headers='a b nosuch'>1<td>2</table>"
    table = tables(html)[0]
    assert [head.text for head in table.headers(table.cells[2])] == ["A"]
    assert [head.text for head in table.headers(table.cells[3])] == ["B"]


def test_ids_are_looked_for_once() -> None:
    table = tables("<table><tr><th>A<tr><td headers=x>1<tr><td headers=y>2</table>")[0]
    first = table._ids()
    assert table._ids() is first
    assert [table.headers(cell) for cell in table.cells] == [[], [], []]


# ── which tables ─────────────────────────────────────────────────────────────

PAGE = """<div id=top><table class=k><caption>First Fruits</caption><tr><td>fig
<td><table><tr><td>in one<td><table><tr><td>deep</table></table>
<table class=k><tr><td>in two</table></table></div>
<template><table><tr><td>not in the page</table></template>
<table><caption>nuts</caption><tr><td>cob</table>"""


@pytest.mark.parametrize(
    ("chosen", "addresses"),
    [
        ({}, "1 1.1 1.1.1 1.2 2"),
        ({"index": 2}, "2"),
        ({"index": "1.1"}, "1.1"),
        ({"index": [2, "1.1.1"]}, "1.1.1 2"),
        ({"index": 3}, ""),
        ({"css": "table.k"}, "1 1.2"),
        ({"css": "#top"}, "1 1.1 1.1.1 1.2"),
        ({"css": "td"}, "1.1 1.1.1 1.2"),
        ({"xpath": "//table[caption]"}, "1 2"),
        ({"xpath": "//table[caption]", "css": ".k"}, "1"),
        ({"caption": "FRUIT"}, "1"),
        ({"caption": ""}, "1 1.1 1.1.1 1.2 2"),
        ({"match": r"^deep$"}, "1.1 1.1.1"),
        ({"match": r"\bdeep\b"}, "1 1.1 1.1.1"),
        ({"match": "nuts"}, "2"),
        ({"match": r"\bdeep\b", "nested": "drop"}, "1.1.1"),
    ],
)
def test_choice(chosen: dict[str, Any], addresses: str) -> None:
    assert " ".join(table.address for table in tables(PAGE, **chosen)) == addresses


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"<table><tr><td>caf\xc3\xa9</table>")
    root = xmlfix.fromstring(path.read_bytes())
    for source in (path, path.read_bytes(), path.read_text("utf-8"), root, root.getroottree()):
        assert tables(source)[0].grid == [["café"]]
    with path.open("rb") as file:
        assert tables(file)[0].grid == [["café"]]
    inner = tables(xmlfix.fromstring(PAGE).find(".//td"))
    assert inner == []
    assert [one.address for one in tables(tables(PAGE)[0].element)][:2] == ["1", "1.1"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"spans": "all"}, "spans takes 'repeat' or 'first' or 'auto', not 'all'"),
        ({"nested": None}, "nested takes"),
        ({"hidden": "x"}, "hidden takes"),
        ({"implied_rows": True}, "implied_rows takes"),
        ({"header": "x"}, "header takes 'auto', 'none' or a number of rows, not 'x'"),
        ({"header": -1}, "header takes"),
        ({"header": True}, "header takes"),
        ({"match": "("}, "match takes a regular expression"),
        ({"index": 0}, "index takes a number from 1 or 2.1, not '0'"),
        ({"index": "1."}, "index takes"),
        ({"xpath": "count(//td)"}, "xpath must select elements"),
        ({"xpath": "//@class"}, "xpath must select elements"),
        ({"css": "td::text"}, "css must select elements"),
        ({"no_such": 1}, "unknown option 'no_such'"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        tables(PAGE, **wrong)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("wrong", [{"css": "td["}, {"xpath": "//["}])
def test_wrong_selectors(wrong: dict[str, Any]) -> None:
    with pytest.raises(XmlfixError, match=r"td\[|//"):
        tables(PAGE, **wrong)


# ── records and formats ──────────────────────────────────────────────────────


def test_names_are_never_alike() -> None:
    html = "<table><tr><th>a<th>a<th><th>3<th>a (2)<tr><td>1<td>2<td>3<td>4<td>5</table>"
    table = tables(html)[0]
    assert table.columns == ["a", "a", "", "3", "a (2)"]
    assert table.records() == [{"a": "1", "a (2)": "2", "3": "3", "3 (2)": "4", "a (2) (2)": "5"}]


def test_dataframe() -> None:
    pytest.importorskip("pandas")
    frame = tables("<table><tr><th><th>n<tr><td>x<td>007<tr><td>y</table>")[0].to_dataframe()
    assert list(frame.columns) == ["1", "n"]
    assert frame.to_numpy().tolist() == [["x", "007"], ["y", ""]]
    assert tables("<table></table>")[0].to_dataframe().shape == (0, 0)


# docs/tables.md, "Where it differs from pandas.read_html": what pandas makes of it, and xmlfix
PANDAS = {
    '<tr><td colspan="100%">a<tr><td>b': (ValueError, ["a"] * 100, [["b"] + [""] * 99]),
    "<tr><td rowspan=0>a<td>b<tr><td>c": (
        [[0, 1], ["a", "b"], ["c", None]],
        ["a", "b"],
        [["a", "c"]],
    ),
    "<tbody><tr><td rowspan=3>a<td>b</tbody><tbody><tr><td>c<td>d": (
        [[0, 1, 2], ["a", "b", None], ["a", "c", "d"], ["a", None, None]],
        ["a", "b"],
        [["a", ""], ["a", ""], ["c", "d"]],
    ),
    "<tr><td>a<td rowspan=2>b<td>z<tr><td colspan=2>c": (
        [[0, 1, 2], ["a", "b", "z"], ["c", "c", "b"]],
        ["a", "b", "z"],
        [["c", "b", ""]],
    ),
    "<tr><th><th>n<tr><td>1<td>2": ([["Unnamed: 0", "n"], [1, 2]], ["", "n"], [["1", "2"]]),
    "<tr><td></td><th>2024<tr><th>x<td>1": (
        [[0, 1], [None, 2024], ["x", 1]],
        ["", "2024"],
        [["x", "1"]],
    ),
    "<tr><td>a<td>b<tr><td>c<td>d": (
        [[0, 1], ["a", "b"], ["c", "d"]],
        ["a", "b"],
        [["c", "d"]],
    ),
    "<thead><tr><th colspan=2>s<tr><th>a<th>b</thead><tr><td>1<td>2": (
        [[("s", "a"), ("s", "b")], [1, 2]],
        ["s / a", "s / b"],
        [["1", "2"]],
    ),
    "<tr><th>a<th>b<th>c<tr><td>7<td>NA<td>1,320": (
        [["a", "b", "c"], [7, None, 1320]],
        ["a", "b", "c"],
        [["7", "NA", "1,320"]],
    ),
}


@pytest.mark.parametrize("rows", PANDAS)
def test_where_pandas_differs(rows: str) -> None:
    pandas = pytest.importorskip("pandas")
    theirs, columns, ours = PANDAS[rows]
    html = f"<table>{rows}</table>"
    table = tables(html)[0]
    assert (table.columns, table.rows) == (columns, ours)
    page = io.StringIO(xmlfix.fix(html, xml_declaration=False))
    if theirs is ValueError:
        with pytest.raises(ValueError, match="100%"):
            pandas.read_html(page)
        return
    frame = pandas.read_html(page)[0].astype(object)
    grid = [list(frame.columns), *frame.where(frame.notna(), None).to_numpy().tolist()]
    assert grid == theirs


def test_dataframe_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs pandas"):
        tables("<table><tr><td>a</table>")[0].to_dataframe()


ODD = (
    '<table><tr><th>a,"b<th>c|d<tr><td>1\u20282<td>x<br>y\tz<tr><td>=A1<td>*b* &lt;i> `'
    "<tr><td><td> </table>"
)


@pytest.mark.parametrize(("form", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
def test_sheets_are_read_back(form: str, dialect: str) -> None:
    table = tables(ODD)[0]
    text = table_formats.rendered(table, form)
    rows = list(csv.reader(io.StringIO(text, newline=""), dialect=dialect))
    assert rows == [table.columns, *table.rows]
    assert table.rows[0] == ["1\u20282", "x\ny z"]


def test_json_is_read_back() -> None:
    table = tables(ODD)[0]
    text = table_formats.rendered(table, "json")
    assert json.loads(text) == table.records()
    assert text.count("\n") == 1


def test_guarded_sheets() -> None:
    text = table_formats.rendered(tables(ODD)[0], "csv", guard=True)
    assert text.split("\r\n")[2].startswith("'=A1,")


def test_markdown() -> None:
    text = table_formats.rendered(tables(ODD)[0], "markdown")
    assert text.splitlines()[0] == '| a,"b | c\\|d |'
    assert "| =A1 | \\*b\\* \\<i> \\` |\n" in text
    assert "x<br>y z" in text
    bare = tables("<table><tr><th>a<td>b</table>")[0]
    assert table_formats.rendered(bare, "markdown") == "|  |  |\n| --- | --- |\n| a | b |\n"
    assert table_formats.rendered(tables("<table></table>")[0], "markdown") == ""


def test_grid_json_tells_the_whole_table() -> None:
    html = (
        "<table><caption>C</caption><tr><th rowspan=2>R<th colspan=2>Y<tr><th>s<th>t"
        "<tr><th scope=row>n<td><a href=u>1</a><td rowspan=0>2<tr><th>m<tr></table>"
    )
    table = tables(html, links=True)[0]
    made = json.loads(table_formats.rendered(table, "grid-json"))
    assert made["slots"] == [[0, 1, 1], [0, 2, 3], [4, 5, 6], [7, None, 6], [None, None, 6]]
    assert made["columns"] == ["R", "Y / s", "Y / t"]
    assert made["row_headers"] == ["n", "m", ""]
    assert (made["table"], made["caption"], made["width"], made["height"]) == ("1", "C", 3, 5)
    assert made["cells"][5] == {
        "x": 1, "y": 2, "width": 1, "height": 1, "header": False, "text": "[1](u)",
        "headers": [4, 2, 1], "links": [{"text": "1", "href": "u"}],
    }  # fmt: skip
    assert made["cells"][4]["scope"] == "row"
    assert made["cells"][6]["height"] == 3


def test_links_of_inner_tables_are_theirs() -> None:
    html = (
        "<table><tr><td><a href=o>out</a><table><tr><td><a href=i>in<br>side</a></table>"
        "<i hidden><a href=h>h</a></i><a href=e></a></table>"
    )
    outer, inner = tables(html, links=True)
    assert outer.cells[0].links == [("out", "o"), ("", "e")]
    assert inner.cells[0].links == [("in side", "i")]
    assert outer.grid == [["[out](o)\n[in\nside](i)\n[](e)"]]


def test_repr_is_short() -> None:
    table = tables("<table><tr><th>a<td>b</table>")[0]
    assert isinstance(table, Table)
    assert repr(table) == "<Table 1: 2 columns, 1 rows>"
    assert repr(table.cells[0]) == "<th 1x1 at (0, 0): 'a'>"


# ── limits ───────────────────────────────────────────────────────────────────

WILD = "<td rowspan=65534 colspan=1000>x"


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + ("<tr>" + WILD * 100) * 100,
        "<table>" + "<tr><td rowspan=400 colspan=400>x" * 10_000,
        "<table><tr><td rowspan=65534>" + "<td rowspan=65534>x" * 40,
        "<table>" + "<colgroup span=1000>" * 3000 + "<tr><td>x",
        "<table>" + "<tr><td>x" * 3000 + "<tr>" + "<td>x" * 1000,
        "<table><tr>" + "<td rowspan=0 colspan=1000>x" * 3 + "<tr><td>x" * 1000,
        "<table><tr><td colspan=1000>x</table>" * 2001,
    ],
    ids=["wild", "overlapping", "tall", "columns", "ragged", "growing", "many"],
)
def test_too_many_cells_are_a_clear_error(html: str) -> None:
    with pytest.raises(LimitError, match=r"^the tables have more than 2000000 cells \(max_cells\)"):
        tables(html)


def test_max_cells() -> None:
    html = "<table><tr><td colspan=10>a<td>b<tr><td>c</table><table><tr><td>d</table>"
    assert len(tables(html, max_cells=23)) == 2
    with pytest.raises(LimitError, match="more than 22 cells"):
        tables(html, max_cells=22)
    assert len(tables(html, max_cells=22, index=1)) == 1


def test_too_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xmlfix.extract.tables.MAX_TEXT", 10_000)
    html = f"<table><tr><td colspan=100>{'x' * 101}</table>"
    with pytest.raises(LimitError, match="more than 10000 characters"):
        tables(html)


def deep_tables(depth: int) -> etree._Element:
    root = element = etree.Element("html")
    for _ in range(depth):
        for name in ("table", "tbody", "tr", "td"):
            element = etree.SubElement(element, name)
        element.text = "x"
    return root


def test_nested_tables_do_not_exhaust_the_stack() -> None:
    found = tables(deep_tables(5000))
    assert len(found) == 5000
    assert found[-1].address == ".".join(["1"] * 5000)
    assert found[0].grid == [["\n".join("x" * 5000)]]
    assert len(tables("<table><tr><td>x" * 5000)) == 5000


def elapsed(work: Any) -> float:
    best = 9e9
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "row",
    [
        "<tr><th>r</th><td>1</td><td>2</td></tr>",
        "<tr><th colspan='2'>s</th></tr><tr><td>1</td><td>2</td></tr>",
        "<tr><th scope='col'>r</th></tr><tr><td>1</td></tr>",
    ],
)
def test_time_grows_with_the_cells(row: str) -> None:
    def work(count: int) -> Any:
        root = etree.fromstring(f"<table><tr><th>a</th><th>b</th></tr>{row * count}</table>")
        return lambda: [table_formats.rendered(t, "grid-json") for t in tables(root)]

    assert elapsed(work(2000)) < 16 * elapsed(work(250)) * 1.5
