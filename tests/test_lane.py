"""The shortcut over whole tags gives what the states give, byte for byte."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from html.entities import html5
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import soups, themed_soups
from nasty import NASTY
from soup import random_soup, seeded_soup
from support import Collector, fresh_seed, need_shared, pages

import xmlfix
from xmlfix.read import lane, references, states
from xmlfix.read.reader import Reader
from xmlfix.read.references import decode_text, decode_value
from xmlfix.repair import quick
from xmlfix.repair.kinds import IRREGULAR
from xmlfix.repair.quick import WINDOW, Quick

TAG_PARTS = [
    *("a", "B", "br", "div", "/", " ", "  ", "\n", "=", '"', "'", "x", "href", '"v"', "'w'"),
    *('="1"', ' id="2"', " b=c", "&amp;", "&copy=1", "&copyx", "&lt", "&#65;", "&", "\u00e9"),
    *("-", ":", "@", "_", "xmlns", "xmlns:o", "`", "\t", "1", "\x0c", "\x01", "\ufffe", ".", "/a"),
]


def by_states(html: str, **options: Any) -> str:
    """The document as the states alone read it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Quick, "feed", lambda self, text, more: self._reader.feed(text, more))
        return xmlfix.fix(html, **options)


REFERENCE_PARTS = [
    *("&", "#", "x", ";", "=", "amp", "not", "in", "zz", "12", "0", " ", "copy", "lt", "A"),
    *("&nbsp;", "&#x80;", "&#xD800;"),
]


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(TAG_PARTS), max_size=9).map("".join), st.booleans())
def test_a_tag(raw: str, has_control: bool) -> None:
    lane.forget()
    careful = has_control or lane._CONTROL(raw) is not None
    lane.learn([raw], careful)
    shape = lane.MEMO.get(raw, IRREGULAR)
    if shape is IRREGULAR:
        return
    sink = Collector()
    Reader(sink).feed(f"<{raw}>", False)
    if raw[0] == "/":
        assert sink.tokens[0] == ["EndTag", shape.name]
    else:
        tag = lane.tag_of(raw, shape)
        assert sink.tokens[0][:3] == ["StartTag", tag.name, dict(tag.attrs)]
        assert (len(sink.tokens[0]) > 3) == tag.self_closing
    assert sink.tokens[1:] == [["End"]]


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(REFERENCE_PARTS)).map("".join))
def test_references(text: str) -> None:
    sink = Collector()
    Reader(sink).feed(f"{text}<a b='{text}'>", False)
    tokens = [token for token in sink.tokens if token[0] != "End"]
    if text:
        assert tokens[0] == ["Character", decode_text(text)]
    attrs: Any = tokens[-1][2]
    assert attrs["b"] == decode_value(text)


def test_facts_about_the_table_of_references() -> None:
    assert max(map(len, html5)) == references.LONGEST_NAME
    legacy = max(len(name) for name in html5 if name[-1] != ";")
    assert legacy == references.LONGEST_LEGACY_NAME
    assert references.FREQUENT.items() <= html5.items()


OPTIONS: list[dict[str, Any]] = [
    {},
    {"xhtml": True},
    {"fragment": "td"},
    {"fragment": "select"},
    {"scripting": True},
    {"max_depth": 9},
    {"prefixes": "strip"},
    {"prefixes": "escape"},
    {"max_attributes": 2},
    {"max_formatting": 2},
]


@settings(max_examples=400)
@given(st.one_of(soups(), themed_soups()), st.sampled_from(OPTIONS))
def test_soup(html: str, options: dict[str, Any]) -> None:
    assert xmlfix.fix(html, input="html", **options) == by_states(html, input="html", **options)


def test_random_soup() -> None:
    for number in range(4000):
        rng = random.Random(f"{fresh_seed()} {number}")
        html = random_soup(rng, 30) if number % 2 else seeded_soup(rng)
        options = {"input": "html", **rng.choice(OPTIONS)}
        assert xmlfix.fix(html, **options) == by_states(html, **options), (html, options)


# what the loop knows of, so that it gets far before a rule is needed
USUAL = (
    "<table> <table> <tr> <tr> <td> <td> <th> </td> </td> </tr> </table> </table> <tbody> </tbody>"
    " <thead> </thead> <tfoot> <li> </li> <ul> </ul> <p> </p> <div> </div> <b> </b> <a> </a> x y"
    " <caption> </caption> <col> <br> <span> </span> <h1> </h1> <svg> <g> </g> </svg> <!--c-->"
    " <script>a</script> <select> <option> </select> <input> <form> </form> <button> </button>"
    " <TABLE> <Tr> <TD/> </TD> </TR> &amp; &gt >"
).split()


