"""`repair="browser"` passes the tree-construction conformance data, through XML and lxml."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from dat import Case, coerce_document, load, xml_dump
from lxml import etree
from soup import select_soup
from support import fresh_seed, need_shared, shared

import xmlfix

FILES = sorted((shared() or Path()).glob("html5lib-tests/tree-construction/*.dat")) or [None]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem if path else "absent")
@pytest.mark.parametrize("xhtml", [True, False], ids=["namespaces", "plain"])
def test_conformance(path: Path | None, xhtml: bool) -> None:
    need_shared()
    assert path is not None
    assert conform(load(path), xhtml=xhtml, prefixes="declare")


@pytest.mark.parametrize("xhtml", [True, False], ids=["namespaces", "plain"])
def test_conformance_with_escaped_prefixes(xhtml: bool) -> None:
    """The same for all cases that can have a name with a prefix."""
    need_shared()
    chosen = [case for path in FILES if path for case in load(path) if ":" in case.data]
    assert conform(chosen, xhtml=xhtml, prefixes="escape") > 30


def conform(chosen: list[Case], *, xhtml: bool, prefixes: Any) -> int:
    """Hold the tree of each case to the one that the data say; returns how many there were."""
    count = 0
    for case in chosen:
        for scripting in case.scripting:
            xml = xmlfix.fix(
                case.data,
                input="html",
                fragment=case.fragment,
                scripting=scripting,
                xhtml=xhtml,
                pi="comment",
                prefixes=prefixes,
                doctype="keep",
            )
            dump = xml_dump(xml, fragment=case.fragment is not None)
            expected = coerce_document(case.document, xhtml=xhtml, escape=prefixes == "escape")
            assert dump == expected, (case.file, case.number, scripting, case.data)
            count += 1
    return count


SELECTEDCONTENT = {
    "<select><button><selectedcontent></button><option>a<option>b</select>": "a",
    "<select><button><selectedcontent>old</button><option>a</select>": "a",
    "<select><button><selectedcontent>old</button></select>": "old",
    "<select><button><selectedcontent></button><option>a<option selected>b<option selected>c": "c",
    "<select><button><selectedcontent></button><option disabled>a<option>b</select>": "b",
    "<select multiple><button><selectedcontent></button><option>a</select>": "",
    "<select size=2><button><selectedcontent></button><option>a</select>": "",
    "<select><button><selectedcontent></button><template><option>a</template><option>b": "b",
    "<select><option>a</option><button><selectedcontent></button></select>": "a",
    "<select><button><selectedcontent></button><option>a<div><option selected>b</div>c": "abc",
    "<select><button><selectedcontent></button><datalist><option>a</datalist><option>b": "b",
    "<select><button><selectedcontent></button><optgroup disabled><option>a</optgroup>"
    "<option>b": "b",
    "<select><selectedcontent>old<option>x</option>y</selectedcontent>z": "xy",
    "<select><selectedcontent><option>x</option>y<option selected>z</option>w</select>": "zw",
    "<select><selectedcontent><div>1<option>x</option>2</div>3</selectedcontent>4": "x3",
    "<select><b><selectedcontent><i>1<option>x</option>2<div>3</b>4": "x",
    "<select><option>x</option><selectedcontent>a</selectedcontent><option>b": "xa",
    "<select><option>x</option><selectedcontent>a</selectedcontent><option selected>b": "b",
    "<select><selectedcontent>a</selectedcontent><selectedcontent>b</select>": "",
    "<select><option>x<selectedcontent>y</selectedcontent></option><option selected>z": "y",
    "<select><selectedcontent></selectedcontent><option>1<div><option>2</div>3</option>4": "123",
}


@pytest.mark.parametrize("html", SELECTEDCONTENT)
def test_selectedcontent(html: str) -> None:
    content = xmlfix.fromstring(html).find(".//selectedcontent")
    assert "".join(content.itertext()) == SELECTEDCONTENT[html]


SHOWN = "<select><button><selectedcontent></selectedcontent></button><option selected>"
DEEP = [
    SHOWN + "<b>" * 253 + "x",
    SHOWN + "<div><i>" * 150 + "x<br>y",
    "<div>" * 251 + SHOWN + "<u>x<br>y",
    "<object>" * 253 + SHOWN + "<b>x<br>y",
]


@pytest.mark.parametrize("html", DEEP)
@pytest.mark.parametrize("max_depth", [8, 9, 10, 11, 256])
def test_max_depth_holds_for_what_a_select_shows(html: str, max_depth: int) -> None:
    variants: list[dict[str, Any]] = [{}, {"xhtml": True}, {"drop": ["i"]}]
    for options in variants:
        root = etree.fromstring(xmlfix.fix(html, max_depth=max_depth, **options))
        assert max(len([*node.iterancestors()]) + 1 for node in root.iter()) <= max_depth
        assert "drop" in options or "x" in "".join(root.itertext())


@pytest.mark.parametrize("between", ["<table><td>", "<object>", "<svg><desc>"])
def test_selects_in_options_of_selects(between: str) -> None:
    """Only the outermost is filled, so that copies do not grow with a power of the depth."""
    html = (SHOWN + "x" + between) * 18
    xml = xmlfix.fix(html, max_depth=2048)
    assert len(xml) < 10 * len(html)
    shown = etree.fromstring(xml).xpath("//selectedcontent[node()]")
    assert [len([*content.iterancestors("select")]) for content in shown] == [1]


def test_copies_of_an_open_option_have_a_limit() -> None:
    html = SHOWN + "<selectedcontent>some</selectedcontent>text" * 3000
    found: list[xmlfix.Finding] = []
    xml = xmlfix.fix(html, on_finding=found.append)
    assert len(xml) < 40 * len(html)
    assert [finding.code for finding in found].count("xmlfix-copy-limit") == 1
    with xmlfix.Fixer() as fixer:
        pieces = [fixer.feed(html[at : at + 50]) for at in range(0, len(html), 50)]
        assert "".join(pieces) + fixer.close() == xml


REPLACED = {
    "<select><button><selectedcontent></button><option>x</select>": 0,
    "<select><button><selectedcontent></button><option>x<option selected>y</select>": 0,
    "<select><button><selectedcontent>old</button><option>x</select>": 1,
    "<select><selectedcontent><div><option>x</option>lost</div>y</select>": 1,
    "<select><selectedcontent>a</selectedcontent><selectedcontent>b</select>": 1,
}


@pytest.mark.parametrize("html", REPLACED)
def test_what_a_copy_replaces_is_a_finding(html: str) -> None:
    found: list[xmlfix.Finding] = []
    xmlfix.fix(html, on_finding=found.append)
    replaced = [f for f in found if f.code == "xmlfix-selectedcontent-replaced"]
    assert len(replaced) == REPLACED[html]
    assert all(finding.lossy for finding in replaced)


def test_select_soup_is_well_formed_at_every_depth_and_in_pieces() -> None:
    seed = fresh_seed()
    for number in range(500):
        rng = random.Random(f"{seed} {number}")
        html = select_soup(rng, rng.randint(1, 16)) + rng.choice(("", "</select>z<p>w"))
        max_depth = rng.choice((8, 8, 9, 10, 11, 256))
        xml = xmlfix.fix(html, max_depth=max_depth, input="html")
        root = etree.fromstring(xml)
        depth = max(len([*node.iterancestors()]) + 1 for node in root.iter("*"))
        assert depth <= max_depth, (html, max_depth)
        for size in (1, 3, 7):
            with xmlfix.Fixer(max_depth=max_depth, input="html") as fixer:
                pieces = [fixer.feed(html[at : at + size]) for at in range(0, len(html), size)]
                assert "".join(pieces) + fixer.close() == xml, (html, max_depth)


def test_selectedcontent_does_not_repeat_an_xml_id() -> None:
    html = "<select><button><selectedcontent></button><option>x<i xml:id=a>y</i></select>"
    root = xmlfix.fromstring(html)
    assert root.xpath("count(//i)") == 2
    assert root.xpath("//selectedcontent/i/@*") == ["a"]
