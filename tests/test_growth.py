"""Time and output grow in proportion to the input, on hostile input too."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hostile import FAMILIES
from lxml import etree
from support import need_shared, pages

import xmlfix
from xmlfix import Finding, Fixer

LARGEST_RATIO = 2.5  # of the times for twice the input
SMALLEST_TIME = 0.01  # seconds; shorter times say nothing
TRIES = 4
OUTPUT_FACTOR = 40
OUTPUT_ALLOWANCE = 1 << 20
LIMITS = {
    "xmlfix-buffer-limit",
    "xmlfix-copy-limit",
    "xmlfix-depth-flattened",
    "xmlfix-formatting-limit",
    "xmlfix-huge-node",
    "xmlfix-name-cut",
    "xmlfix-too-many-attributes",
    "xmlfix-too-much-formatting",
}


def whole(html: str) -> str:
    return xmlfix.fix(html)


def pieces(html: str) -> str:
    with Fixer() as fixer:
        parts = [fixer.feed(html[start : start + 64]) for start in range(0, len(html), 64)]
        return "".join(parts) + fixer.close()


def shortest(run: Callable[[str], str], html: str) -> float:
    """The shorter of two times, in seconds of this process."""
    times = []
    for _ in range(2):
        start = time.process_time()
        run(html)
        times.append(time.process_time() - start)
    return min(times)


def grows_in_proportion(name: str, run: Callable[[str], str]) -> None:
    """Fail if twice the input takes more than LARGEST_RATIO times as long."""
    family = FAMILIES[name]
    n = 100
    while shortest(run, family(n)) < SMALLEST_TIME and n < 3200:
        n *= 2
    ratios = []
    for _ in range(TRIES):
        ratios.append(shortest(run, family(2 * n)) / max(shortest(run, family(n)), 0.001))
        if ratios[-1] <= LARGEST_RATIO:
            return
        n *= 2  # a limit may not have been reached yet: up to that more than the input grows
    pytest.fail(f"{name}: twice the input takes {min(ratios):.1f} times as long")


@pytest.mark.parametrize("name", FAMILIES)
def test_time(name: str) -> None:
    grows_in_proportion(name, whole)


@pytest.mark.parametrize("name", [*FAMILIES][::6])
def test_time_in_pieces(name: str) -> None:
    grows_in_proportion(name, pieces)


@pytest.mark.long
@pytest.mark.parametrize("name", FAMILIES)
def test_time_of_all_in_pieces(name: str) -> None:
    grows_in_proportion(name, pieces)


@pytest.mark.parametrize("name", FAMILIES)
def test_output(name: str) -> None:
    html = FAMILIES[name](600)
    for options in ({}, {"xhtml": True}, {"repair": "stack"}, {"repair": "xml"}):
        xml = xmlfix.fix(html, **options)
        assert len(xml) <= OUTPUT_FACTOR * len(html) + OUTPUT_ALLOWANCE
        etree.fromstring(xml)


def test_repeated_formatting_ends_in_a_finding() -> None:
    found: list[Finding] = []
    html = "<p>" + "".join(f"<font size={number}>" for number in range(400)) + "<p>x" * 3000
    xml = xmlfix.fix(html, on_finding=found.append, max_depth=2048)
    assert "xmlfix-formatting-limit" in {finding.code for finding in found}
    assert len(xml) <= OUTPUT_FACTOR * len(html) + OUTPUT_ALLOWANCE


def test_no_page_reaches_a_limit() -> None:
    need_shared()
    for page in pages():
        found: list[Finding] = []
        xmlfix.fix(page.read_bytes(), on_finding=found.append)
        assert not LIMITS & {finding.code for finding in found}, page.name
