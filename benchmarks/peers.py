"""The peers' ways. Each function imports its package and returns what it can do.

Every peer has the form of its input that suits it best, text or UTF-8, and the options by which
it does no more than the job; a parser that can be kept between pages is kept.
"""

from __future__ import annotations

import shutil
import subprocess
import warnings
from importlib.metadata import version
from typing import Any, Literal, cast

from benchmarks.pages import Page
from benchmarks.ways import Absent, Ways


def lxml_html() -> Ways:
    """lxml's HTML parser, from bytes: a str with an encoding declaration is refused."""
    import lxml.html

    parser = lxml.html.HTMLParser(encoding="utf-8")

    def to_tree(page: Page) -> object:
        return lxml.html.document_fromstring(page.data, parser=parser)

    def to_text(page: Page) -> bytes:
        root = lxml.html.document_fromstring(page.data, parser=parser)
        return lxml.html.tostring(root, method="xml")

    return Ways(version("lxml"), to_text, to_tree)


def turbohtml() -> Ways:
    """turbohtml; source positions are not asked for, as by the others."""
    from turbohtml import etree, parse

    def to_text(page: Page) -> str:
        return parse(page.text, positions=False).inner_xml

    def to_tree(page: Page) -> object:
        return etree.to_lxml(etree.document_fromstring(page.text))

    return Ways(version("turbohtml"), to_text, to_tree)


def html5_parser() -> Ways:
    """html5-parser, which loads only beside an lxml built on the same libxml2."""
    try:
        import html5_parser as package  # type: ignore[import-untyped, unused-ignore]
    except RuntimeError:
        raise Absent(
            "installed, but built on another libxml2 than lxml:"
            " pip install --no-binary lxml,html5-parser lxml html5-parser"
        ) from None
    from lxml import etree

    def to_tree(page: Page) -> object:
        return package.parse(page.data, transport_encoding="utf-8")

    def to_text(page: Page) -> bytes:
        root = package.parse(page.data, transport_encoding="utf-8")
        return etree.tostring(root)

    return Ways(version("html5-parser"), to_text, to_tree)


def selectolax() -> Ways:
    """selectolax on lexbor, which writes HTML only."""
    from selectolax.lexbor import LexborHTMLParser

    def to_text(page: Page) -> str:
        return cast("str", LexborHTMLParser(page.text).html)

    return Ways(version("selectolax"), to_text, is_xml=False)


def justhtml() -> Ways:
    """justhtml without its sanitiser, which writes HTML only."""
    from justhtml import JustHTML

    def to_text(page: Page) -> str:
        return JustHTML(page.text, sanitize=False).to_html(pretty=False)

    return Ways(version("justhtml"), to_text, is_xml=False)


def html5lib_lxml() -> Ways:
    """html5lib with lxml's tree."""
    import html5lib
    from lxml import etree

    _hush_html5lib()

    def to_tree(page: Page) -> object:
        return html5lib.parse(page.text, treebuilder="lxml")

    def to_text(page: Page) -> bytes:
        return etree.tostring(html5lib.parse(page.text, treebuilder="lxml"))

    return Ways(version("html5lib"), to_text, to_tree)


def html5lib_etree() -> Ways:
    """html5lib with the standard library's tree."""
    from xml.etree import ElementTree

    import html5lib

    _hush_html5lib()

    def to_text(page: Page) -> str:
        root: Any = html5lib.parse(page.text, treebuilder="etree")
        return ElementTree.tostring(root, encoding="unicode")

    return Ways(version("html5lib"), to_text)


def _hush_html5lib() -> None:
    """Keep it from warning at each name that it rewrites."""
    warnings.filterwarnings("ignore", module="html5lib")


def beautiful_soup(features: Literal["lxml", "html.parser"]) -> Ways:
    """BeautifulSoup on one of its parsers."""
    import bs4
    from lxml.html import soupparser

    warnings.filterwarnings("ignore", module="bs4")

    def to_text(page: Page) -> str:
        return str(bs4.BeautifulSoup(page.text, features))

    def to_tree(page: Page) -> object:
        return soupparser.fromstring(page.text, features=features)

    return Ways(version("beautifulsoup4"), to_text, to_tree)


TIDY_OPTIONS = {
    "output-xhtml": "yes",
    "numeric-entities": "yes",  # a named one needs the DTD
    "char-encoding": "utf8",
    "force-output": "yes",
    "quiet": "yes",
    "show-warnings": "no",
    "wrap": "0",
}


def tidy_library() -> Ways:
    """libtidy, called in this process."""
    from benchmarks.tidy import Tidy

    tidy = Tidy(TIDY_OPTIONS)
    return Ways(tidy.version, lambda page: tidy.fix(page.data), _parse_strictly(tidy.fix))


def tidy_command() -> Ways:
    """The tidy command, started anew for each page."""
    path = shutil.which("tidy")
    if path is None:
        raise Absent("not on the PATH")
    command = [path]
    for name, value in TIDY_OPTIONS.items():
        command += [f"--{name}", value]

    def fix(data: bytes) -> bytes:
        # 1 means warnings, 2 errors; with force-output there is a document all the same
        return subprocess.run(command, input=data, capture_output=True, check=False).stdout

    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return Ways(said.split()[-1], lambda page: fix(page.data), _parse_strictly(fix))


def _parse_strictly(fix: Any) -> Any:
    """The way to a tree of a peer that has none but to read its XML again."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return lambda page: etree.fromstring(fix(page.data), parser)
