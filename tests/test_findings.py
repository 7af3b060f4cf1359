"""Findings: what is reported, where, and that every code has its words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import ROOT, Case, cases, need_shared

from xmlfix import Finding, fix
from xmlfix.finding import CODES, STANDARD


def findings(markup: str | bytes, **options: Any) -> list[Finding]:
    found: list[Finding] = []
    fix(markup, **{"repair": "stack", **options}, on_finding=found.append)
    return found


@pytest.mark.parametrize("case", cases("findings.txt"), ids=lambda case: case.title)
def test_findings(case: Case) -> None:
    lines = [
        f"{found.code} {found.offset} {found.line}:{found.column} "
        + ("lossy" if found.lossy else "kept")
        for found in findings(case.given, **case.options)
    ]
    assert lines == case.expected


# in browser repair: what has no end tag, once each, and nothing that the source does not have
UNCLOSED = {
    "<p>a": ["p 1:5"],
    "<div>a</body>": ["div 1:7"],
    "<div><p>a</body></html>": ["p 1:10", "div 1:10"],
    "<ul><li>Tea<li>Milk": ["li 1:12", "li 1:20", "ul 1:20"],
    "<table><tr><td>1<td>2": ["td 1:17", "td 1:22", "tr 1:22", "table 1:22"],
    "<table><tr><td>x</td></tr></table>": [],
    "<table><col></table>": [],
    "<tr>": [],
    "</p>": [],
    "<html><head></head><body><p>x</p></body></html>": [],
    "<nobr>a<nobr>b</nobr>": ["nobr 1:8"],
    "<p><b>x</p>y</b>": ["b 1:8"],
}


@pytest.mark.parametrize("markup", UNCLOSED)
def test_what_has_no_end_tag(markup: str) -> None:
    told = [
        f"{re.findall('<(.*)>', found.message)[0]} {found.line}:{found.column}"
        for found in findings(markup, repair="browser")
        if found.code == "xmlfix-missing-end-tag"
    ]
    assert told == UNCLOSED[markup]


@pytest.mark.parametrize("repair", ["browser", "xml"])
def test_null_in_cdata(repair: str) -> None:
    """The standard's tokenizer has no error for it, but it is lost."""
    found = findings("<svg><![CDATA[a\0\0b]]></svg>", repair=repair)
    lost = [finding.offset for finding in found if finding.lossy]
    assert lost == [15, 16]


def test_a_start_tag_is_no_end_tag() -> None:
    found = findings('<a href="1"><table><a href="2">x', repair="browser")
    assert "xmlfix-end-tag-without-start" not in {finding.code for finding in found}


def test_finding_fields() -> None:
    (found,) = findings("<p>\n</b></p>")
    assert found.code == "xmlfix-end-tag-without-start"
    assert found.message == "</b> closes no open element"
    assert found.action == "dropped"
    assert (found.offset, found.line, found.column, found.lossy) == (4, 2, 1, False)
    assert str(found) == f"{found.code}: {found.message}; {found.action}"
    assert repr(found) == f"<Finding 2:1: {found}>"
    (other,) = findings("<p>\n</b></p>")
    assert found == other
    assert hash(found) == hash(other)
    assert found != findings("<p></b></p>")[0]


def test_the_page_about_findings_has_every_code() -> None:
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(xmlfix-[a-z-]+)` \| (.*) \| (.*) \| (yes|) \|$", page, re.MULTILINE)
    told = {code: (message, action, lossy == "yes") for code, message, action, lossy in rows}
    assert told == {
        code: (shown(message), shown(action), lossy)
        for code, (message, action, lossy) in CODES.items()
    }


def shown(text: str) -> str:
    """A text with a place for a detail, as the page has it."""
    return re.sub(r"(</?)\{\}>", r"`\1…>`", text).replace("{}", "…")


def test_every_code_is_documented() -> None:
    """Each code in the source is ours with a text, or the standard's."""
    standard = standard_codes()
    mentioned = set()
    for path in (ROOT / "xmlfix").rglob("*.py"):
        if path.name != "finding.py":
            mentioned |= set(
                re.findall(r'\b(?:error|bogus|say|report)\(\s*f?"([a-z{}.-]+?)"', path.read_text())
            )
    expanded = {code.replace("{r.key}", key) for code in mentioned for key in ("public", "system")}
    assert len(expanded) > 40
    assert {code for code in expanded if code.startswith("xmlfix-")} <= set(CODES)
    assert {code for code in expanded if not code.startswith("xmlfix-")} <= standard
    assert set(STANDARD) <= standard


def standard_codes() -> set[str]:
    """The codes of the tokenizer data, and the few that it never expects."""
    codes = {
        "xmlfix",
        "control-character-in-input-stream",
        "noncharacter-in-input-stream",
        "surrogate-in-input-stream",
        "non-void-html-element-start-tag-with-trailing-solidus",
    }
    for path in need_shared("html5lib-tests", "tokenizer").glob("*.test"):
        codes.update(re.findall(r'"code":\s*"([a-z-]+)"', path.read_text(encoding="utf-8")))
    return codes


def test_own_codes_are_all_in_use() -> None:
    source = "".join(
        path.read_text() for path in (ROOT / "xmlfix").rglob("*.py") if path.name != "finding.py"
    )
    assert {code for code in CODES if f'"{code}"' not in source} == set()


def test_malformed_bytes_are_found() -> None:
    (found,) = findings(b"<p>\n\xff</p>", encoding="utf-8")
    assert (found.code, found.line, found.column) == ("xmlfix-malformed-bytes", 2, 1)
    assert found.lossy
