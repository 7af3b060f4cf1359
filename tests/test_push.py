"""The push parser: what it returns does not depend on how the input is cut."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from typing import Any

import pytest
from lxml import etree
from nasty import NASTY
from soup import SEEDS, random_soup, seeded_soup, select_soup
from support import fresh_seed, need_shared, pages

import xmlfix
from xmlfix import Finding, Fixer
from xmlfix.repair.browser import BODY_TAG_LIMIT

SOUPS = 300


def pushed(pieces: Iterable[Any], **options: Any) -> str:
    """The document that a Fixer makes of pieces."""
    with Fixer(**options) as fixer:
        return "".join([fixer.feed(piece) for piece in pieces] + [fixer.close()])


def cut(data: Any, size: int) -> list[Any]:
    """`data` in pieces of `size`."""
    return [data[start : start + size] for start in range(0, len(data), size)]


def soups(seed: int, count: int) -> list[str]:
    """Random documents."""
    found = []
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        if number % 6 == 5:
            found.append(select_soup(rng, 12))
        else:
            found.append(random_soup(rng, 12) if number % 2 else seeded_soup(rng))
    return found


def test_every_two_way_split() -> None:
    for html in [*SEEDS, *soups(1, SOUPS - len(SEEDS))][:SOUPS]:
        whole = pushed([html])
        expected = findings([html])
        for at in range(len(html)):
            pieces = [html[:at], html[at:]]
            assert pushed(pieces) == whole, (html, at)
            assert findings(pieces) == expected, (html, at)


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_small_pieces(size: int) -> None:
    for number, html in enumerate(soups(fresh_seed(), 400)):
        options: dict[str, Any] = [
            {},
            {"xhtml": True},
            {"fragment": "div"},
            {"drop": ["p", "b", "#comment"]},
            {"body_only": True},
            {"pi": "comment", "doctype": "keep"},
            {"repair": "stack"},
            {"nbsp": "space", "bare_attribute": "name"},
        ][number % 8]
        assert pushed(cut(html, size), **options) == pushed([html], **options), (html, options)


def findings(pieces: Iterable[Any], **options: Any) -> list[str]:
    """What a Fixer reports, in the order of places."""
    found: list[Finding] = []
    pushed(pieces, on_finding=found.append, **options)
    return sorted(f"{f.offset} {f.line}:{f.column} {f} {f.lossy}" for f in found)


def test_findings_do_not_depend_on_pieces() -> None:
    for html in soups(fresh_seed(), 200):
        given = html.replace("\n", "\r\n")
        expected = findings([given])
        for size in (1, 3, 50):
            assert findings(cut(given, size)) == expected, html


@pytest.mark.parametrize("context", ["html", "head", "colgroup", "table", "select", "svg", "td"])
def test_fragments_do_not_depend_on_pieces(context: str) -> None:
    for html in soups(fresh_seed(), 150):
        expected = findings([html], fragment=context)
        whole = pushed([html], fragment=context)
        for size in (1, 5, 50):
            assert pushed(cut(html, size), fragment=context) == whole, html
            assert findings(cut(html, size), fragment=context) == expected, html


@pytest.mark.parametrize("options", [{}, {"buffer_limit": 0}], ids=repr)
def test_what_comes_late_for_the_head_of_a_fragment(options: dict[str, Any]) -> None:
    html = "<head></head><title>x</title>"
    expected = "<head><title>x</title></head><body></body>"
    for pieces in ([html], cut(html, 13), html):
        assert pushed(pieces, fragment="html", **options) == expected


def test_text_dropped_in_a_column_group_is_one_finding() -> None:
    for html in ("<template><col>a b", "<template><col> a b c"):
        expected = findings([html])
        assert sum("text-dropped" in line for line in expected) == 1
        for size in (1, 2, 16, 17):
            assert findings(cut(html, size)) == expected


def test_same_as_fix_but_for_two_things() -> None:
    for html in soups(fresh_seed(), 1000):
        if "<html" in html or "<body" in html or ":" in html:
            continue  # late attributes, and prefixes
        assert pushed(cut(html, 100)) == xmlfix.fix(html)


@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_pages(size: int) -> None:
    need_shared()
    budget = {1: 60_000, 7: 200_000, 64: 1_500_000, 4096: 6_000_000}[size]
    for page in pages():
        data = page.read_bytes()
        if len(data) > budget:
            continue
        budget -= len(data)
        whole = pushed([data])
        assert pushed(cut(data, size)) == whole, page.name
        etree.fromstring(whole.encode())
        if len(data) <= 50_000:
            assert findings(cut(data, size)) == findings([data]), page.name


@pytest.mark.parametrize("name", [name for name in NASTY if not name.startswith("huge-")])
def test_nasty(name: str) -> None:
    source = NASTY[name]
    whole = pushed([source])
    etree.fromstring(whole)
    assert pushed(cut(source, 13)) == whole


# ── bytes ────────────────────────────────────────────────────────────────────

TEXT = "<p>caf\u00e9 \u20ac " * 3
ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with mark": TEXT.encode("utf-8-sig"),
    "windows-1252": TEXT.encode("cp1252"),
    "utf-16": TEXT.encode("utf-16"),
    "meta": b"<meta charset=koi8-r><p>\xd0\xd2\xc9\xd7\xc5\xd4",
    "late meta": b"x" * 2000 + b"\xd0<meta charset=koi8-r><p>\xd0\xd2\xc9\xd7\xc5\xd4",
    "late meta after ASCII": b"x" * 2000 + b"<meta charset=koi8-r><p>\xd0\xd2\xc9\xd7\xc5\xd4",
    "shift_jis": b"<meta charset=shift_jis><p>" + "日本語".encode("cp932"),
    "ascii, then utf-8": b"<p>abc" * 20_000 + TEXT.encode(),
    "ascii, then windows-1252": b"<p>abc" * 20_000 + TEXT.encode("cp1252"),
    "meta in a script": b"<script><meta charset=koi8-r></script>"
    + b"x" * 1100
    + b"\xc3\xa9<meta charset=utf-8>",
    "meta in a title": b"<title><meta charset=koi8-r></title>" + b"x" * 1100 + b"\xc3\xa9",
    "xml": b'<?xml version="1.0" encoding="iso-8859-2"?><r>\xb1</r>',
    "xhtml": b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><p>a</html>',
    "malformed": b"<meta charset=utf-8><p>\xff\xfe\xc3",
}


@pytest.mark.parametrize("name", ENCODED)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_bytes(name: str, size: int) -> None:
    data = ENCODED[name]
    if size == 1 and len(data) > 10_000:
        size = 997
    assert pushed(cut(data, size)) == xmlfix.fix(data)


# What a search for a <meta> in the first bytes and the parser see alike, and what only one does.
BEGINNINGS = [
    *(b"<meta charset=koi8-r>", b"<meta charset=utf-8>", b"<meta ", b"charset='gbk'>", b"<!--"),
    *(b"-->", b"<script>", b"</script>", b"<title>", b"</title>", b"\xd0\xc1", b"<a x='>", b"'>"),
    *(b"<?xml version='1.0' encoding='koi8-r'?>", b"<html>", b"<p>", b"<", b">", b"</", b"<!x"),
    *(b"<meta http-equiv=content-type content='text/html; charset=shift_jis'>", b"\x82\xa0"),
    *(b"<template>", b"<svg>", b"<meta charset=utf-16le>", b"<meta charset=nope>", b"x" * 300),
    *(b"<noscript>", b"<rss>", b"<frameset>", b"\xef\xbb\xbf", b"<META CHARSET='UTF-8' />"),
]


def test_beginnings_that_declare_an_encoding() -> None:
    rng = random.Random(fresh_seed())
    for _ in range(500):
        data = b"".join(rng.choices(BEGINNINGS, k=rng.randint(1, 12)))
        whole, expected = pushed([data]), findings([data])
        at = rng.randrange(len(data))
        for pieces in (cut(data, 1), cut(data, 17), [data[:at], data[at:]]):
            assert pushed(pieces) == whole, data
            assert findings(pieces) == expected, data


def test_byte_findings() -> None:
    data = b"<meta charset=utf-8>\r\n<p>\xff\xff a \xc3"
    assert findings(cut(data, 1)) == findings([data])
    assert any("xmlfix-malformed-bytes" in line for line in findings([data]))


@pytest.mark.parametrize("label", ["utf-8", "euc-kr", "shift_jis"])
def test_malformed_bytes_in_a_row_are_one_finding(label: str) -> None:
    """Also where a piece ends between them, past the beginning that is held."""
    data = f"<meta charset={label}>{'x' * 2000}<p>".encode() + b"\xff\xff\xff a \xff\r\xff\xff"
    expected = findings([data])
    assert sum("xmlfix-malformed-bytes" in line for line in expected) == 3
    for size in (1, 2, 7, 1000):
        assert findings(cut(data, size)) == expected


# ── when output leaves ───────────────────────────────────────────────────────

LEAVES = [
    # what is fed, then what has left
    ("<!DOCTYPE html><title>t</title>", "<html><head><title>t</title>"),
    ("<title>t</title><body><p>a", "<html><head><title>t</title></head><body><p>a"),
    ("<title>t</title><p>a", "<html><head><title>t</title></head>"),  # <body class=x> may come
    ("<body><p>a</p><table>x", "<html><head></head><body><p>a</p>"),
    ("<body><p>a</p><table></table>b", "<html><head></head><body><p>a</p><table></table>b"),
    ("<body><p>a<b>b", "<html><head></head><body><p>a<b>b"),
    ("<body>x<b>a<p>b", "<html><head></head><body>x<b>a"),
    ("<body>x<b>a<p>b</b>c</p>d", "<html><head></head><body>x<b>a</b><p><b>b</b>c</p>d"),
    ("<frameset>", "<html><head></head><frameset>"),
    ("<body>", "<html><head></head><body>"),
    (" <b>", "<html><head></head>"),
    ("</head><!--c-->", "<html><head>"),
    ("<body>x<select><option>a", "<html><head></head><body>x"),
]


@pytest.mark.parametrize(("html", "left"), LEAVES)
def test_leaves_as_soon_as_final(html: str, left: str) -> None:
    with Fixer(xml_declaration=False) as fixer:
        assert "".join(fixer.feed(char) for char in html) + fixer.feed("") == left
        fixer.close()


EARLY = [
    # the pieces, and what has left after the last
    ([b"<meta charset=utf-8><body>a"], '<html><head><meta charset="utf-8"/></head><body>a'),
    ([b"<!DOCTYPE html><html><head>", b"<meta charset=gbk><title>t</title>"],
     '<html><head><meta charset="gbk"/><title>t</title>'),
    ([b"\xef\xbb\xbf<body>", b"x"], "<html><head></head><body>x"),
    ([b"<body><p>" + b"a" * 200], ""),  # a <meta> may come
    ([b'<?xml version="1.0" encoding="utf-8"?><html><body><p>'], ""),  # and goes before that
    ([b"<script>'<meta charset=gbk>'</script><body><p>a"], ""),  # it is none for the parser
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "left"), EARLY)
def test_bytes_flow_when_their_encoding_is_clear(pieces: list[bytes], left: str) -> None:
    for given in (pieces, cut(b"".join(pieces), 1)):
        with Fixer(xml_declaration=False) as fixer:
            assert "".join(map(fixer.feed, given)) + fixer.feed(b"") == left
            fixer.close()


def test_late_attributes_are_a_finding() -> None:
    found: list[Finding] = []
    xml = pushed(["<body><p>a", "<body class=x><html lang=en>"], on_finding=found.append)
    assert "class" not in xml
    assert [f.code for f in found if f.lossy] == ["xmlfix-late-attributes-lost"] * 2


@pytest.mark.parametrize("size", [1, 7, 4096, 100_000])
def test_a_body_tag_after_content(size: int) -> None:
    """The start tag of body is waited for as long, however the input is cut."""
    tag = "<body class=x>"
    for room, is_lost in ((0, False), (1, True)):
        found: list[Finding] = []
        before = "<p>" + "a" * (BODY_TAG_LIMIT - len(tag) - 3 + room)
        source = f"{before}{tag}<p>b<body id=y>"
        xml = pushed(list(cut(source, size)), on_finding=found.append)
        assert ('<body class="x">' in xml) != is_lost
        assert "id=" not in xml
        lost = [finding.offset for finding in found if finding.lossy]
        assert lost == [len(before)] * is_lost + [source.index("<body id")]
        assert pushed(list(cut(source, size))) == xml


def test_prefixes_are_declared_where_they_are_used() -> None:
    xml = pushed(["<html xmlns:o=urn:o><p><o:p a:b=c>x</o:p><svg xlink:href=#a>"])
    root = etree.fromstring(xml)
    assert root.nsmap == {"o": "urn:o"}
    assert root.xpath("//@xl:href", namespaces={"xl": "http://www.w3.org/1999/xlink"}) == ["#a"]
    assert "xmlns:a=" in xml


@pytest.mark.parametrize("html", ["<table>", "<b><div>"])
def test_buffer_limit(html: str) -> None:
    found: list[Finding] = []
    text = "some text <i>and</i> more " * 2000
    source = f"x{html}<tr><td>" + text + "</table>y</b>z"
    with Fixer(buffer_limit=1000, on_finding=found.append) as fixer:
        parts = [fixer.feed(piece) for piece in cut(source, 500)]
        assert len("".join(parts)) > len(source) - 5_000
        parts.append(fixer.close())
    root = etree.fromstring("".join(parts))
    assert "".join(root.itertext()).count("and") == 2000
    assert "xmlfix-buffer-limit" in {f.code for f in found}
    assert "xmlfix-buffer-limit" not in {f.code for f in _found(source)}


def _found(source: str) -> list[Finding]:
    found: list[Finding] = []
    pushed(cut(source, 500), on_finding=found.append)
    return found


SELECTED = [
    "<select><table><option>x<col><selectedcontent>",
    "<p>a<select><table><option>x<tr><selectedcontent></table>",
    "<select><table><option></option><selectedcontent>",
    "<table><select><selectedcontent><button>",
    "<select><selectedcontent><b>x<i>y</i>z</b></selectedcontent><option>q<b>r",
    "<select><option>x</option><button><selectedcontent></button>y</select>z",
    "<select><selectedcontent><div>1<option>x</option>2</div>3<table>4<tr><td>5</select>z",
    "<select><b><selectedcontent><i>1<option>x</option>2<div>3</b>4</select>5",
    "<select><selectedcontent><table><tr><selectedcontent>a<b>b</select>5",
]


@pytest.mark.parametrize("html", SELECTED)
@pytest.mark.parametrize("limit", [None, 0, 20])
def test_what_a_select_shows_is_well_formed(html: str, limit: int | None) -> None:
    for size in (1, 7, 100):
        xml = pushed(cut(html, size), buffer_limit=limit)
        etree.fromstring(xml)
        if limit is None:
            assert xml == xmlfix.fix(html)


@pytest.mark.parametrize("start", [65_515, 65_530, 65_533, 65_535, 65_536])
def test_a_meta_at_the_limit(start: int) -> None:
    data = b"x" * start + b"<meta charset=koi8-r>\xd0\xcf"
    for size in (1000, 4096, 65_536, 65_537):
        assert pushed(cut(data, size)) == xmlfix.fix(data)


def test_metas_are_updated_where_all_is_held() -> None:
    options: dict[str, Any] = {"meta_charset": "update", "repair": "stack"}
    html = "<p><meta charset=koi8-r>x"
    assert pushed([html], **options) == xmlfix.fix(html, **options)


def test_a_select_shows_no_dropped_part() -> None:
    html = (
        "<select><button><selectedcontent></selectedcontent></button><option>a<p>b</p>c</select>z"
    )
    xml = xmlfix.fix(html, drop=["p"], xml_declaration=False)
    assert etree.fromstring(xml).xpath("string(//selectedcontent)") == "ac"
    assert xml.endswith("z</body></html>")


def test_an_open_select_is_given_up() -> None:
    source = "x<select>" + "<p>some text</p>" * 5000
    with Fixer(buffer_limit=1000) as fixer:
        parts = [fixer.feed(piece) for piece in cut(source, 500)]
        assert len("".join(parts)) > len(source) - 5_000


# ── misuse ───────────────────────────────────────────────────────────────────


def test_misuse() -> None:
    fixer = Fixer()
    fixer.feed("a")
    with pytest.raises(TypeError):
        fixer.feed(b"a")
    with pytest.raises(TypeError):
        fixer.feed(None)  # type: ignore[arg-type]
    fixer.close()
    with pytest.raises(xmlfix.XmlfixError):
        fixer.feed("a")
    with pytest.raises(xmlfix.XmlfixError):
        fixer.close()
    with pytest.raises(xmlfix.OptionError):
        Fixer(repair="tidy")  # type: ignore[arg-type]


def test_empty() -> None:
    assert pushed([]) == xmlfix.fix("")
    assert pushed([b""]) == xmlfix.fix(b"")


def test_fix_stream() -> None:
    html = "<p>caf\u00e9 " * 50_000
    for reader in (io.StringIO(html), io.BytesIO(html.encode())):
        out = io.StringIO()
        xmlfix.fix_stream(reader, out)
        assert out.getvalue() == xmlfix.fix(html)


# ── where streams once went wrong ────────────────────────────────────────────

AT_A_LIMIT: list[tuple[str, dict[str, Any]]] = [
    ("<y><y><y><y><y><applet><table><o>x", {"max_depth": 8}),
    ("<e>" * 253 + "<applet><table><o>x", {}),
    ("<m><e><m><e><m><e><marquee><table>-<script>", {"max_depth": 9}),
    ("<l><g>" * 7 + '<l><p><b"><template><table>><table>', {"max_depth": 20}),
    ("<table><r>", {"buffer_limit": 0}),
    ("<table>x<r>", {"buffer_limit": 10}),
    ("<table><a2><td>", {"buffer_limit": 0}),
    ("<table><svg></svg>", {"buffer_limit": 0}),
    ("<table><div><table><p>x<b><table>y", {"buffer_limit": 0}),
    ("<html xmlns:q='u' q:x=1>", {}),
    ("<p xmlns:q='http://x/" + "a" * 500 + "'>" + "<q:b>x</q:b>" * 50, {}),
]


@pytest.mark.parametrize(("html", "options"), AT_A_LIMIT)
def test_at_a_limit(html: str, options: dict[str, Any]) -> None:
    whole = pushed([html], **options)
    etree.fromstring(whole)
    assert len(whole) < 40 * len(html) + 1000
    assert pushed(html, **options) == whole


@pytest.mark.parametrize("limit", [0, 5, 50])
def test_buffer_limit_keeps_all_text(limit: int) -> None:
    for html in soups(fresh_seed(), 400):
        xml = pushed(cut(html, 5), buffer_limit=limit)
        etree.fromstring(xml)
        if any(word in html for word in ("frameset", "selectedcontent", "<svg", "<math")):
            continue  # what is read there may depend on what was moved
        text = "".join(etree.fromstring(xml).itertext())
        assert sorted(text) == sorted("".join(etree.fromstring(xmlfix.fix(html)).itertext()))


@pytest.mark.parametrize("limit", [0, 5, 50, 1000])
def test_buffer_limit_does_not_depend_on_the_pieces(limit: int) -> None:
    for html in soups(fresh_seed(), 300):
        html *= 1 + limit // 100
        whole = pushed([html], buffer_limit=limit)
        expected = findings([html], buffer_limit=limit)
        for size in (1, 7, 64):
            pieces = cut(html, size)
            assert pushed(pieces, buffer_limit=limit) == whole, html
            assert findings(pieces, buffer_limit=limit) == expected, html


@pytest.mark.parametrize("limit", [None, 0, 50])
def test_nothing_waits_for_the_head_after_a_frameset(limit: int | None) -> None:
    html = "<frameset><frame></frameset>" + "<noframes>some text</noframes>" * 99
    with Fixer(buffer_limit=limit) as fixer:
        parts = [fixer.feed(piece) for piece in cut(html, 10)]
        assert len("".join(parts)) > len(html) - 100
        parts.append(fixer.close())
    assert "".join(parts) == xmlfix.fix(html)
    assert not any("buffer-limit" in line for line in findings([html], buffer_limit=limit))


def test_small_pieces_are_held_in_linear_time() -> None:
    fixer = Fixer(repair="stack")
    for _ in range(200_000):
        fixer.feed("x")
    assert len(fixer.close()) > 200_000
