"""Findings: what is reported, where, and that every code has its words."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from soup import random_soup
from support import (
    FORBIDDEN,
    REPAIRS,
    ROOT,
    Case,
    cases,
    element_text,
    fresh_seed,
    need_shared,
    parse_strictly,
    read_text,
)

from xmlfix import Finding, Fixer, fix
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


# ── what is lossy ────────────────────────────────────────────────────────────

CHARACTERS = "\x01\x1f\x7f\x80\x85\x9f\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff\ud800"


@pytest.mark.parametrize("repair", REPAIRS)
@pytest.mark.parametrize("char", CHARACTERS, ids=ascii)
def test_a_character_is_lossy_if_it_is_lost(char: str, repair: str) -> None:
    for markup in (f"<p>a{char}b</p>", f'<p a="{char}">a</p>', f"<p><!--{char}--></p>"):
        found = findings(markup, repair=repair)  # of a comment, that it is changed as well
        is_lost = char not in fix(markup, repair=repair)  # type: ignore[call-overload]
        assert {one.lossy for one in found} == {is_lost}, markup
        assert is_lost is bool(FORBIDDEN.search(char))
        assert (found[0].action == "kept") is not is_lost
        told: list[Finding] = []
        with Fixer(repair=repair, on_finding=told.append) as fixer:  # type: ignore[arg-type]
            for piece in markup:
                fixer.feed(piece)
            fixer.close()
        assert told == found


@pytest.mark.parametrize("repair", ["browser", "stack"])
def test_without_lossy_findings_the_text_is_there(repair: str) -> None:
    rng = random.Random(fresh_seed())
    compared = 0
    for _ in range(400):
        markup = random_soup(rng, rng.randint(1, 8))
        found: list[Finding] = []
        tree = parse_strictly(fix(markup, repair=repair, root="r", on_finding=found.append))  # type: ignore[arg-type]
        is_foreign = re.search(
            r"<svg|<math|<!\[CDATA\[", markup, re.IGNORECASE
        )  # to `read_text` not
        if not is_foreign and not any(finding.lossy for finding in found):
            compared += 1
            assert visible(element_text(tree)) == visible(read_text(markup)), markup
    assert compared > 50


def visible(text: str) -> list[str]:
    """The characters of a text but for white space, whatever their order."""
    return sorted("".join(text.split()))


# ── places ───────────────────────────────────────────────────────────────────

MARKED = "\ufeff\x7f<p>a</b>\r\nb</i>"
PLACES = [(1, 1, 1), (1, 6, 6), (2, 2, 13), (2, 6, 17)]


@pytest.mark.parametrize("encoding", ["", "utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pieces", [0, 1, 3, 100])
def test_a_byte_order_mark_on_every_road(encoding: str, pieces: int) -> None:
    source: Any = MARKED.encode(encoding) if encoding else MARKED
    found: list[Finding] = []
    if pieces:
        with Fixer(on_finding=found.append) as fixer:
            for at in range(0, len(source), pieces):
                fixer.feed(source[at : at + pieces])
            fixer.close()
    else:
        fix(source, on_finding=found.append)
    assert [(one.line, one.column, one.offset) for one in found] == PLACES


OF_ATTRIBUTES = {
    "xmlfix-attribute-collision",
    "xmlfix-attribute-without-quotes",
    "xmlfix-attribute-without-value",
    "xmlfix-name-cut",
    "xmlfix-name-escaped",
    "xmlfix-prefix-declared",
    "xmlfix-prefix-stripped",
    "xmlfix-too-many-attributes",
    "xmlfix-xmlns-dropped",
}
# the attribute in question is the one whose name begins with "z", or has it as its prefix
ATTRIBUTES = [
    *('<p a="1" z:c="2">', "<p a='1'  z:c=2>", '<p\na="1"\nz:c="2" b>', "<P Z:c='>' a=\"b\">"),
    *('<p a="1" z@="2">', "<b z@=2>x<p>y</b>z", '<p a="1" z@="2" a="3">', "<svg><g a z@></svg>"),
    *('<p a="1" xmlns:z="b c">', '<p a xmlns:z="::"><p>', "<p a z=b>", "<p a='z' z>", "<p a=1 z >"),
    *(
        '<p c="1" z:c="2">',
        '<p z:c="2" c="1" >',
        '<html a="1"><html b="2" z:d="3">',
        "<br a z@='1'>",
    ),
    '<svg viewbox="1" z:href="2"/>',
]


@pytest.mark.parametrize("pieces", [0, 1, 7])
@pytest.mark.parametrize("repair", REPAIRS)
@pytest.mark.parametrize("prefixes", ["declare", "escape", "strip"])
def test_attributes_are_found_at_their_names(prefixes: str, repair: str, pieces: int) -> None:
    seen = set()
    for markup in ATTRIBUTES:
        options: dict[str, Any] = {"repair": repair, "prefixes": prefixes, "max_attributes": 3}
        found: list[Finding] = []
        if pieces:
            with Fixer(**options, on_finding=found.append) as fixer:
                for at in range(0, len(markup), pieces):
                    fixer.feed(markup[at : at + pieces])
                fixer.close()
        else:
            fix(markup, **options, on_finding=found.append)
        for one in found:
            if one.code in OF_ATTRIBUTES:
                seen.add(one.code)
                name = re.match(r"[^\s=/>]+", markup[one.offset :])
                assert name, (markup, one)
                assert markup[one.offset - 1] in " \n", (markup, one)
                if "name" in one.message or "prefix" in one.message or "xmlns" in one.message:
                    assert "z" in name[0].lower(), (markup, one)
        places = [(one.code, one.offset) for one in found if one.code in OF_ATTRIBUTES]
        assert len(places) == len(set(places)), (markup, found)
    assert len(seen) >= 4


def test_attributes_past_the_limit_and_long_names_have_places() -> None:
    assert [
        (one.code, one.offset) for one in findings('<p a="1" bb="2" cc="3">', max_attributes=1)[:2]
    ] == [("xmlfix-too-many-attributes", 9), ("xmlfix-too-many-attributes", 16)]
    (found, _) = findings(f'<p a="1" {"n" * 60_000}="2">')
    assert (found.code, found.offset) == ("xmlfix-name-cut", 9)


def test_late_attributes_that_are_there_already() -> None:
    """The first value stays, and the other is lost."""
    found = findings(
        '<html a="1"><body b="1"><html a="2" c="3" a2=""><body b="1" d="@">', repair="browser"
    )
    assert [(one.code, one.offset, one.lossy) for one in found] == [
        ("xmlfix-late-attributes", 24, False),
        ("xmlfix-attribute-collision", 30, True),
        ("xmlfix-late-attributes", 48, False),
    ]
