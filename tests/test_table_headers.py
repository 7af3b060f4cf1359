"""What may stand around a header without changing it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from xmlfix.extract.tables import tables

HEADS = {
    "a row of th": ("<tr><th>Year<th>Club<th>Goals", "Year Club Goals"),
    "a corner": ("<tr><td><th>Club<th>Goals", " Club Goals"),
    "th and td": ("<tr><td>Year<th>Club<th>Goals", "Year Club Goals"),
    "two rows": (
        "<tr><th rowspan=2>Year<th colspan=2>Games<tr><th>won<th>lost",
        "Year Games/won Games/lost",
    ),
    "a row of td above": (
        "<tr><th rowspan=2>Year<th colspan=2>Games<tr><td>won<td>lost",
        "Year Games/won Games/lost",
    ),
    "thead": ("<thead><tr><th>Year<th>Club<th>Goals</thead>", "Year Club Goals"),
    "td in thead": ("<thead><tr><td>Year<td>Club<td>Goals</thead>", "Year Club Goals"),
    "td above th": ("<tr><td>Year<td>Club<td>Goals", "Year Club Goals"),
}
ABOVE = [
    "<tr></tr>",
    "<tr><td colspan=3>&nbsp;",
    "<tr><td><td><td>",
    "<tr><th colspan=3>",
    "<tr><td colspan=3>Title",
    "<tr><td>Title",
    "<tr><th>Title",
    "<tr><th colspan=3>Title<td>",
]
FIRST = [
    "<tr><th colspan=3>Section",
    "<tr><th colspan=3>Section<td>",
    "<tr><th colspan=4>Section",
    "<tr><th>Section<td><td>",
    "<tr><th>Section<th><th>",
    "<tr><th>Section",
    "<tr><td colspan=3>Section",
    "<tr><th>2000<td><td>",
    "<tr><th>2000<td>x<td>",
]
LAST = [
    "<tr><td>2009<td>x<td>1<td>2",
    "<tr><td colspan=3>a note",
    "<tr><th>Year<th>Club<th>Goals",
    "<tr><th colspan=2>Total<th>9",
    "<tr><th>Total<td><td>9",
    "<tr><td colspan=3>",
    "<tfoot><tr><th>Year<th>Club<th>Goals</tfoot>",
    "<tr><td>2009",
]


def path(text: str) -> str:
    return text.replace("/", " / ")


@settings(max_examples=200)
@given(
    head=st.sampled_from(list(HEADS)),
    above=st.lists(st.sampled_from(ABOVE), max_size=3),
    first=st.lists(st.sampled_from(FIRST), max_size=3),
    last=st.lists(st.sampled_from(LAST), max_size=4),
)
def test_the_header_stays(head: str, above: list[str], first: list[str], last: list[str]) -> None:
    html, words = HEADS[head]
    if "thead" in html:
        above = []
    rows = "".join(f"<tr><th>{year}<td>Rovers<td>{year % 7}" for year in range(2001, 2009))
    table = tables(f"<table>{''.join(above)}{html}{''.join(first)}{rows}{''.join(last)}</table>")[0]
    expected = list(map(path, words.split(" ")))
    assert table.columns[:3] == expected, etree.tostring(table.element, encoding="unicode")
    assert not any(table.columns[3:])
