"""Namespaces: what a prefix means in the output is what the page says, or a finding tells."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from support import REPAIRS, parse_strictly

from xmlfix import Finding, Fixer, fix
from xmlfix.write.characters import is_uri_reference
from xmlfix.write.names import is_ncname
from xmlfix.write.prefixes import RESERVED
from xmlfix.write.well_known import WELL_KNOWN, XLINK

TOLD = {"xmlfix-namespace-replaced", "xmlfix-xmlns-dropped"}
NAMES = st.sampled_from("a b o x xlink".split())
URIS = st.sampled_from(["u:1", "u:2", WELL_KNOWN["o"], XLINK, "urn:xmlfix:prefix:a"])


@st.composite
def pages(draw: st.DrawFn, depth: int = 0) -> str:
    """Well-nested elements with prefixes, some of them declared, some of them several times."""
    name = draw(st.one_of(st.just("i"), st.builds("{}:e".format, NAMES)))
    declared = draw(st.dictionaries(NAMES, URIS, max_size=2))
    used = draw(st.lists(st.tuples(NAMES, st.sampled_from("pq")), max_size=3, unique=True))
    attributes = [f' xmlns:{prefix}="{uri}"' for prefix, uri in declared.items()]
    attributes += [f' {prefix}:{local}="1"' for prefix, local in used]
    attributes = draw(st.permutations(attributes))
    inside = draw(st.lists(pages(depth + 1), max_size=2)) if depth < 3 else []
    return f"<{name}{''.join(attributes)}>{''.join(inside)}</{name}>"


def meant(page: str) -> list[tuple[str, list[str]]]:
    """What each element and its attributes are by the page's own words, in document order.

    A prefix that no element around declares has the page's first namespace for it, else the
    well-known one, else one of ours. XLink's never changes.
    """
    found: list[tuple[str, list[str]]] = []
    first: dict[str, str] = {}
    tags: list[tuple[dict[str, str], str, list[str]]] = []
    scopes: list[dict[str, str]] = [{}]
    for piece in page.split("<")[1:]:
        if piece[0] == "/":
            scopes.pop()
            continue
        name, *attributes = piece.rstrip(">").split(" ")
        pairs = [attribute.split("=") for attribute in attributes]
        own = {key[6:]: value.strip('"') for key, value in pairs if key.startswith("xmlns:")}
        scopes.append(scopes[-1] | own)
        for prefix, uri in own.items():
            first.setdefault(prefix, uri)
        used = [key for key, _ in pairs if not key.startswith("xmlns:")]
        tags.append((scopes[-1], name, used))

    def expanded(name: str, scope: dict[str, str]) -> str:
        prefix, colon, local = name.rpartition(":")
        if not colon:
            return local
        known = WELL_KNOWN.get(prefix, f"urn:xmlfix:prefix:{prefix}")
        uri = XLINK if prefix == "xlink" else scope.get(prefix, first.get(prefix, known))
        return f"{{{uri}}}{local}"

    for scope, name, used in tags:
        found.append((expanded(name, scope), sorted(expanded(key, scope) for key in used)))
    return found


def shown(root: etree._Element) -> list[tuple[str, list[str]]]:
    """The same of a tree; a namespace of ours may be told from another by lines at its end."""
    names = [[node.tag, *sorted(node.attrib)] for node in root.iter()]
    merged = [[str(name).replace("_}", "}") for name in tag] for tag in names]
    return [(name, sorted(attributes)) for name, *attributes in merged]


@pytest.mark.parametrize("fragment", [None, "div", "svg g"])
@settings(max_examples=100)
@given(page=pages())
def test_prefixes_mean_what_the_page_says(fragment: Any, page: str) -> None:
    """… in HTML, unless a finding says that they do not; and then all is well-formed."""
    found: list[Finding] = []
    xml = fix(f"<div>{page}</div>", fragment=fragment, on_finding=found.append)
    root = parse_strictly(xml)
    if not TOLD & {finding.code for finding in found}:
        assert shown(root)[-len(meant(page)) :] == meant(page)
    if fragment is None:
        assert fix(xml) == xml


@settings(max_examples=100)
@given(page=pages())
def test_a_stream_says_the_same(page: str) -> None:
    found: list[Finding] = []
    with Fixer(on_finding=found.append) as fixer:
        xml = "".join([*map(fixer.feed, page), fixer.close()])
    root = parse_strictly(xml)
    if not TOLD & {finding.code for finding in found}:
        assert [tag for tag, _ in shown(root)][3:] == [tag for tag, _ in meant(page)]


@settings(max_examples=80)
@given(page=pages())
def test_stack_says_the_same(page: str) -> None:
    found: list[Finding] = []
    root = parse_strictly(fix(page, repair="stack", input="html", on_finding=found.append))
    if not TOLD & {finding.code for finding in found}:
        assert shown(root) == meant(page)


def test_well_known_namespaces_can_be_declared() -> None:
    for prefix, uri in WELL_KNOWN.items():
        assert is_ncname(prefix)
        assert is_uri_reference(uri)
        assert uri not in RESERVED
        assert prefix.lower() in WELL_KNOWN
    assert WELL_KNOWN["opensearch"] == WELL_KNOWN["openSearch"]


# ── the limit of attributes ──────────────────────────────────────────────────

MANY = st.lists(st.integers(0, 30), min_size=1, max_size=30)
CROSSED = st.fixed_dictionaries(
    {"max_attributes": st.integers(1, 12)},
    optional={
        "prefixes": st.sampled_from(["declare", "escape", "strip"]),
        "bare_attribute": st.sampled_from(["empty", "name"]),
        "body_only": st.booleans(),
        "meta_charset": st.sampled_from(["keep", "update"]),
        "nbsp": st.sampled_from(["keep", "drop"]),
        "root": st.sampled_from(["root", "html"]),
        "max_depth": st.integers(8, 20),
    },
)


@st.composite
def crowds(draw: st.DrawFn) -> str:
    """Tags with many attributes and declarations, and many prefixes."""
    tags = []
    for name in draw(st.lists(st.sampled_from("html body p svg a:b meta i".split()), min_size=1)):
        attributes = [f" p{number}:x=1" for number in draw(MANY)]
        attributes += [f" xmlns:p{number}=u:{number}" for number in draw(MANY)]
        attributes += [f" c{number}" for number in draw(MANY)]
        tags.append(f"<{name}{''.join(draw(st.permutations(attributes)))}>x")
    return "".join(tags)


@pytest.mark.parametrize("repair", REPAIRS)
@pytest.mark.parametrize("xhtml", [False, True])
@settings(max_examples=60)
@given(markup=crowds(), chosen=CROSSED)
def test_declarations_do_not_count_as_attributes(
    repair: Any, xhtml: bool, markup: str, chosen: dict[str, Any]
) -> None:
    """So what comes out has no more attributes than the limit, and stays as it is."""
    if repair == "browser":
        chosen = {**chosen, "xhtml": xhtml}
    for settings_ in (chosen, {**chosen, "input": "xml"}):
        xml = fix(markup, repair=repair, **settings_)
        root = parse_strictly(xml)
        assert all(len(node.attrib) <= chosen["max_attributes"] for node in root.iter("*"))
        assert fix(xml, repair=repair, **settings_) == xml


@settings(max_examples=60)
@given(names=MANY, limit=st.integers(1, 12), chosen=st.sampled_from(["declare", "strip"]))
def test_declarations_do_not_count_in_a_fragment(names: list[int], limit: int, chosen: Any) -> None:
    attributes = "".join(f" p{number}:x=1 xmlns:p{number}=u:{number} c{number}" for number in names)
    options: dict[str, Any] = {"fragment": "div", "max_attributes": limit, "prefixes": chosen}
    xml = fix(f"<i{attributes}>x</i><b{attributes}>y</b>", **options)
    assert fix(xml, **options) == xml


def test_more_prefixes_than_attributes_are_allowed() -> None:
    markup = "".join(f"<p{number}:a></p{number}:a>" for number in range(10_001))
    xml = fix(markup)
    assert fix(xml) == xml
    assert xml.count(" xmlns:") == 10_001


def test_attributes_past_the_limit_that_come_late_are_reported() -> None:
    found: list[Finding] = []
    fix("<html a b><body><html c d>", max_attributes=3, on_finding=found.append)
    assert [f.code for f in found if f.lossy] == ["xmlfix-too-many-attributes"]
