"""Input that is XML: which road it takes, whole and in pieces; entities and their bounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from markup import xml_soups
from nasty_xml import BOMB
from support import parse_strictly

import xmlfix
from xmlfix import Finding, Fixer, fix

DECLARATION = '<?xml version="1.0"?>'
SVG = '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>'

# Input, options, and whether XML's rules read it.
ROADS: list[tuple[str, dict[str, Any], bool]] = [
    (DECLARATION + "<rss><title>a<title>b</rss>", {}, True),
    (DECLARATION + "<feed><br></feed>", {}, True),
    (DECLARATION + "<rss><atom:link/></rss>", {}, True),
    (DECLARATION + "<!DOCTYPE rss SYSTEM 'r.dtd'><rss>&nbsp;</rss>", {}, True),
    (DECLARATION + SVG, {}, True),
    (DECLARATION + SVG + "</x>", {}, True),
    (DECLARATION + "<x:html><y></x:html>", {"prefixes": "escape"}, False),
    (DECLARATION + "<html><p>a<p>b</html>", {}, False),
    (DECLARATION + "<HTML><p>a<p>b</HTML>", {}, False),
    (DECLARATION + "<p>a<p>b", {}, False),
    (DECLARATION + "<Table><tr><td>a", {}, False),
    (DECLARATION + "<p>a</p>", {}, True),
    (DECLARATION + "text", {}, False),
    (DECLARATION, {}, False),
    ("<?xml version='1.0'><rss>a", {}, True),
    ("<?xml version='1.0'? ><rss>a", {}, True),
    ("<?xml version='1.0'><html>a", {}, False),
    ("\n " + DECLARATION + "<rss>a</rss>", {}, True),
    ("<!-- a -->" + DECLARATION + "<rss>a</rss>", {}, True),
    ("<!-- a -->" + DECLARATION + "<html>a</html>", {}, False),
    ("\ufeff" + DECLARATION + "<rss>a", {}, True),
    (DECLARATION + "<?a b > c <html> ?><rss>a", {}, True),
    (DECLARATION + "<!-- <html> --><!DOCTYPE r [<!-- ]><html> -->]><rss>a", {}, True),
    (DECLARATION + "<!DOCTYPE r [<!ENTITY a '<html>'>]><rss>&a;", {}, True),
    ("<rss>a", {}, False),
    ("<?xmlx?><rss>a", {}, False),
    ("<rss>a", {"input": "xml"}, True),
    ("<p>a<br>", {"input": "xml"}, True),
    (SVG, {"input": "xml"}, True),
    ("a<p>", {"input": "xml"}, False),
    (DECLARATION + "<rss>a", {"input": "html"}, False),
    ("<rss>a", {"transport_encoding": "application/rss+xml"}, True),
    ("<html><p>a", {"transport_encoding": "application/xhtml+xml"}, False),
    ("<html><p>a</p></html>", {"transport_encoding": "application/xhtml+xml"}, True),
    (DECLARATION + "<!DOCTYPE r [" + "<!ENTITY a 'b'>" * 400 + "]><rss>&a;", {}, True),
    (DECLARATION + "<!--" + "-" * 5000 + "--><rss>a", {}, True),
    ("<!--" + " " * 5000 + "-->" + DECLARATION + "<rss>a", {}, False),
    (" " * 4090 + DECLARATION + "<rss>a", {}, True),
    (" " * 4091 + DECLARATION + "<rss>a", {}, False),
]


def pushed(markup: str | bytes, size: int, **options: Any) -> str:
    """The output for a markup that comes in pieces."""
    with Fixer(**options) as fixer:
        parts = [fixer.feed(markup[at : at + size]) for at in range(0, len(markup), size)]
        return "".join([*parts, fixer.close()])


@pytest.mark.parametrize(("markup", "options", "is_xml"), ROADS)
def test_roads(markup: str, options: dict[str, Any], is_xml: bool) -> None:
    xml = fix(markup, **options)
    root = parse_strictly(xml)
    manners = "xml" if is_xml else "browser"
    chosen: dict[str, Any] = {**options, "repair": manners, "input": "auto" if is_xml else "html"}
    assert xml == fix(markup, **chosen)
    assert root.tag == "html" or is_xml
    if options.get("input") != "html":
        assert fix(xml, **options) == xml
    for size in (1, 3, 4095, 4096, 4097) if len(markup) < 200 else (7, 4095, 4096, 4097):
        assert pushed(markup, size, **options) == xml
    assert pushed(markup.encode(), 5, **options) == fix(markup.encode(), **options) == xml


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_roads_of_bytes(encoding: str, size: int) -> None:
    name = encoding.removesuffix("-sig")
    data = f'<?xml version="1.0" encoding="{name}"?><rss>é<a></rss>'.encode(encoding)
    assert pushed(data, size) == fix(data)
    assert parse_strictly(fix(data)).text == "é"


@pytest.mark.parametrize("before", ["\n", " \t", "<!-- é -->", "\n<!--a--> <!-- <?xml?> -->\n"])
@pytest.mark.parametrize("options", [{"repair": "xml"}, {"input": "xml"}, {}])
def test_an_encoding_that_is_not_declared_at_once(before: str, options: dict[str, Any]) -> None:
    """An XML declaration after white space or a comment."""
    data = f"{before}<?xml version='1.0' encoding='iso-8859-2'?><r>ł</r>".encode(
        "iso-8859-2", "ignore"
    )
    assert parse_strictly(fix(data, **options)).text == "ł"


def test_encoding_is_that_of_the_declaration_alone() -> None:
    data = b"<?xml version='1.0'?><r encoding='iso-8859-2'>\xc5\x82</r>"
    assert parse_strictly(fix(data, repair="xml")).text == "ł"


def test_a_declaration_of_another_encoding_than_that_of_the_bytes() -> None:
    found: list[Finding] = []
    data = b"\xef\xbb\xbf<?xml version='1.0' encoding='koi8-r'?><r>\xc3\xa9</r>"
    assert parse_strictly(fix(data, on_finding=found.append)).text == "é"
    assert [(f.code, f.column) for f in found] == [("xmlfix-xml-declaration-wrong", 21)]
    found.clear()
    fix("<?xml version='1.0' encoding='utf-16'?><r/>".encode("utf-16-be"), on_finding=found.append)
    assert found == []


# ── bounds ───────────────────────────────────────────────────────────────────

LONG = "<!DOCTYPE r [<!ENTITY a '" + "x" * 50_000 + "'>]>"
CHAIN = (
    "<!DOCTYPE r [<!ENTITY e0 '" + "x" * 50_000 + "'>"
    + "".join(f"<!ENTITY e{n + 1} '&e{n};'>" for n in range(3_000))
    + "]><r>&e3000;</r>"
)  # fmt: skip
BOMBS = {
    "nested": BOMB,
    "in a value": BOMB.replace("<r>", "<r a='&i;'>"),
    "in a default value": BOMB.replace("]>", "<!ATTLIST r a CDATA '&i;'>]>"),
    "long": LONG + "<r>" + "&a;" * 3_000 + "</r>",
    "long in values": LONG + "<r>" + "<b a='&a;'/>" * 3_000 + "</r>",
    "chain": CHAIN,
    "default values": "<!DOCTYPE r [<!ATTLIST b a CDATA '" + "x" * 50_000 + "'>]><r>"
    + "<b/>" * 3_000 + "</r>",
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str) -> None:
    markup = BOMBS[name]
    found: list[Finding] = []
    xml = fix(markup, input="xml", on_finding=found.append)
    assert len(xml) < 20 * len(markup) + 2 * 2**20
    codes = {finding.code for finding in found if finding.lossy}
    assert "xmlfix-entity-limit" in codes
    assert fix(markup, input="xml") == xml
    assert fix(DECLARATION + markup) == fix(DECLARATION + markup, repair="xml")


# Each grows linearly: four times as much takes at most eight times as long.
GROWING: dict[str, Callable[[int], str]] = {
    "references": lambda n: "<r>" + "&a;" * n + "</r>",
    "references in a value": lambda n: "<r a='" + "&a;" * n + "'/>",
    "instructions": lambda n: "<r>" + "<?a>" * n,
    "instructions with brackets": lambda n: "<r><b>" + "<?a > " * n,
    "scripts": lambda n: "<html>" + "<script>" * n,
    "scripts with sections": lambda n: "<html>" + "<script><![CDATA[</script>" * n,
    "declarations": lambda n: "<!DOCTYPE r [" + "<!ENTITY a '" * n,
    "declarations without an end": lambda n: "<!DOCTYPE r [" + "<!x " * n,
    "comments in a subset": lambda n: "<!DOCTYPE r [" + "<!--" * n,
    "percent signs": lambda n: "<!DOCTYPE r [" + "%a" * n,
    "attribute lists": lambda n: (
        "<!DOCTYPE r ["
        + "".join(f"<!ATTLIST r a{i} CDATA #IMPLIED b{i} ID #REQUIRED>" for i in range(n // 30))
        + "]><r>" + "<r/>" * (n // 30)
    ),
    "white space in attribute lists": lambda n: (
        "<!DOCTYPE r [<!ATTLIST r" + " " * 2 * n + "><!ATTLIST r a CDATA" + " " * 2 * n + ">]>"
    ),
    "chain of entities": lambda n: "<!DOCTYPE r ["
    + "".join(f"<!ENTITY e{a} '&e{b};'>" for a, b in pairwise(range(n // 5))) + "]><r>&e0;",
    "end tags in other case": lambda n: "<r>" + "<A><b></a>" * n,
    "end tags of others": lambda n: "<r>" + "<A>" * 250 + "</b></C>" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_growth(name: str) -> None:
    make = GROWING[name]

    def seconds(n: int) -> float:
        markup = make(n)
        begin = time.process_time()
        fix(markup, repair="xml")
        return time.process_time() - begin

    seconds(500)
    assert seconds(8_000) < 8 * max(seconds(2_000), 0.02)


@pytest.mark.parametrize("options", [{"repair": "xml"}, {"input": "xml"}, {}])
def test_a_declaration_is_looked_for_in_linear_time(options: dict[str, Any]) -> None:
    """White space and comments may stand before it: a page of both has none."""

    def seconds(n: int) -> float:
        data = b" \n<!-- a -->" * n + b"<p>x"
        begin = time.process_time()
        fix(data, **options)
        return time.process_time() - begin

    seconds(1)
    assert seconds(4_000) < 8 * max(seconds(1_000), 0.02)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """External entities are not even looked for."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("something was opened")

    markup = (
        "<!DOCTYPE r SYSTEM 'file:///etc/passwd' [<!ENTITY a SYSTEM 'file:///etc/passwd'>"
        "<!ENTITY % b SYSTEM 'http://127.0.0.1:9/'>%b;]><r c='&a;'>&a;</r>"
    )
    fix(markup, input="xml")  # what is needed has been imported now
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("socket.socket", refuse)
    assert fix(markup, input="xml").endswith('<r c="&amp;a;">&amp;a;</r>')


