"""`xmlfix.extract.addresses`: what an address is resolved to, and its normal form."""

from __future__ import annotations

import sys
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support import CASES, Case, cases

from xmlfix.errors import InputError, OptionError
from xmlfix.extract.addresses import Rfc3986, compose, join, resolver, split, to_ascii
from xmlfix.extract.escapes import Encoder

RFC_BASE = "http://a/b/c/d;p?q"


def rfc_examples() -> list[tuple[str, str]]:
    lines = (CASES / "links-rfc3986-5.4.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("# ")]
    assert len(pairs) == 23 + 19
    return [(reference, target) for reference, target in pairs]


@pytest.mark.parametrize(("reference", "target"), rfc_examples())
def test_examples_of_rfc_3986_section_5_4(reference: str, target: str) -> None:
    assert compose(join(split(RFC_BASE), split(reference))) == target
    normal = resolver("rfc3986", None).resolve(target)
    assert resolver("rfc3986", RFC_BASE).resolve(reference) == normal


@pytest.mark.parametrize("case", cases("links-addresses.txt"), ids=lambda case: case.title)
def test_addresses(case: Case) -> None:
    options = {"base": RFC_BASE, "rules": "rfc3986", "encoding": None, **case.options}
    if options["rules"] == "whatwg":
        pytest.importorskip("ada_url")
    resolve = resolver(options["rules"], options["base"], options["encoding"]).resolve
    address = resolve(case.given)
    assert [address or "none"] == case.expected
    if address is not None:
        assert resolve(address) == address, "it is normal already"


ADDRESS_SOUP = st.lists(
    st.sampled_from([*"abAZ/:?#@.%\\[]| \té", "..", "//", "%2e", "%C3", "http:", "é.org", "日"]),
    max_size=12,
).map("".join)


@given(ADDRESS_SOUP, st.sampled_from([RFC_BASE, None, "foo://h", "http://a", "file:///x/y"]))
def test_normalising_is_idempotent_and_ascii(address: str, base: str | None) -> None:
    resolve = resolver("rfc3986", base).resolve
    normal = resolve(address)
    if normal is not None:
        assert normal.isascii()
        assert normal.isprintable()
        assert resolve(normal) == normal


@given(st.text(max_size=20))
def test_any_text_is_an_address_or_none(text: str) -> None:
    for rules in ("rfc3986", "whatwg"):
        if rules == "whatwg":
            pytest.importorskip("ada_url")
        address = resolver(rules, RFC_BASE, "shift_jis").resolve(text)
        assert address is None or (address.isascii() and address.isprintable())


@pytest.mark.parametrize(
    "host", "bücher.example faß.de ☃.net 例え。テスト Ünï.ÇA مثال.إختبار ὈΔΥΣΣΕΎΣ.gr".split()
)
def test_hosts_are_those_of_browsers(host: str) -> None:
    ada_url = pytest.importorskip("ada_url")
    assert to_ascii(host) == ada_url.URL(f"http://{host}/").hostname


def test_a_base_must_be_absolute() -> None:
    for rules in ("rfc3986", "whatwg"):
        if rules == "whatwg":
            pytest.importorskip("ada_url")
        with pytest.raises(OptionError, match="absolute address"):
            resolver(rules, "/a/b")
    with pytest.raises(OptionError, match="'rfc3986' or 'whatwg'"):
        resolver("url", None)
    with pytest.raises(InputError, match="unknown encoding"):
        resolver("rfc3986", None, "klingon")


def test_the_url_standard_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ada_url", None)
    with pytest.raises(OptionError, match=r"pip install 'xmlfix\[links\]'"):
        resolver("whatwg", None)


SCHEMES = ("http:", "https:", "ftp:")


@given(ADDRESS_SOUP)
def test_both_rules_agree_on_what_an_address_means(address: str) -> None:
    """But for hosts that are numbers."""
    ada_url = pytest.importorskip("ada_url")
    ours = resolver("rfc3986", RFC_BASE).resolve(address)
    theirs = resolver("whatwg", RFC_BASE).resolve(address)
    if ours is not None and theirs is not None and theirs.startswith(SCHEMES):
        again = ada_url.URL(ours).href
        assert unquote(again, errors="replace") == unquote(theirs, errors="replace")


FILE_SOUP = st.lists(
    st.sampled_from(
        [*"/\\:.a?#@", "C:", "c|", "..", "host", "localhost", "%2e", " b", "[::1]", "é"]
    ),
    max_size=8,
).map(lambda parts: "file:" + "".join(parts))


@given(FILE_SOUP, st.sampled_from([None, "file:///x/y", "file:///D:/d", "http://a/b", "file://h/"]))
def test_both_rules_agree_on_files(address: str, base: str | None) -> None:
    """But for "|" after a dot segment."""
    ada_url = pytest.importorskip("ada_url")
    assume("|" not in address or not ("." in address or "%2e" in address))
    if base is None:  # ada-url takes none as a base for what is absolute only
        assert address.startswith("file:")
    ours = resolver("rfc3986", base).resolve(address)
    theirs = resolver("whatwg", base).resolve(address)
    assert (ours is None) == (theirs is None), (ours, theirs)
    if ours is not None and theirs is not None:
        assert unquote(ada_url.URL(ours).href) == unquote(theirs)


HOST_SOUP = st.lists(
    st.sampled_from([*"[]@:uB.%é", "::1", "[::1]", "b:2", ":80", "%61", "::ffff:1.2.3.4"]),
    max_size=6,
).map("".join)


@given(HOST_SOUP, st.sampled_from(["http", "ftp", "wss"]))
def test_both_rules_agree_on_hosts(host: str, scheme: str) -> None:
    """But for hosts that are numbers, and addresses of a later IP."""
    ours = resolver("rfc3986", None).resolve(f"{scheme}://{host}/x")
    ada_url = pytest.importorskip("ada_url")
    theirs = resolver("whatwg", None).resolve(f"{scheme}://{host}/x")
    assert (ours is None) == (theirs is None), (ours, theirs)
    if ours is not None and theirs is not None:
        assert unquote(ada_url.URL(ours).href) == unquote(theirs)


PATH_SOUP = st.lists(
    st.sampled_from(["/", "..", ".", "a", "b", "../", "./", "//", "?q", "#f", ":", "%2e"]),
    max_size=8,
).map("".join)


@given(PATH_SOUP, PATH_SOUP, st.sampled_from(["http://h/d/e", "http://h/", "https://h/p/q/r//s?t"]))
def test_a_relative_base_leads_to_the_same_place(base: str, address: str, page: str) -> None:
    """What it gives is relative to the page, wherever that is."""
    for each in (base, address):
        parts = split(each)
        assume(parts.scheme is None and parts.authority is None)
    knowing, unknowing = resolver("rfc3986", page), resolver("rfc3986", None)
    knowing.rebase(base)
    unknowing.rebase(base)
    relative = unknowing.resolve(address)
    assert relative is not None
    assert resolver("rfc3986", page).resolve(relative) == knowing.resolve(address)


@given(
    st.one_of(ADDRESS_SOUP, PATH_SOUP, PATH_SOUP.map("https://a.b/".__add__)),
    st.sampled_from([None, RFC_BASE, "foo://h", "http://a", "file:///x/y", "https://u@h:8080/a/"]),
    st.sampled_from([None, "x/y", "//z/", "/r/s?", "..", "http:"]),
)
def test_plain_addresses_take_a_shortcut(
    address: str, base: str | None, rebase: str | None
) -> None:
    resolve = Rfc3986(base, Encoder(None))
    if rebase is not None:
        resolve.rebase(rebase)
    assert resolve.resolve(address) == resolve.resolve_by_parts(address)


PRINTABLE_SOUP = st.lists(
    st.sampled_from([*"abAZ/:?#@.%\\|é", "..", "//", "%2e", "http:", "1", "+", "日"]), max_size=12
).map("".join)


@given(PRINTABLE_SOUP)
def test_addresses_are_taken_apart_as_urllib_does(address: str) -> None:
    """But for what urllib leaves out, or refuses: controls and brackets."""
    ours, theirs = split(address), urlsplit(address)
    assert (ours.scheme or "", ours.authority or "", ours.path) == theirs[:3]
    assert (ours.query or "", ours.fragment or "") == theirs[3:]


SEGMENTS = st.lists(st.sampled_from(["..", ".", "a", "b.c", "d;p", "..e"]), min_size=1, max_size=6)


@given(
    st.sampled_from(["", "/"]),
    SEGMENTS.map("/".join),
    st.sampled_from(["", "/", "?q", "#"]),
)
def test_addresses_are_joined_as_urllib_does(begin: str, path: str, end: str) -> None:
    address = begin + path + end.rstrip("#")
    assert compose(join(split(RFC_BASE), split(address))) == urljoin(RFC_BASE, address)
