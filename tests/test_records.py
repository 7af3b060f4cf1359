"""Records: cells, the samples, and `xmlfix extract`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import ROOT, Case, cases, pages

import xmlfix
from xmlfix.cli import main
from xmlfix.errors import OptionError, XmlfixError
from xmlfix.extract.columns import Column, read_replace
from xmlfix.extract.records import records, text
from xmlfix.extract.row_formats import FORMATS, written

PROGRAM = [sys.executable, "-m", "xmlfix", "extract"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80"}
SAMPLES = ROOT / "samples"

ORDERS = ('tr:has-n-children(11)[bgcolor^="#F"]', "orders.csv", "trading-report.html")
DEALS = ('tr:has-n-children(13)[bgcolor="#E0E0E0"]', "deals.csv", "trading-report.html")
TRADES = ("table ~ table tr + tr", "trades.csv", "tester-report.html")
EVENTS = ("tr.event", "calendar.csv", "calendar.html")


def extract(*words: str, input: bytes = b"", **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `xmlfix extract` with these words."""
    settings = {"capture_output": True, "check": False, "env": ENVIRONMENT, **settings}
    return subprocess.run([*PROGRAM, *words], input=input, **settings)


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a run that must fail with status 2 says: one line, and nothing on standard output."""
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    return line.removeprefix("xmlfix: ")


def sample(
    rows: str, columns: str, page: str, replace: Mapping[str, str] | None = None
) -> list[dict[str, str]]:
    """The records of a sample page."""
    return records((SAMPLES / page).read_bytes(), rows, SAMPLES / columns, replace)


# ── cells ────────────────────────────────────────────────────────────────────


TEXTS = cases("records/text.txt")


@pytest.mark.parametrize("case", TEXTS, ids=[case.title for case in TEXTS])
def test_text_of_an_element(case: Case) -> None:
    root = xmlfix.fromstring(f"<body><div id=cell>{case.given}</div>", pi="keep")
    (cell,) = root.xpath("//div[@id='cell']")
    assert [text(cell)] == case.expected


def test_text_of_a_script_that_is_asked_for() -> None:
    assert records("<script> var a </script>", "script", {"a": "."}) == [{"a": "var a"}]


def test_text_of_a_cell_of_many_elements_takes_linear_time() -> None:
    count = 20_000
    cell = etree.fromstring("<td>" + "<b>x</b><br/>" * count + "</td>")
    assert text(cell) == " ".join("x" * count)


def test_a_column_looks_below_the_row() -> None:
    page = "<div class=r>a<div>b</div></div><div class=r>c</div>"
    columns = {"div": "div", "self": ".", "class": (".", "class"), "xpath": "./self::div"}
    assert [list(record.values()) for record in records(page, "div.r", columns)] == (
        [["b", "a b", "r", "a b"], ["", "c", "r", "c"]]
    )


PAGE = """<table id=t><tr class=r><td>a<td><a href=" /x  y " title="T  t" data-itemId=5>b</a> c<td>d
<tr class=r><td>a2<td><!-- x  y --><td><tr class=r><td>a3</table>"""


@pytest.mark.parametrize(
    ("selector", "data", "cells"),
    [
        ("td:nth-child(2)", "", ["b c", "", ""]),
        ("td:nth-child(3)", "", ["d", "", ""]),
        (".", "", ["a b c d", "a2", "a3"]),
        (".", "class", ["r", "r", "r"]),
        (".", "CLASS", ["r", "r", "r"]),
        ("a", "hRef", [" /x  y ", "", ""]),
        ("A", "data-itemId", ["5", "", ""]),
        ("a::attr(data-itemId)", "", ["5", "", ""]),
        ("./td/A/@data-itemID", "", ["5", "", ""]),
        ("+ tr", "", ["a2", "a3", ""]),
        ("+ tr > td", "", ["a2", "a3", ""]),
        ("~ tr:last-child td", "", ["a3", "a3", ""]),
        ("~tr", "Class", ["r", "r", ""]),
        ("+ tr + tr", "", ["a3", "", ""]),
        ("> td + td a::text", "", ["b", "", ""]),
        (".", "id", ["", "", ""]),
        ("a", "href", [" /x  y ", "", ""]),
        ("a", "absent", ["", "", ""]),
        ("a::attr(title)", "", ["T t", "", ""]),
        ("a::text", "", ["b", "", ""]),
        ("td", "", ["a", "a2", "a3"]),
        ("./td[2]", "", ["b c", "", ""]),
        ("./td[2]/a/@href", "", ["/x y", "", ""]),
        ("./td[last()]", "", ["d", "", "a3"]),
        ("./following-sibling::tr[1]/td[1]", "", ["a2", "a3", ""]),
        ("(.//td)[2]", "", ["b c", "", ""]),
        ("//table/@id", "", ["t", "t", "t"]),
        ("./td/comment()", "", ["", "x y", ""]),
        ("./td/comment()", "href", ["", "", ""]),
        ("(count(td))", "", ["3", "3", "1"]),
        ("(count(td) > 1)", "", ["true", "true", "false"]),
        ("(concat(td[1], '-', td[2]))", "", ["a-b c", "a2-", "a3-"]),
    ],
)
def test_cells(selector: str, data: str, cells: list[str]) -> None:
    found = records(PAGE, "tr.r", [("first", "td"), ("cell", selector, data), ("last", "td")])
    assert [record["cell"] for record in found] == cells
    firsts = ["a", "a2", "a3"]
    assert [(r["first"], r["last"]) for r in found] == list(zip(firsts, firsts, strict=True))


@pytest.mark.parametrize("xhtml", [False, True])
def test_prefixes_of_the_page(xhtml: bool) -> None:
    page = '<html xmlns:o="urn:office"><p><o:p o:id="1">a</o:p><svg><a xlink:href="/b"/></svg>'
    columns = {"text": "./o:p", "id": ("./o:p", "o:id"), "link": ("svg a", "xlink:href")}
    if xhtml:
        page = page.replace("<o:p", "<o:x").replace("</o:p", "</o:x")
        columns["text"], columns["id"] = "o|x", ("o|x", "o:id")
    found = records(page, "p", columns, xhtml=xhtml)
    assert found == [{"text": "a", "id": "1", "link": "/b"}]


@pytest.mark.parametrize("form", ["str", "bytes", "element", "tree"])
def test_what_records_takes(form: str) -> None:
    tree = xmlfix.parse(PAGE)
    source = {"str": PAGE, "bytes": PAGE.encode(), "element": tree.getroot(), "tree": tree}[form]
    assert records(source, "tr", {"a": "td"}) == [{"a": "a"}, {"a": "a2"}, {"a": "a3"}]  # type: ignore[arg-type]


def test_options_are_for_markup() -> None:
    page = "<p><o:x>1"
    assert records(page, "p", {"x": "./o:x"}, prefixes="declare") == [{"x": "1"}]
    with pytest.raises(OptionError, match=r"^xhtml is for markup"):
        records(xmlfix.parse(page), "p", {"x": "b"}, xhtml=True)


def test_namespaces() -> None:
    root = etree.fromstring("<r xmlns='urn:r' xmlns:o='urn:o'><o:p o:id='1'>a</o:p></r>")
    columns = {"css": "q|p", "xpath": "./q:p", "id": "./q:p/@q:id"}
    found = records(root, "/x:r", columns, namespaces={"q": "urn:o", "x": "urn:r"})
    assert found == [{"css": "a", "xpath": "a", "id": "1"}]


def test_below_an_element_only() -> None:
    root = xmlfix.fromstring("<ul><li>a</ul><ul id=b><li>b<li>c</ul>")
    below = root.xpath("//ul[@id='b']")[0]
    assert records(below, "li", {"x": "."}) == [{"x": "b"}, {"x": "c"}]


def test_replacement_is_of_whole_values() -> None:
    page = "<ul><li title=a>a<li title=b>a b<li title=A> a\n</ul>"
    found = records(page, "li", [("t", "."), ("d", ".", "title")], {"a": "X", "": "none"})
    assert [(r["t"], r["d"]) for r in found] == [("X", "X"), ("a b", "b"), ("X", "A")]


def test_empty_value_can_be_replaced() -> None:
    assert records("<p>", "p", {"x": "b"}, {"": "none"}) == [{"x": "none"}]


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ("tr", [Column("a", "td[", "", "c.csv:2")], r"^c\.csv:2: .*td\["),
        ("tr.absent", [Column("a", "td[", "", "c.csv:2")], r"^c\.csv:2: .*td\["),
        ("tr", [("a", "./td[")], r"^column 'a': .*\./td\["),
        ("tr", [("a", "td::text", "href")], "^column 'a': Data 'href' needs a Selector that"),
        ("td::text", [("a", ".")], "^rows must be elements, 'td::text' finds something else$"),
        ("//td/@class | //tr/@class", [("a", ".")], "^rows must be elements"),
        ("//comment()", [("a", ".")], "^rows must be elements"),
        ("(count(//td))", [("a", ".")], "^rows must be elements"),
        ("tr >", [("a", ".")], "tr >"),
        ("tr", [("a", "."), ("a", "td")], "^two columns 'a'$"),
    ],
)
def test_what_is_refused(rows: str, columns: list[Any], message: str) -> None:
    with pytest.raises(XmlfixError, match=message):
        records(f"<!--c-->{PAGE}", rows, columns)


# ── samples ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("what", "count", "width"), [(ORDERS, 3, 11), (DEALS, 3, 13), (TRADES, 6, 10), (EVENTS, 6, 9)]
)
def test_sample(what: tuple[str, str, str], count: int, width: int) -> None:
    found = sample(*what)
    assert [len(record) for record in found] == [width] * count


def test_trading_report() -> None:
    orders, deals = sample(*ORDERS), sample(*DEALS)
    assert list(orders[1].values()) == (
        "2.01 14:30|502|EURUSD|sell|0.10 / 0.10|1.0988|||2.01 14:30|filled|target <50 pips"
    ).split("|")
    assert [order["Comment"] for order in orders] == ["", "target <50 pips", "R&D news"]
    assert [deal["Balance"] for deal in deals] == ["1 000.00", "999.50", "1 036.00"]


def test_tester_report_has_no_shifted_cells() -> None:
    trades = sample(*TRADES)
    assert [trade["No"] for trade in trades] == list("123456")
    assert [trade["Profit"] for trade in trades] == ["", "99.80", "", "-49.70", "", "10.40"]
    assert [trade["Balance"] for trade in trades[::2]] == ["", "", ""]


def test_calendar() -> None:
    events = sample(*EVENTS, replace=read_replace(SAMPLES / "currencies.csv"))
    assert [event["Currency"] for event in events] == "JPY USD EUR EUR SEK GBP".split()
    assert [event["Day"].partition(",")[0] for event in events] == (
        ["Monday"] * 2 + ["Tuesday"] * 3 + ["Wednesday"]
    )
    assert events[2]["Forecast"] == ""
    assert list(events[4].values())[5:] == [""] * 4
    assert events[5] == {
        "Id": "e7006",
        "Day": "Wednesday, 7 January 2026",
        "Time": "09:30",
        "Currency": "GBP",
        "Event": "Construction PMI",
        "Link": "/event/7006?lang=en&tab=1",
        "Actual": "",
        "Forecast": "42.5",
        "Previous": "39.4",
    }


# ── the command ──────────────────────────────────────────────────────────────


def sample_words(rows: str, columns: str, page: str) -> list[str]:
    return ["--rows", rows, "--columns", f"samples/{columns}", f"samples/{page}"]


@pytest.mark.parametrize("what", [ORDERS, TRADES], ids=["orders", "trades"])
@pytest.mark.parametrize("form", FORMATS)
def test_command_equals_the_call(what: tuple[str, str, str], form: str) -> None:
    done = extract("--format", form, *sample_words(*what), cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    called = sample(*what)
    rows = [list(record.values()) for record in called]
    assert done.stdout.decode() == written(form, list(called[0]), rows)


def test_csv_is_the_default_and_ends_lines_as_the_rfc_says() -> None:
    done = extract(*sample_words(*ORDERS), cwd=ROOT)
    assert done.stdout.count(b"\r\n") == done.stdout.count(b"\n") == 4


def test_replace_and_guard(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("Name,Selector,Data\nWhere,td,title\nWhat,td,\n")
    (tmp_path / "r.csv").write_text("Value,Replacement\nJapan,JPY\n")
    done = extract(
        *"--rows tr --columns c.csv --replace r.csv --guard-formulas".split(),
        input=b"<table><tr><td title=Japan>=1+1<tr><td title=Japan2>-5",
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"Where,What\r\nJPY,'=1+1\r\nJapan2,-5\r\n"


def two_pages(folder: Path) -> None:
    (folder / "c.csv").write_text("Name,Selector,Data\nItem,.,\n")
    (folder / "a.html").write_text("<ul><li>1<li>2")
    (folder / "b.html").write_text("<ul><li>3")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", "File,Item\r\na.html,1\r\na.html,2\r\nb.html,3\r\n"),
        ("--file-column Page", "Page,Item\r\na.html,1\r\na.html,2\r\nb.html,3\r\n"),
        (
            "--format json",
            '[\n {"File": "a.html", "Item": "1"},\n {"File": "a.html", "Item": "2"},\n'
            ' {"File": "b.html", "Item": "3"}\n]\n',
        ),
    ],
)
def test_several_inputs(words: str, expected: str, tmp_path: Path) -> None:
    two_pages(tmp_path)
    basic = "--rows li --columns c.csv a.html b.html".split()
    done = extract(*words.split(), *basic, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout.decode()) == (0, b"", expected)


def test_an_input_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    two_pages(tmp_path)
    done = extract(*"--rows li --columns c.csv a.html absent.html b.html".split(), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == b"File,Item\r\na.html,1\r\na.html,2\r\nb.html,3\r\n"
    assert done.stderr == b"xmlfix: absent.html: No such file or directory\n"


def test_an_input_that_a_selector_does_not_fit_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("Name,Selector,Data\nItem,./own:x,\n")
    (tmp_path / "a.html").write_text("<p><own:x>1")
    (tmp_path / "b.html").write_text("<p>")
    done = extract(*"--rows p --columns c.csv b.html a.html".split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"File,Item\r\na.html,1\r\n")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("xmlfix: b.html: c.csv:2: column 3: undefined namespace prefix")


def test_namespace_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("Name,Selector,Data\nItem,./q:x,\n")
    words = "--repair xml --namespace q=urn:o".split()
    page = b"<p xmlns:o='urn:o'><o:x>1</o:x></p>"
    done = extract(*words, *"--rows p --columns c.csv".split(), input=page, cwd=tmp_path)
    assert (done.stdout, done.stderr) == (b"Item\r\n1\r\n", b"")
    done = extract(*words, *"--try p --try-sub ./q:x".split(), input=page)
    assert done.stdout.decode().splitlines()[-1] == "   1.1: o|x '1'"


def test_a_query_that_takes_too_long_ends(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(
        "Name,Selector,Data\nn,(count(//*[count(//*[count(//*[count(//*)])])])),\n"
    )
    words = "--rows body --columns c.csv --timeout-query 0.3 -o out.csv".split()
    done = extract(*words, input=b"<p>" * 2_000, cwd=tmp_path)
    assert complaint(done) == ("<stdin>: the query takes more than 0.3 seconds (--timeout-query)")
    assert not (tmp_path / "out.csv").exists()


def test_output_file(tmp_path: Path) -> None:
    two_pages(tmp_path)
    (tmp_path / "out.csv").write_text("old")
    done = extract(*"--rows li --columns c.csv -o out.csv b.html".split(), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "out.csv").read_bytes() == b"Item\r\n3\r\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == "a.html b.html c.csv out.csv".split()


def test_no_row_is_status_1(tmp_path: Path) -> None:
    two_pages(tmp_path)
    done = extract(*"--rows dd --columns c.csv a.html".split(), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"Item\r\n", b"")


def test_a_row_in_one_of_the_inputs_is_enough(tmp_path: Path) -> None:
    two_pages(tmp_path)
    (tmp_path / "c.html").write_text("<p>")
    done = extract(*"--rows li --columns c.csv b.html c.html".split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"File,Item\r\nb.html,3\r\n")


def test_nothing_is_written_if_no_input_can_be_read(tmp_path: Path) -> None:
    two_pages(tmp_path)
    words = "--rows li --columns c.csv --format json absent.html".split()
    assert complaint(extract(*words, cwd=tmp_path)) == "absent.html: No such file or directory"
    assert complaint(extract(*words, "-o", "c.csv", cwd=tmp_path)).startswith("absent.html")
    assert (tmp_path / "c.csv").read_text() == "Name,Selector,Data\nItem,.,\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names of any bytes")
def test_names_of_any_bytes(tmp_path: Path) -> None:
    two_pages(tmp_path)
    name = os.fsdecode(b"p\xe9.html")
    (tmp_path / name).write_text("<li>a")
    done = extract(*"--rows li --columns c.csv b.html".split(), name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"File,Item\r\nb.html,3\r\np\xe9.html,a\r\n"


def test_options_of_the_filter(tmp_path: Path) -> None:
    two_pages(tmp_path)
    words = "--rows //LI --columns c.csv --repair xml --encoding latin-1".split()
    done = extract(*words, input=b"<UL><LI>caf\xe9</LI></UL>", cwd=tmp_path)
    assert done.stdout.decode() == "Item\r\ncafé\r\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--rows li", "--rows SELECTOR and --columns FILE are needed, or --try SELECTOR"),
        ("--columns c.csv", "--rows SELECTOR and --columns FILE are needed, or --try SELECTOR"),
        ("--rows li --columns absent.csv", "absent.csv: No such file or directory"),
        ("--rows li --columns c.csv --replace .", ".: Is a directory"),
        ("--rows li --columns c.csv --replace c.csv", "c.csv:1: the header is Value,Replacement"),
        ("--rows li --columns a.html", "a.html:1: the header is Name,Selector,Data"),
        ("--rows li --columns c.csv --guard-formulas --format json", "--guard-formulas is for"),
        ("--rows li --columns c.csv --file-column Item", "c.csv: it has a column 'Item'"),
        ("--rows li --columns c.csv --try-sub li", "--try-sub needs --try"),
        ("--try li --columns c.csv", "--columns does not go with --try"),
        ("--try li --format csv", "--format does not go with --try"),
        ("--try li[", "column "),
        ("--try li --try-sub b[", "column "),
        ("--try li::text --try-sub b", "--try-sub needs a --try that finds elements"),
        ("--rows li[ --columns c.csv", "column "),
        ("--rows li::text --columns c.csv", "rows must be elements"),
        ("--rows li --columns bad.csv", "bad.csv:3: column "),
        ("--rows li --columns c.csv -o absent/out.csv", "absent/out.csv: No such file"),
    ],
)
def test_one_line_complaints(
    words: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    two_pages(tmp_path)
    (tmp_path / "bad.csv").write_text("Name,Selector,Data\na,li,\nb,li[,\n")
    monkeypatch.chdir(tmp_path)
    assert main(["extract", *words.split(), "a.html"]) == 2
    out, told = capsysbinary.readouterr()
    (line,) = told.decode().splitlines()
    assert out == b""
    assert line.startswith(f"xmlfix: {message}")


# ── --try ────────────────────────────────────────────────────────────────────

TRIED = "<ul id=l><li class=i>Tea <b>hot</b><li class=i><i>a</i><i></i><i>c</i><li></ul><!--c-->"


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (
            ["--try", "li.i"],
            0,
            [
                "2 found",
                "1: li.i:has-n-children(1) 'Tea hot'",
                "2: li.i:has-n-children(3) 'a |  | c'",
            ],
        ),
        (
            ["--try", "ul, li", "--try-sub", "i:last-child"],
            0,
            [
                "4 found",
                "1: ul#l:has-n-children(3) 'Tea hot | ac | '",
                "   1.1: i 'c'",
                "2: li.i:has-n-children(1) 'Tea hot'",
                "   2: nothing found",
                "3: li.i:has-n-children(3) 'a |  | c'",
                "   3.1: i 'c'",
                "4: li ''",
                "   4: nothing found",
            ],
        ),
        (["--try", "b::text"], 0, ["1 found", "1: 'hot'"]),
        (["--try", "//@class"], 0, ["2 found", "1: 'i'", "2: 'i'"]),
        (["--try", "(count(//i))"], 0, ["1 found", "1: '3'"]),
        (["--try", "//comment()"], 0, ["1 found", "1: <!--c-->"]),
        (["--try", "b", "--try-sub", "."], 0, ["1 found", "1: b 'hot'", "   1.1: b 'hot'"]),
        (["--try", "dd"], 1, ["0 found"]),
    ],
)
def test_try(words: Sequence[str], status: int, expected: list[str]) -> None:
    done = extract(*words, input=TRIED.encode())
    assert (done.returncode, done.stderr) == (status, b"")
    assert done.stdout.decode().splitlines() == expected


def test_try_names_the_inputs(tmp_path: Path) -> None:
    two_pages(tmp_path)
    done = extract("--try", "li", "a.html", "b.html", cwd=tmp_path)
    assert done.stdout.decode().splitlines() == (
        ["a.html:", "2 found", "1: li '1'", "2: li '2'", "b.html:", "1 found", "1: li '3'"]
    )


def test_try_does_not_steer_a_terminal() -> None:
    done = extract("--try", "p", input="<p class='\u202e'>\u009b31m".encode())
    assert done.stdout.decode() == "1 found\n1: p.\\u202e '\\x9b31m'\n"


# ── real pages ───────────────────────────────────────────────────────────────


def test_real_pages_never_shift() -> None:
    columns = {"first": "td, th", "second": "./*[2]", "link": ("a", "href"), "all": "."}
    rows = 0
    for page in list(pages())[::12]:
        for record in records(page.read_bytes(), "tr", columns):
            assert list(record) == list(columns)
            assert record["first"] in record["all"]
            rows += 1
    assert rows > 100 or not list(pages())