# ── soup ─────────────────────────────────────────────────────────────────────


@settings(max_examples=250)
@given(xml_soups(), st.sampled_from([{}, {"input": "xml"}, {"repair": "xml"}]), st.integers(1, 9))
def test_soup(markup: str, options: dict[str, Any], size: int) -> None:
    xml = fix(markup, **options)
    parse_strictly(xml)
    assert fix(xml, **options) == xml
    found: list[Finding] = []
    assert fix(markup, on_finding=found.append, **options) == xml
    if options or any(finding.code == "xmlfix-xml-repaired" for finding in found):
        assert pushed(markup, size, **options) == xml


@settings(max_examples=150)
@given(xml_soups())
def test_the_road_does_not_depend_on_pieces(markup: str) -> None:
    """XML's rules read a stream if, and only if, they read the document."""
    given_whole: list[str] = []
    given_in_pieces: list[str] = []
    fix(markup, on_finding=lambda finding: given_whole.append(finding.code))
    pushed(markup, 1, on_finding=lambda finding: given_in_pieces.append(finding.code))
    code = "xmlfix-xml-repaired"
    assert (code in given_whole) == (code in given_in_pieces)


class Nothing(etree.Resolver):
    """What external entities are to the parser: empty."""

    def resolve(self, system_url: str | None, public_id: str | None, context: Any) -> Any:
        return self.resolve_string("", context)


@settings(max_examples=200)
@given(xml_soups())
def test_well_formed_soup_keeps_its_tree(markup: str) -> None:
    """What strict lxml reads is read alike."""
    parser = etree.XMLParser(attribute_defaults=True, resolve_entities=True, no_network=True)
    parser.resolvers.add(Nothing())
    try:
        expected = etree.fromstring(markup.encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return
    if "<!" in markup and "&e3;" in markup:  # an entity of markup is not expanded
        return
    tree = parse_strictly(fix(markup, repair="xml"))
    assert [(e.tag, dict(e.attrib)) for e in tree.iter(etree.Element)] == [
        (e.tag, dict(e.attrib)) for e in expected.iter(etree.Element)
    ]
    assert "".join(tree.itertext(etree.Element)) == "".join(expected.itertext(etree.Element))


def test_encoding_of_the_name_of_an_entity() -> None:
    assert xmlfix.fix("<!DOCTYPE r [<!ENTITY é 'x'>]><r>&é;</r>", input="xml").endswith("<r>x</r>")
