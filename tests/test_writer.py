"""The writer: what becomes of characters, names, prefixes, comments, instructions, doctypes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lxml import etree
from support import Case, cases, need_shared, parse_strictly

from xmlfix import fix, fix_bytes, unescape_name
from xmlfix.write.characters import clean, comment_data, escape_text, escape_value, is_uri_reference
from xmlfix.write.names import escape_ncname, is_ncname

DEFAULTS: dict[str, Any] = {"repair": "stack", "xml_declaration": False}


@pytest.mark.parametrize("case", cases("writer.txt"), ids=lambda case: case.title)
def test_case(case: Case) -> None:
    xml = fix(case.given, **{**DEFAULTS, **case.options})
    assert [xml] == case.expected
    parse_strictly(xml)


def test_every_character_in_a_value() -> None:
    """What is printable needs no more than markup escaped, in any version of Unicode."""
    markup = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
    for char in map(chr, range(0x110000)):
        if not char.isprintable() or char in markup:
            assert escape_value(f"a{char}b") == f"a{markup.get(char) or clean(char)}b"
        else:
            assert clean(char) == char


# ── names ────────────────────────────────────────────────────────────────────

# What the reader can give as a name: no white space, no markup end, no A to Z.
HTML_NAMES = st.text(min_size=1).map(
    lambda text: re.sub(r"[\t\n\f\r />=\0A-Z]", "", text.replace("\0", "\ufffd"))
)


def names_of(name: str) -> tuple[str, str]:
    """The names of the element `n<name>` and of its attribute `<name>` in the output."""
    root = etree.fromstring(
        fix(f"<n{name} {name}=1>", repair="stack", prefixes="escape", xml_declaration=False),
    )
    return str(root.tag), str(root.attrib.keys()[0])


@settings(max_examples=500)
@given(HTML_NAMES)
def test_names_round_trip(name: str) -> None:
    assume(name and name != "xmlns" and not name.startswith(("xml:", "xmlns:")))
    element, attribute = names_of(name)
    assert unescape_name(element) == f"n{name}"
    assert unescape_name(attribute) == name


@settings(max_examples=500)
@given(st.text(min_size=1), st.text(min_size=1))
def test_escaped_names_do_not_collide(one: str, other: str) -> None:
    one, other = (re.sub("[A-Z]", "", name) for name in (one, other))
    assume(one and other and one != other)
    assert is_ncname(escape_ncname(one))
    assert escape_ncname(one) != escape_ncname(other)
    assert unescape_name(escape_ncname(one)) == one


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("U000040click", "@click"),
        ("aU00003AbU00003Ac", "a:b:c"),
        ("o:U000040p", "o:@p"),
        ("U01F600", "\U0001f600"),
        ("U10FFFF", "\U0010ffff"),
        ("U110000", "U110000"),  # no code point
        ("U00004", "U00004"),
        ("U00003g", "U00003g"),
        ("u000040", "u000040"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_unescape_name(name: str, html: str) -> None:
    assert unescape_name(name) == html


@pytest.mark.parametrize("first", [0, 0x3000, 0x10000])
def test_names_are_those_that_expat_takes(first: int) -> None:
    """Each character of a range is a name's exactly if both parsers take it there."""
    last = {0: 0x3000, 0x3000: 0x10000, 0x10000: 0x10800}[first]
    for code in range(first, last):
        char = chr(code)
        if 0xD800 <= code <= 0xDFFF:
            assert not is_ncname("a" + char)
            continue
        for name in (char, "a" + char):
            assert is_ncname(name) == is_taken(name), f"U+{code:04X} in {name!r}"


def is_taken(name: str) -> bool:
    """Whether strict parsers take `name` as an element's, and as one without prefix."""
    if ":" in name or not name.strip("\t\n\r />"):
        return False
    try:
        return str(parse_strictly(f"<{name}/>").tag) == name
    except Exception:
        return False


def test_a_long_name_is_cut_and_numbered() -> None:
    long = "n" * 60_000
    xml = fix(f"<{long}1>a</{long}1><{long}2 {long}=1 {long}x=2>b", **DEFAULTS)
    root = parse_strictly(xml)
    assert len({child.tag for child in root}) == 2
    assert sorted(root[1].attrib.values()) == ["1", "2"]
    assert "".join(root.itertext()) == "ab"


