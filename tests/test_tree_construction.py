"""`repair="browser"` passes the tree-construction conformance data, through XML and lxml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dat import Case, coerce_document, load, xml_dump
from lxml import etree
from support import need_shared, shared

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
    """Copies of copies would grow with a power of the depth."""
    html = (SHOWN + "x" + between) * 18
    found: list[xmlfix.Finding] = []
    xml = xmlfix.fix(html, on_finding=found.append)
    assert len(xml) < 40 * len(html) + 2 * (1 << 20)
    assert "xmlfix-copy-limit" in {finding.code for finding in found}
    with xmlfix.Fixer() as fixer:
        pieces = [fixer.feed(html[at : at + 50]) for at in range(0, len(html), 50)]
        assert "".join(pieces) + fixer.close() == xmlfix.fix(html)


def test_selectedcontent_does_not_repeat_an_xml_id() -> None:
    html = "<select><button><selectedcontent></button><option>x<i xml:id=a>y</i></select>"
    root = xmlfix.fromstring(html)
    assert root.xpath("count(//i)") == 2
    assert root.xpath("//selectedcontent/i/@*") == ["a"]
