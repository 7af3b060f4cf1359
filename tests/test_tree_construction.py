"""`repair="browser"` passes the tree-construction conformance data, through XML and lxml."""

from __future__ import annotations

from pathlib import Path

import pytest
from dat import coerce_document, load, xml_dump
from support import need_shared, shared

import xmlfix

FILES = sorted((shared() or Path()).glob("html5lib-tests/tree-construction/*.dat")) or [None]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem if path else "absent")
@pytest.mark.parametrize("xhtml", [True, False], ids=["namespaces", "plain"])
def test_conformance(path: Path | None, xhtml: bool) -> None:
    need_shared()
    assert path is not None
    count = 0
    for case in load(path):
        for scripting in case.scripting:
            xml = xmlfix.fix(
                case.data,
                input="html",
                fragment=case.fragment,
                scripting=scripting,
                xhtml=xhtml,
                pi="comment",
                doctype="keep",
            )
            dump = xml_dump(xml, fragment=case.fragment is not None)
            expected = coerce_document(case.document, xhtml=xhtml)
            assert dump == expected, (case.number, scripting, case.data)
            count += 1
    assert count


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
}


@pytest.mark.parametrize("html", SELECTEDCONTENT)
def test_selectedcontent(html: str) -> None:
    content = xmlfix.fromstring(html).find(".//selectedcontent")
    assert "".join(content.itertext()) == SELECTEDCONTENT[html]


def test_selectedcontent_does_not_repeat_an_xml_id() -> None:
    html = "<select><button><selectedcontent></button><option>x<i xml:id=a>y</i></select>"
    root = xmlfix.fromstring(html)
    assert root.xpath("count(//i)") == 2
    assert root.xpath("//selectedcontent/i/@*") == ["a"]