@pytest.mark.parametrize("kind", ["prefix", "local", "target", "doctype", "public", "unused"])
def test_long_names_of_other_kinds(kind: str) -> None:
    long = "n" * 60_000
    markup = {
        "prefix": f"<{long}:a {long}:b=1>",
        "local": f"<a:{long} a:{long}=1>",
        "target": f"<p><?{long} x?></p>",
        "doctype": f"<!DOCTYPE {long} SYSTEM 'x'><p>x</p>",
        "public": f"<!DOCTYPE html PUBLIC '{long}' '{long}'><p>x</p>",
        "unused": f"<p xmlns:{long}='u:x'>x</p>",
    }[kind]
    for repair in ("stack", "xml"):
        parse_strictly(fix(markup, doctype="keep", **{**DEFAULTS, "repair": repair}))


# ── characters ───────────────────────────────────────────────────────────────


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=[])))
def test_text_comes_back(text: str) -> None:
    root = parse_strictly(f"<a>{escape_text(text)}</a>")
    changed = re.sub("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    assert (root.text or "") == changed.replace("\f", " ")


@settings(max_examples=300)
@given(st.text("->!<a \r\0", max_size=12))
def test_comment_comes_back(data: str) -> None:
    comment = parse_strictly(f"<a><!--{comment_data(data)}--></a>")[0]
    assert isinstance(comment, etree._Comment)
    kept = (comment.text or "").replace(" ", "")
    assert kept == data.replace(" ", "").replace("\0", "\ufffd").replace("\r", "")


@settings(max_examples=500)
@given(st.one_of(st.text('ab1:/?#[]@%2.- é<"', max_size=10), st.text(max_size=6)))
def test_namespace_names_are_those_that_parsers_take(uri: str) -> None:
    """Whatever is called a URI reference, strict parsers take as a namespace name."""
    if uri and is_uri_reference(uri):
        parse_strictly(f"<a:b xmlns:a='{uri.replace('&', '&amp;').replace(chr(39), '&#39;')}'/>")


@pytest.mark.parametrize(
    "uri",
    [
        *("http://www.w3.org/1999/xhtml", "urn:a:b", "u:a", "../a", "#a", "a?b#c", "mailto:a@b.c"),
        *("http://a:80/b?c#d", "http://u:p@a/", "HTTP://A", "file:///a", "tag:a,2000:b", "a%20b"),
    ],
)
def test_usual_namespace_names_are_kept(uri: str) -> None:
    assert f'xmlns:a="{uri}"' in fix(f'<a:b xmlns:a="{uri}">', **DEFAULTS)


# ── the tokenizer data that tells how XML's rules are kept ───────────────────


def test_xml_violation() -> None:
    path = need_shared("html5lib-tests", "tokenizer", "xmlViolation.test")
    tests = json.loads(path.read_text(encoding="utf-8"))["xmlViolationTests"]
    for test in tests:
        root = parse_strictly(fix(f"<p>{test['input']}</p>", repair="stack"))
        assert tokens_of(root) == test["output"], test["description"]
    assert len(tests) == 4


def tokens_of(root: etree._Element) -> list[list[object]]:
    """What is in `root`, in the form of the tokenizer data."""
    tokens: list[list[object]] = [["Character", root.text]] if root.text else []
    for child in root:
        if isinstance(child, etree._Comment):
            tokens.append(["Comment", child.text])
        else:
            tokens.append(["StartTag", child.tag, dict(child.attrib)])
        if child.tail:
            tokens.append(["Character", child.tail])
    return tokens


# ── the output's encoding ────────────────────────────────────────────────────


@pytest.mark.parametrize("encoding", ["us-ascii", "iso-8859-1", "utf-16", "euc-jp", "utf-8"])
@settings(max_examples=60)
@given(markup=st.text("<é中😀>/ a=\"'&-!?;:@\\~", max_size=40))
def test_any_encoding_holds_the_same_tree(encoding: str, markup: str) -> None:
    assume("?" not in markup and "!" not in markup)  # comments lose what the encoding lacks
    data = fix_bytes(markup, output_encoding=encoding, repair="stack")
    xml = fix(markup, repair="stack", xml_declaration=False)
    there, here = etree.fromstring(data), etree.fromstring(xml)
    assert "".join(there.itertext()) == "".join(here.itertext())
    names = [unescape_name(str(node.tag)) for node in there.iter()]
    assert names == [unescape_name(str(node.tag)) for node in here.iter()]
