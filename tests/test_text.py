"""No text is lost: the tree has the characters of the source, as an independent reader finds them.

The independent reader is html5lib's tokenizer. Its tree is not asked, because the tree
algorithm drops some text (NULs, all but white space in a frameset or after a column).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes
from hypothesis import given, settings
from markup import soups
from nasty import NASTY
from soup import SEEDS
from support import element_text, folded, need_shared, pages, parse_strictly, read_text

import xmlfix
from xmlfix.decode import decode
from xmlfix.read.stream import Text

PAGES: list[Path | None] = [*pages()] or [None]

# The state that html5lib's tokenizer takes after a start tag; its tree builder would set it.
RAW_STATES = {
    **dict.fromkeys(["title", "textarea"], "rcdataState"),
    **dict.fromkeys(["style", "xmp", "iframe", "noembed", "noframes"], "rawtextState"),
    "script": "scriptDataState",
    "plaintext": "plaintextState",
}


def text_by_html5lib(html: str) -> str:
    """The characters of all text tokens of html5lib, which keeps a byte order mark."""
    tokenizer = HTMLTokenizer(html.removeprefix("\ufeff"))
    parts = []
    for token in tokenizer:
        if token["type"] in (tokenTypes["Characters"], tokenTypes["SpaceCharacters"]):
            parts.append(str(token["data"]))
        elif token["type"] == tokenTypes["StartTag"] and token["name"] in RAW_STATES:
            tokenizer.state = getattr(tokenizer, RAW_STATES[token["name"]])
    return "".join(parts)


def text_by_tokens(html: str) -> str:
    """The characters of all text tokens of xmlfix."""
    return "".join(token.data for token in xmlfix.tokens(html) if isinstance(token, Text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:40] if page else "absent")
def test_page(page: Path | None) -> None:
    need_shared()
    assert page is not None
    html = decode(page.read_bytes(), None)
    assert folded(text_by_tokens(html)) == folded(text_by_html5lib(html))
    tree = parse_strictly(xmlfix.fix(html, repair="stack"))
    assert folded(element_text(tree)) == folded(read_text(html))


@pytest.mark.parametrize("html", SEEDS)
def test_seed(html: str) -> None:
    assert folded(text_by_tokens(html)) == folded(text_by_html5lib(html))


@pytest.mark.parametrize(
    "name", [name for name, html in NASTY.items() if isinstance(html, str) and len(html) < 10_000]
)
def test_nasty(name: str) -> None:
    html = NASTY[name]
    assert isinstance(html, str)
    assert folded(text_by_tokens(html)) == folded(text_by_html5lib(html))


@settings(max_examples=300)
@given(soups())
def test_soup(html: str) -> None:
    assert folded(text_by_tokens(html)) == folded(text_by_html5lib(html))
