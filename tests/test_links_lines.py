"""`xmlfix.extract.links`: on which lines addresses stand, and how long it takes to find them."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup import soups, themed_soups

import xmlfix
from xmlfix.extract import lines
from xmlfix.extract.lines import Lines
from xmlfix.extract.links import HOLDERS, links, may_hold


def lines_of(page: str) -> list[tuple[str, str, int | None]]:
    return [(link.attribute, link.written, link.line) for link in links(page, styles=True)]


LINED = """<!-- <a href=no> -->
<a href=1>a</a><script>"<a href=no>"</script>
<a title=">
<a href=no>" href='2'><img src=3
alt="<"><A HREF="4"
 href=no>
<textarea><a href=no></textarea><image src="3"/><!-->
<img src=3><a href="1"><a href="&#49;">
<svg><![CDATA[<a href=no>]]><a xlink:href=5 /><style>
url(6)</style></svg><style>url(7)</style>"""


def test_the_line_is_that_of_the_start_tag() -> None:
    assert lines_of(LINED) == [
        *[("href", "1", 2), ("href", "2", 3), ("src", "3", 4), ("href", "4", 5)],
        *[("src", "3", 7), ("src", "3", 8), ("href", "1", 8), ("href", "1", 8)],
        *[("xlink:href", "5", 9), ("", "6", 9), ("", "7", 10)],
    ]
    assert {link.line for link in links(LINED, lines=False)} == {None}
    assert {link.line for link in links(xmlfix.fromstring(LINED), lines=False)} == {None}


LINKED_SOUP = st.lists(
    st.sampled_from(
        [
            *["<a href=1>", "<a href='2' >", '<p><A\nHREF="3"/>', "<img src=a b srcset = c>", "\n"],
            *[
                "<a title='>' href=4>",
                '<a b="',
                "<i href",
                "<!--",
                "-->",
                "--!>",
                "<!-->",
                "</a b='",
            ],
            *["<style>", "</style>", "<script>", "</script>", "<title>", "</title>", "<x\0href=5>"],
            *[
                "<a href=6 href=7>",
                "<a\n'href=8>",
                "<a href=&amp;>",
                "<image src=9>",
                "'",
                '"',
                ">",
            ],
            *["<link/href=a>", "<a b=c/href=d>", "<style/>", "<a hrefs=1 xhref=2>", "<a =href=1>"],
        ]
    ),
    max_size=15,
).map("".join)


@given(st.one_of(LINKED_SOUP, soups(), themed_soups()))
def test_what_is_passed_over_holds_no_address(page: str) -> None:
    """The lines are those that the reader's states give alone."""
    page = page.replace("\r\n", "\n").replace("\r", "\n")
    with pytest.MonkeyPatch.context() as patch:
        quick = Lines(page, HOLDERS, may_hold, is_xml=False)
        patch.setattr(lines, "skipping", lambda attributes: re.compile("[^<]*").match)
        patch.setattr(lines, "read_tag", lambda raw: None)
        assert quick._lines == Lines(page, HOLDERS, may_hold, is_xml=False)._lines


# ── time ─────────────────────────────────────────────────────────────────────


def seconds(run: Any) -> float:
    """What it takes at best."""
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


MANY_ATTRIBUTES = " ".join(f"a{number}=1" for number in range(500))


@pytest.mark.parametrize(
    ("page", "times"),
    [
        (lambda size: f"<p><a href=/{'x' * 9}>text</a>\n" * size, 2_000),
        (lambda size: f"<a href=x {MANY_ATTRIBUTES * size}>", 4),
        (lambda size: "<a href=x " + " ".join(f"a{i}={i}" for i in range(size)) + ">t", 1_000),
        (lambda size: f"<img src=a srcset='{'a 1x,' * size}'>", 2_000),
    ],
)
@pytest.mark.parametrize("of_tree", [False, True])
def test_links_are_found_in_linear_time(page: Any, times: int, of_tree: bool) -> None:
    small, large = page(times), page(8 * times)
    if of_tree:
        small, large = xmlfix.fromstring(small), xmlfix.fromstring(large)
    # a square would be 64 times
    assert seconds(lambda: links(large)) < 24 * seconds(lambda: links(small)) + 0.01


@pytest.mark.long
def test_links_take_no_more_than_twice_what_lxml_takes() -> None:
    html = pytest.importorskip("lxml.html")
    page = "".join(f"<p><a href='/p/{i}.html?x={i}'>Link {i}</a>\n" for i in range(8_000))

    def theirs() -> None:
        list(html.fromstring(page).iterlinks())

    # with air for a busy machine; it is 1.2 without lines and 1.8 with them
    assert seconds(lambda: links(page, "http://a/b", lines=False)) < 2 * seconds(theirs)
    assert seconds(lambda: links(page, "http://a/b")) < 3 * seconds(theirs)
