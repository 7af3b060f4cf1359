"""`xmlfix.extract.addresses`: what an address is resolved to, and its normal form."""

from __future__ import annotations

import sys
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import CASES, Case, cases

from xmlfix.errors import InputError, OptionError
from xmlfix.extract.addresses import compose, join, resolver, split, to_ascii

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
    """But for hosts that are numbers, and brackets before the host, which urllib refuses."""
    ada_url = pytest.importorskip("ada_url")
    ours = resolver("rfc3986", RFC_BASE).resolve(address)
    theirs = resolver("whatwg", RFC_BASE).resolve(address)
    if ours is not None and theirs is not None and theirs.startswith(SCHEMES):
        again = ada_url.URL(ours).href
        assert unquote(again, errors="replace") == unquote(theirs, errors="replace")
