"""Trees of fragments: the context is the root, so that queries find what they ask for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from soup import seeded_soup
from support import fresh_seed
from test_command import run

import xmlfix
from xmlfix.elements import HTML_ELEMENTS

ROOTS = [
    # the context, options, the markup, and the tree
    ("tr", {}, "<td>1<td>2", "<tr><td>1</td><td>2</td></tr>"),
    ("TR", {}, "x<td>1", "<tr>x<td>1</td></tr>"),
    ("tr", {"root": "row"}, "<td>1<td>2", "<row><td>1</td><td>2</td></row>"),
    ("tr", {"drop": ["tr", "b"]}, "<td>1<b>2", "<tr><td>1</td></tr>"),
    ("body", {}, "a<p>b", "<body>a<p>b</p></body>"),
    ("body", {}, "", "<body/>"),
    ("div", {}, "<!--a--><p>b", "<div><!--a--><p>b</p></div>"),
    ("html", {}, "<title>a</title>b", "<html><head><title>a</title></head><body>b</body></html>"),
    ("br", {}, "a", "<br>a</br>"),
    ("template", {}, "<tr><td>a", "<template><tr><td>a</td></tr></template>"),
    ("script", {}, "a<b>c", "<script>a&lt;b&gt;c</script>"),
    ("my-card", {}, "<p>a", "<my-card><p>a</p></my-card>"),
    ("o:p", {}, "a<o:p>b", '<oU00003Ap xmlns:o="urn:o">a<o:p>b</o:p></oU00003Ap>'),
    ("svg", {}, "<path/>a", "<svg><path/>a</svg>"),
    ("svg foreignobject", {}, "<p>a", "<foreignObject><p>a</p></foreignObject>"),
    ("tr", {"xhtml": True}, "<td>1", '<tr xmlns="http://www.w3.org/1999/xhtml"><td>1</td></tr>'),
    (
        "svg",
        {"xhtml": True},
        "<path/><desc><p>a",
        '<svg xmlns="http://www.w3.org/2000/svg"><path/>'
        '<desc><p xmlns="http://www.w3.org/1999/xhtml">a</p></desc></svg>',
    ),
    ("math mi", {"xhtml": True}, "a", '<mi xmlns="http://www.w3.org/1998/Math/MathML">a</mi>'),
]


@pytest.mark.parametrize(("context", "options", "html", "xml"), ROOTS)
def test_the_root(context: str, options: dict[str, Any], html: str, xml: str) -> None:
    expected = xml.replace("urn:o", "urn:schemas-microsoft-com:office:office")
    for root in (
        xmlfix.fromstring(html, fragment=context, **options),
        xmlfix.parse(html, fragment=context, **options).getroot(),
        xmlfix.fromstring(html.encode(), fragment=context, **options),
    ):
        canonical = etree.tostring(etree.fromstring(expected), method="c14n")
        assert etree.tostring(root, method="c14n") == canonical


def test_the_text_has_no_root() -> None:
    assert xmlfix.fix("<td>1<td>2", fragment="tr") == "<td>1</td><td>2</td>"


def test_a_root_for_every_context() -> None:
    """Its content is that of the fragment, whatever it is, and however deep."""
    import random

    rng = random.Random(fresh_seed())
    foreign = ["svg svg", "svg desc", "svg path", "math mi", "math annotation-xml"]
    for context in [*sorted(HTML_ELEMENTS), *foreign]:
        html = seeded_soup(rng)
        root = xmlfix.fromstring(html, fragment=context)
        assert root.tag == context.rpartition(" ")[2]
        text = xmlfix.fix(html, fragment=context, root="r", prefixes="escape")
        again = xmlfix.fromstring(html, fragment=context, prefixes="escape")
        again.tag = "r"
        expected = etree.fromstring(text.encode())
        assert etree.tostring(again, method="c14n") == etree.tostring(expected, method="c14n")
    deep = xmlfix.fromstring("<i>" * 300, fragment="p", max_depth=20)
    assert int(deep.xpath("string(count(//*[not(*)][1]/ancestor::*))")) < 20


# ── the calls and commands that ask trees ────────────────────────────────────


def test_calls() -> None:
    assert xmlfix.css(xmlfix.fromstring("<td>1<td>2", fragment="tr"), "tr > td::text") == ["1", "2"]
    row = {"a": "td", "b": "td + td"}
    assert xmlfix.records("<td>1<td>2", "tr", row, fragment="tr") == [{"a": "1", "b": "2"}]
    [table] = xmlfix.tables("<td>1<td>2", fragment="table", header="none")
    assert table.rows == [["1", "2"]]
    [link] = xmlfix.links("<td><a href=x>y", fragment="tr")
    assert (link.address, link.line) == ("x", 1)


ASKED = [
    (["css", "--fragment=tr", "td"], "<td>1</td>\n<td>2&#10;</td>\n"),
    (["css", "--fragment=tr", "--text", "tr > td + td"], "2\n"),
    (["css", "--fragment=tr", "--root=r", "--text", "r > td"], "1\n2\n"),
    (["xpath", "--fragment=tr", "count(/tr/td)"], "2\n"),
    (["xpath", "--fragment=tr", "--xhtml", "count(/html:tr/html:td)"], "2\n"),
    (["xslt", "--fragment=tr", "s.xsl"], '<?xml version="1.0"?>\n<row n="2"/>\n'),
    (["tables", "--fragment=table"], "1,2\n"),
    (["outline", "--fragment=tr"], "tr:has-n-children(2)\n  td ×2\n"),
    (["extract", "--fragment=tr", "--rows", "tr", "--columns", "c.json"], "a\n2\n"),
    (["extract", "--fragment=tr", "--try", "td + td"], "1 found\n1: td '2'\n"),
    (["links", "--fragment=tr"], ""),
    (["links", "--fragment=tr", "--styles"], ""),
]
SHEET = """<row xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
n="{count(tr/td)}"/>"""


@pytest.mark.parametrize(("words", "shown"), ASKED, ids=lambda value: " ".join(value)[:40])
def test_commands(tmp_path: Path, words: list[str], shown: str) -> None:
    (tmp_path / "s.xsl").write_text(SHEET)
    (tmp_path / "c.json").write_text(json.dumps([{"Name": "a", "Selector": "td + td"}]))
    done = run(*words, input=b"<td>1<td>2\n", cwd=tmp_path)
    assert done.stdout.decode().replace("\r\n", "\n") == shown
    assert (done.returncode, done.stderr) == (0 if shown else 1, b"")
