"""What holds for any markup and any options."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markup import XML_DOCUMENTS, soup_bytes, soups, themed_soups
from support import REPAIRS, element_text, folded, parse_strictly, read_text

import xmlfix
from xmlfix import check, fix, fix_bytes
from xmlfix.repair.browser import BrowserRepair

MARKUP = st.one_of(soups(), soups(), themed_soups(), XML_DOCUMENTS)
NAMES = st.sampled_from("p b table svg head body a o:p nope #comment script A r b:c".split())
OPTIONS = {
    "input": st.sampled_from(["auto", "html", "xml"]),
    "drop": st.lists(NAMES, max_size=3),
    "nbsp": st.sampled_from(["keep", "space", "drop"]),
    "prefixes": st.sampled_from(["declare", "escape", "strip"]),
    "bare_attribute": st.one_of(st.sampled_from(["empty", "name"]), st.text(max_size=3)),
    "body_only": st.booleans(),
    "doctype": st.sampled_from(["drop", "html", "keep"]),
    "pi": st.sampled_from(["keep", "comment", "drop"]),
    "max_depth": st.integers(8, 256),
    "buffer_limit": st.integers(0, 100),  # which only a stream heeds
    "max_formatting": st.integers(1, 20),
    "max_repetition": st.integers(1, 20),
    "max_attributes": st.integers(1, 70),
    "max_input": st.just(1_000_000),
    "root": st.sampled_from([None, "root", "R", "_", "a.b-c", "html", "U000041"]),
    "scripting": st.booleans(),
    "xhtml": st.booleans(),
    "meta_charset": st.sampled_from(["keep", "update"]),
    "on_finding": st.just(list[xmlfix.Finding]().append),
}

repairs = pytest.mark.parametrize("repair", REPAIRS)


def options() -> st.SearchStrategy[dict[str, Any]]:
    """Any of the options that keep the XML declaration."""
    return st.fixed_dictionaries({}, optional=OPTIONS)


OF_BROWSER = ("scripting", "xhtml")


def test_options_are_all_drawn() -> None:
    from xmlfix.options import OPTIONS as KNOWN

    asked_elsewhere = {"repair", "fragment", "xml_declaration"}
    of_bytes = {"encoding", "transport_encoding", "fallback", "detect"}
    assert {*OPTIONS, *asked_elsewhere, *of_bytes} == {item.word for item in KNOWN}


@repairs
@settings(max_examples=350)
@given(MARKUP)
def test_str(repair: Any, markup: str) -> None:
    xml = fix(markup, repair=repair)
    parse_strictly(xml)
    assert check(xml)
    assert fix(xml, repair=repair) == xml


@repairs
@settings(max_examples=200)
@given(soup_bytes())
def test_bytes(repair: Any, markup: bytes) -> None:
    xml = fix_bytes(markup, repair=repair)
    parse_strictly(xml)
    assert check(xml)
    assert fix_bytes(xml, repair=repair) == xml


@repairs
@settings(max_examples=350)
@given(MARKUP, options())
def test_options(repair: Any, markup: str, chosen: dict[str, Any]) -> None:
    if repair != "browser":
        chosen = {word: value for word, value in chosen.items() if word not in OF_BROWSER}
    xml = fix(markup, repair=repair, **chosen)
    parse_strictly(xml)
    if chosen.get("input") != "html":  # which says that even xmlfix's own output is HTML
        assert fix(xml, repair=repair, **chosen) == xml
    fragment = fix(markup, repair=repair, xml_declaration=False, **chosen)
    assert xml == '<?xml version="1.0" standalone="yes"?>\n' + fragment


@settings(max_examples=250)
@given(soups(foreign=False))
def test_stack_loses_no_text(markup: str) -> None:
    tree = parse_strictly(fix(markup, repair="stack", input="html"))
    assert folded(element_text(tree)) == folded(read_text(markup.removeprefix("\ufeff")))


@settings(max_examples=250)
@given(MARKUP)
def test_xml_loses_no_text(markup: str) -> None:
    lower = markup.lower()  # in a page of XHTML script and style hold text, their tags included
    assume("<html" not in lower or ("<script" not in lower and "<style" not in lower))
    tree = parse_strictly(fix(markup, repair="xml"))
    assert folded(element_text(tree)) == folded(read_text(markup.removeprefix("\ufeff"), xml=True))


@repairs
@settings(max_examples=150)
@given(MARKUP)
def test_findings_change_nothing(repair: Any, markup: str) -> None:
    found: list[xmlfix.Finding] = []
    assert fix(markup, repair=repair, on_finding=found.append) == fix(markup, repair=repair)
    for finding in found:
        before = markup[: finding.offset].removeprefix("\ufeff")  # which is in no column
        before = before.replace("\r\n", "\n").replace("\r", "\n")
        assert 0 <= finding.offset <= len(markup)
        assert finding.line == before.count("\n") + 1
        assert finding.column == len(before) - (before.rfind("\n") + 1) + 1


@settings(max_examples=400)
@given(st.one_of(soups(), themed_soups()))
def test_text_that_the_algorithm_drops_is_listed(markup: str) -> None:
    """The browser's tree has all text that it was given, or a finding says that some was lost."""
    found: list[xmlfix.Finding] = []
    given_text: list[str] = []
    take = BrowserRepair.text

    def text(self: BrowserRepair, data: str) -> None:
        given_text.append(data)
        take(self, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BrowserRepair, "text", text)
        root = parse_strictly(fix(markup, input="html", on_finding=found.append))
    lost = {f.code for f in found if f.lossy} - {"xmlfix-doctype-dropped"}
    if not lost and not root.xpath("//selectedcontent"):
        source, tree = sorted("".join(given_text)), sorted(element_text(root))
        assert [c for c in source if not c.isspace()] == [c for c in tree if not c.isspace()]
