"""What the markup itself hides."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import xmlfix
from xmlfix.extract.hidden import HiddenParts, display_of, is_hidden

HIDING = [
    "display:none",
    "DISPLAY : None ;",
    "color:red;;display:none",
    "display:block;display:none",
    "display:none!important;display:block",
    "display:none ! IMPORTANT; display: block",
    "display:none;display:bogus",
    "display:none;display:inline block",
    "display:none;display:block!importance",
    "display:/**/none/**/",
    "/* display:block */ display:none",
    "d\\69splay:none",
    "display:n\\00006f ne",
    "content:'a;b';display:none",
    'content:"\\";";display:none',
    "content:'a\n;display:none",
    "background:url(a b);display:none",
    "background:url( 'x' );display:none",
    "display:none;background:url(",
    "(;);display:none",
    "display:var(--x);display:none",
    "all:unset;display:none",
]
SHOWING = [
    "",
    "display",
    "display:",
    "display none",
    "display:none none",
    "display:none x",
    "display:none}",
    "display:none!x",
    "display:none\\",
    "display:bogus",
    "--icon-display:none",
    "--display:none",
    "-display:none",
    "displays:none",
    "/*display:none*/",
    "display/*:none",
    "dis/**/play:none",
    "display:no/**/ne",
    "display:none;display:inline",
    "display:none;DISPLAY:TABLE-CELL",
    "display:none;display:block flow-root",
    "display:none;display:list-item inline flow",
    "display:block!important;display:none",
    "display:none!important;display:block!important",
    "display:none;display:var(--x)",
    "display:none;all:initial",
    "display:none;all:revert",
    "background:url(display:none)",
    "background:url(;display:none",
    "background:url(\\);display:none)",
    "content:';display:none'",
    'content:"\\";display:none"',
    "x:(;display:none)",
    "x:[{;display:none;}]",
    "display\\3anone",
    "display:n\u00f6ne",
    "visibility:hidden",
]


@pytest.mark.parametrize("style", HIDING)
def test_styles_that_hide(style: str) -> None:
    assert is_hidden(etree.Element("td", style=style))


@pytest.mark.parametrize("style", SHOWING)
def test_styles_that_do_not(style: str) -> None:
    assert not is_hidden(etree.Element("td", style=style))


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("color:red", True),
        ("display:bogus", True),
        ("display:revert", True),
        ("display:block", False),
        ("display:unset", False),
        ("all:initial", False),
    ],
)
def test_style_goes_before_the_attribute(style: str, hidden: bool) -> None:
    assert is_hidden(etree.Element("td", hidden="", style=style)) == hidden


def test_until_found() -> None:
    assert is_hidden(etree.Element("td", hidden="Until-Found", style="display:block"))


VALUE = st.sampled_from(
    ["none", "block", "inline flow-root", "NONE", "bogus", "none none", "x(none)"]
)
BETWEEN = st.sampled_from([
    "", " ", "/* ; */", "a:b;", "--display:none;", "a:url(;display:none);", "a:';display:none';",
    "a:(;display:none;{});", ";", "display;", 'a:"/*";', "b:\\;c;",
])  # fmt: skip


@given(st.lists(st.tuples(BETWEEN, VALUE, st.booleans()), max_size=6), BETWEEN)
def test_the_last_valid_declaration_wins(
    declarations: list[tuple[str, str, bool]], end: str
) -> None:
    style = ""
    winners = ["", ""]  # among those that are not important, and those that are
    for between, value, important in declarations:
        style += f"{between} display : {value}{' !important' if important else ''};"
        if value.lower() in ("none", "block", "inline flow-root"):
            winners[important] = value.lower()
    assert display_of(style + end) == (winners[1] or winners[0] or None)


@pytest.mark.parametrize("piece", ["url(", '"', "\\", "(", "/*", "display:none;", "}", "url(\\"])
def test_long_styles_take_no_long_time(piece: str) -> None:
    start = time.process_time()
    display_of("display" + piece * 50_000 + "\\")
    assert time.process_time() - start < 3


def test_parts_of_tables() -> None:
    root = xmlfix.fromstring(
        "<div hidden><table><tr><td id=a><table><tr hidden><td id=b></table>"
        "<tbody style='display:none'><tr><td id=c><table id=d></table></table><p id=e hidden></div>"
    )
    parts = HiddenParts()
    found = [name for name in "abcde" if parts.has(root.find(f".//*[@id='{name}']"))]
    assert found == ["b", "c", "d", "e"]


PAGE = (
    "<table><tr><td>1<i hidden>x</i><tr hidden><td>2<tbody style='display:none'><tr><td>3</tbody>"
    "</table><table hidden><tr><td>4</table><ul hidden><li>5</ul>"
)


@pytest.mark.parametrize(
    ("rows", "hidden", "texts"),
    [
        ("tr", "drop", ["1"]),
        ("tr", "keep", ["1x", "2", "3", "4"]),
        ("td", "drop", ["1"]),
        ("table", "drop", ["1"]),
        ("table", "keep", ["1x 2 3", "4"]),
        ("li", "drop", ["5"]),
        ("ul", "drop", []),
        ("i", "keep", ["x"]),
    ],
)
def test_records(rows: str, hidden: str, texts: list[str]) -> None:
    found = xmlfix.records(PAGE, rows, {"Text": "."}, hidden=hidden)
    assert [" ".join(one["Text"].split()) for one in found] == texts


def test_what_a_column_names_is_taken() -> None:
    html = "<ul><li><b style='display:none'>x</b>y</ul>"
    assert xmlfix.records(html, "li", {"a": "b", "b": "."}) == [{"a": "x", "b": "y"}]


def test_records_refuse_another_word() -> None:
    with pytest.raises(xmlfix.OptionError, match="hidden takes 'drop' or 'keep', not 'text'"):
        xmlfix.records(PAGE, "tr", {"a": "td"}, hidden="text")
