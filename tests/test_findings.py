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
