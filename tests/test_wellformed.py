"""Whatever goes in, XML comes out that strict parsers take, and that is not repaired twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

import pytest
from lxml import etree
from nasty import NASTY
from support import REPAIRS, need_shared, pages, parse_strictly

from xmlfix import fix, fix_bytes

PAGES: list[Path | None] = [*pages()] or [None]

repairs = pytest.mark.parametrize("repair", REPAIRS)


@repairs
@pytest.mark.parametrize("name", NASTY)
def test_nasty(name: str, repair: Any) -> None:
    xml = fix(NASTY[name], repair=repair)
    parse_strictly(xml)
    assert fix(xml, repair=repair) == xml


@repairs
@pytest.mark.parametrize("name", [name for name in NASTY if isinstance(NASTY[name], bytes)])
def test_nasty_bytes(name: str, repair: Any) -> None:
    xml = fix_bytes(NASTY[name], repair=repair)
    parse_strictly(xml)
    assert fix_bytes(xml, repair=repair) == xml


@repairs
@pytest.mark.parametrize("name", [name for name in NASTY if not name.startswith("huge")])
def test_nasty_in_ascii(name: str, repair: Any) -> None:
    xml = fix_bytes(NASTY[name], output_encoding="us-ascii", repair=repair)
    assert xml.isascii()
    parse_strictly(xml)


@repairs
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:40] if page else "absent")
def test_page(page: Path | None, repair: Any) -> None:
    need_shared()
    assert page is not None
    data = page.read_bytes()
    xml = fix_bytes(data, repair=repair, doctype="keep")
    parse_strictly(xml)
    assert fix_bytes(xml, repair=repair, doctype="keep") == xml


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "a",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a:b/>",
        "<a b='1' b='2'/>",
        "<a>&nbsp;</a>",
        "<a>\x01",
    ],
)
def test_the_judge_is_strict(bad: str) -> None:
    with pytest.raises((etree.XMLSyntaxError, ExpatError)):
        parse_strictly(bad)


ODD: list[tuple[str, dict[str, Any]]] = [
    ('<p s:xmlns="foo bar">', {"prefixes": "strip"}),
    ('<p s:xmlns="foo bar">', {"prefixes": "strip", "repair": "xml"}),
    ('<p s:xmlns="http://www.w3.org/2000/xmlns/">', {"prefixes": "strip", "repair": "stack"}),
    ('<svg s:xmlns="u:x">', {"prefixes": "strip", "xhtml": True}),
    (">" + "<d>" * 254 + '<g xmlns:x="t"><n x:y=1>', {"repair": "xml"}),
    ("><d><d><d><d><d><d><d><d><g xmlns:x='t'><n x:y>", {"repair": "xml", "max_depth": 10}),
    (
        "<a:b a:c=1>1</a:b><p xmlns:a='u'/><p xmlns:a='urn:xmlfix:prefix:b' b:y=1 a:y=2>2",
        {"repair": "xml"},
    ),
    ("<body><body o:p>", {"repair": "xml", "body_only": True}),
    ("<o:p><body><body>", {"repair": "stack", "body_only": True}),
    ("<a:b>", {"prefixes": "strip", "drop": ("b",)}),
    ("<p p=\x01><p>", {}),
]


@pytest.mark.parametrize(("markup", "options"), ODD)
def test_odd_together(markup: str, options: dict[str, Any]) -> None:
    xml = fix(markup, **options)
    parse_strictly(xml)
    assert fix(xml, **options) == xml


def test_nested_bodies_do_not_repeat_declarations() -> None:
    markup = "".join(f"<body xmlns:a{number}=u:{number}>" for number in range(2000))
    assert len(fix(markup, repair="xml", body_only=True)) < 3 * len(markup)