@pytest.mark.parametrize("window", [5, 40, WINDOW])
def test_usual_soup(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(quick, "WINDOW", window)
    for number in range(3000):
        rng = random.Random(f"{fresh_seed()} {number}")
        html = "x" + "".join(rng.choices([*USUAL, " ", "\n"], k=rng.randrange(4, 40)))
        options = {"input": "html", **rng.choice(OPTIONS)}
        assert xmlfix.fix(html, **options) == by_states(html, **options), (html, options)


# pieces that have to do with each other, so that much of a document is regular
RELATED = [
    pieces.split("|")
    for pieces in (
        '<svg>|<svg viewBox="0 0">|<svg viewbox="0 0">|<svg xmlns="http://www.w3.org/2000/svg">|<g>'
        '|<svg xmlns:xlink="http://www.w3.org/1999/xlink">|</g>|</svg>|<path/>|<path>|</path>|<p>'
        '|<use xlink:href="#a"/>|<use xlink:href="#a">|</use>|<image xml:id="q"/>|<title>|</title>'
        '|<desc>|</desc>|<lineargradient id="a">|</linearGradient>|<foreignObject>|<svg/>'
        "|</foreignObject>|<!--c-->|<!--a--b-->|<script>a</script>|<style>a<b</style>|<br>|x|&lt;",
        "<svg xmlns:a=u:1>|<svg>|</svg>|<g xmlns:a=u:2 a:b=1>|<g a:b=1 c:b=2>|<g xmlns:c=u:2>|</g>"
        "|<a:b>|</a:b>|<p xmlns:a=u:1>|</p>|<use xlink:href=1 a:href=2>|</use>|<table>|<b a:x=1>"
        "|</b>|<use xmlns:a=http://www.w3.org/1999/xlink>|<math xlink:href=1>"
        "|<svg xlink:href=1 a:href=1>|</svg>|x",
        "<math>|</math>|<mi>|</mi>|<mo>|</mo>|<mrow>|</mrow>|<annotation-xml>|</annotation-xml>"
        "|<svg>|</svg>|<!--c-->|<!--a<b>-->|<font color=a>|<font>|</font>|<math/>|<mi/>|x|>|&copy",
        "<dl>|</dl>|<dt>|</dt>|<dd>|</dd>|<ul>|<li>|</li>|</ul>|<p>|</p>|<div>|</div>|<a>|</a>|x",
        "<ruby>|<ruby>|</ruby>|<rb>|</rb>|<rt>|</rt>|<rp>|</rp>|<rtc>|</rtc>|<p>|</p>|x|<b>|</b>",
        "<select>|</select>|<optgroup>|</optgroup>|<option>|</option>|<option>|<p>|x|<div>|<hr>",
        "<table>|</table>|<caption>|</caption>|<tr>|<td>|</td>|<o:p>|</o:p>|<c>|<p>|</p>| |x|<b>"
        "|<!--a<b>-->|<!--a<b>--> |<!--a>b-->x",
        '<o:p>|</o:p>|<ix:nonFraction a="1">|</ix:nonFraction>|<O:P/>|<a:b:c>|</a:b:c>|<xml:a>|<td>'
        "|</xml:a>|<b>|</b>|<p>|</p>|<table>|<svg>|</svg>|x",
        "<!--c-->|<!--a<b>c-->|<!--[if x]><b><![endif]-->|<!-->|<!--->|<!--x--!>|<!--x --->|<!-- >"
        "|--->|-->|<b>|</b>|<div>|</div>|x|\0|&amp;|\f|<table>|<tr>|<td>",
        "<form>|<form>|</form>|<form id=a>|<button>|<button>|</button>|<button type=a>|<p>|</p>|<b>"
        "|</b>|<div>|</div>|<table>|<tr>|<td>|</td>|</table>|<template>|</template>|x|<li>|<object>",
        "<script>a<b</script>|<script>a<!--b<c</script>|<script><!--<script></script>--></script>"
        "|<style>a<b></style>|<SCRIPT>a<b</Script>|<script>a<b</script >|<script></scripty>"
        "|<script>a<b\0</script>|<script>a<b\f</script>|<script>a<|</script>|<style><|</style>|<div>"
        "|<table>|<tr>|</table>|<title>a<b</title>|<svg>|</svg>|<select>|</select>|x| |<p>",
    )
]


@pytest.mark.parametrize("window", [12, WINDOW])
def test_related_soup(monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(quick, "WINDOW", window)
    for number in range(4000):
        rng = random.Random(f"{fresh_seed()} {number}")
        related = RELATED[number % len(RELATED)]
        pieces = [
            rng.choice(related if rng.random() < 0.8 else [*USUAL, " "])
            for _ in range(rng.randrange(4, 40))
        ]
        html = "<body>x" + "".join(pieces)
        options = {"input": "html", **rng.choice(OPTIONS)}
        assert xmlfix.fix(html, **options) == by_states(html, **options), (html, options)


REPORTED: list[dict[str, Any]] = [
    {},
    {"repair": "stack"},
    {"bare_attribute": "name"},
    {"repair": "stack", "bare_attribute": "name"},
    {"nbsp": "space"},
    {"drop": ["b", "svg"], "prefixes": "strip"},
]


def reported(html: str, size: int, **options: Any) -> tuple[str, str, list[str]]:
    """The document as a run without the quick loop makes it, reported and not, and the findings."""
    found: list[str] = []

    def note(finding: xmlfix.Finding) -> None:
        found.append(f"{finding.offset} {finding} {finding.lossy}")

    fixer = xmlfix.Fixer(on_finding=note, **options)
    parts = [fixer.feed(html[at : at + size]) for at in range(0, len(html), size)]
    return "".join([*parts, fixer.close()]), xmlfix.fix(html, **options), sorted(found)


def test_the_shortcut_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Quick, "feed", lambda self, text, more: self._reader.feed(text, more))
    for number in range(3000):
        rng = random.Random(f"{fresh_seed()} {number}")
        html = rng.choice((random_soup(rng, 20), seeded_soup(rng), some_tags(rng)))
        size = rng.choice((1, 7, 10_000))
        options = {"input": "html", **rng.choice(REPORTED)}
        quick_ones = reported(html, size, **options)
        with monkeypatch.context() as patch:
            patch.setattr(states, "LONGEST_WHOLE", 0)  # so that no tag is looked up
            assert reported(html, size, **options) == quick_ones, (html, size, options)


def some_tags(rng: random.Random) -> str:
    """Tags of any kind of spelling."""
    tags = ("".join(rng.choices(TAG_PARTS, k=rng.randrange(1, 9))) for _ in range(9))
    return "".join(f"<{tag}>x" for tag in tags)


def test_case_in_svg_is_that_of_the_tag() -> None:
    """Not that of another tag with the same name."""
    html = 'x<svg><svg></svg><svg viewbox="0 0"></svg></svg>'
    assert '<svg><svg></svg><svg viewBox="0 0"></svg></svg>' in xmlfix.fix(html)


DEEP = "x" + "<div>" * 4
INSIDE_ITSELF = [
    f"{DEEP}<option><span><option>a<option>b<option>c<br>",
    f"{DEEP}<p><button><p><div></div><p>y<br>",
    f"{DEEP}<p><button><p><div></div><h1>y<br>",
    f"{DEEP}<p><button><p><li>a<br>",
    f"{DEEP}<p><button><p><table><tr><td><p>x<p>y</table><p>z",
    f"{DEEP}<p><button><p>a</p><div>b",
]


@pytest.mark.parametrize("html", INSIDE_ITSELF)
def test_what_only_depth_puts_into_itself(html: str) -> None:
    for depth in (8, 9, 10, 256):
        assert xmlfix.fix(html, max_depth=depth) == by_states(html, max_depth=depth)


DOCTYPES = ['x<!DOCTYPE html SYSTEM "a<b" ', '<!DOCTYPE html SYSTEM "a<b"X', "<!doctype html"]


@pytest.mark.parametrize("html", DOCTYPES)
def test_an_unclosed_doctype(html: str) -> None:
    assert xmlfix.fix(html, doctype="keep") == by_states(html, doctype="keep")


LONG = "A" * 1_100_000
REOPENED = {
    "at the greatest depth": "<!doctype html>x"
    + "<div>" * 251
    + "<p><b></p><div><div><div><i>1</i>x<br>y",
    "past the allowance": f"x<nobr title='{LONG}'><div><button><b><nobr>y<u></u><u></u>",
    "past the allowance, a": f"x<nobr><a title={LONG}><div><i><nobr>y<u></u><u></u>",
}


@pytest.mark.parametrize("name", REOPENED)
def test_formatting_that_is_reopened(name: str) -> None:
    html = REOPENED[name]
    assert xmlfix.fix(html) == by_states(html)


@pytest.mark.parametrize("name", NASTY)
def test_nasty(name: str) -> None:
    source = NASTY[name]
    html = source if isinstance(source, str) else source.decode("latin-1")
    assert xmlfix.fix(html, input="html") == by_states(html, input="html")


def test_pages() -> None:
    need_shared()
    for page in pages():
        html = page.read_bytes().decode("utf-8", "replace")
        assert xmlfix.fix(html) == by_states(html), page.name


def test_the_memo_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "MEMO_SIZE", 100)
    lane.forget()
    xmlfix.fix("x" + "".join(f"<a{n} b{n}='{n}'></a{n}>" for n in range(9000)))
    assert len(lane.MEMO) <= 100 + WINDOW // 4


def some_page(name: int) -> str:
    """A page that has most of its tags alone."""
    parts = (
        f"<img a{n % 7}='{name}' src=\"{n}\" /><p class=x{n} id='{name}'>t &amp; {n}</p>"
        f"<svg viewbox='{n}'><g id={n}/></svg>"
        for n in range(100)
    )
    return "<body>x" + "".join(parts)


@pytest.mark.parametrize("options", [{}, {"repair": "stack"}])
def test_threads_share_the_memo(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """One that finds it full empties it while others are learning."""
    monkeypatch.setattr(lane, "MEMO_SIZE", 400)
    documents = [some_page(name) for name in range(8)]
    results = [xmlfix.fix(html, **options) for html in documents]

    def fix_all(first: int) -> bool:
        order = [(first + step) % len(documents) for step in range(len(documents))]
        return all(xmlfix.fix(documents[at], **options) == results[at] for at in order)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(fix_all, range(8)))
    finally:
        sys.setswitchinterval(interval)
