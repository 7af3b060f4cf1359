"""xmlfix turns any HTML into well-formed XML.

    >>> import xmlfix
    >>> xmlfix.fix("<p class=x>a<br>b", repair="stack", xml_declaration=False)
    '<p class="x">a<br/>b</p>'

The calls take str or bytes and the options of `xmlfix.options` as keywords.
"""

from __future__ import annotations

from xmlfix.errors import InputError, LimitError, OptionError, XmlfixError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike
    from typing import IO, Any, Unpack

    from xmlfix.extract.columns import Column, read_columns, read_replace
    from xmlfix.extract.grid import Cell
    from xmlfix.extract.links import Link, links
    from xmlfix.extract.outline import outline
    from xmlfix.extract.query import css, select, xpath
    from xmlfix.extract.query_error import QueryError
    from xmlfix.extract.records import RecordReader, records
    from xmlfix.extract.tables import Table, tables
    from xmlfix.extract.xslt import stylesheet, xslt
    from xmlfix.finding import Finding
    from xmlfix.options import Settings
    from xmlfix.push import Fixer, fix_stream
    from xmlfix.read.stream import Tokens, tokens
    from xmlfix.sniffing import Sniffed, sniff
    from xmlfix.tree import Element, ElementTree
    from xmlfix.wellformed import CheckResult, check
    from xmlfix.write.names import unescape_name

__version__ = "0.1.0"
__all__ = [
    "Cell",
    "CheckResult",
    "Column",
    "Element",
    "ElementTree",
    "Finding",
    "Fixer",
    "InputError",
    "LimitError",
    "Link",
    "OptionError",
    "QueryError",
    "RecordReader",
    "Sniffed",
    "Table",
    "Tokens",
    "XmlfixError",
    "check",
    "css",
    "fix",
    "fix_bytes",
    "fix_stream",
    "fromstring",
    "links",
    "outline",
    "parse",
    "read_columns",
    "read_replace",
    "records",
    "select",
    "sniff",
    "stylesheet",
    "tables",
    "tokens",
    "unescape_name",
    "xpath",
    "xslt",
]

_LATE = {  # imported when first asked for, so that the filter starts fast
    "Cell": "xmlfix.extract.grid",
    "CheckResult": "xmlfix.wellformed",
    "Column": "xmlfix.extract.columns",
    "Element": "xmlfix.tree",
    "ElementTree": "xmlfix.tree",
    "Finding": "xmlfix.finding",
    "Fixer": "xmlfix.push",
    "Link": "xmlfix.extract.links",
    "QueryError": "xmlfix.extract.query_error",
    "RecordReader": "xmlfix.extract.records",
    "Sniffed": "xmlfix.sniffing",
    "Table": "xmlfix.extract.tables",
    "Tokens": "xmlfix.read.stream",
    "check": "xmlfix.wellformed",
    "css": "xmlfix.extract.query",
    "fix_stream": "xmlfix.push",
    "links": "xmlfix.extract.links",
    "outline": "xmlfix.extract.outline",
    "read_columns": "xmlfix.extract.columns",
    "read_replace": "xmlfix.extract.columns",
    "records": "xmlfix.extract.records",
    "select": "xmlfix.extract.query",
    "sniff": "xmlfix.sniffing",
    "stylesheet": "xmlfix.extract.xslt",
    "tables": "xmlfix.extract.tables",
    "tokens": "xmlfix.read.stream",
    "unescape_name": "xmlfix.write.names",
    "xpath": "xmlfix.extract.query",
    "xslt": "xmlfix.extract.xslt",
}


def __getattr__(name: str) -> Any:
    if name == "options":  # where the docstrings send the reader
        from importlib import import_module

        return import_module("xmlfix.options")
    if name not in _LATE:
        raise AttributeError(f"module 'xmlfix' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_LATE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "options"})


def fix(html: str | bytes, **options: Unpack[Settings]) -> str:
    """Turn HTML into a str of well-formed XML that `lxml.etree.fromstring` takes as it is.

    Args:
        html: the markup, a whole document or a part of one.
        **options: see `xmlfix.options.OPTIONS`.

    Returns:
        The XML, with a declaration without encoding (a str has none).

    Raises:
        OptionError: an option that does not exist, or a value that it does not take.
        InputError: bytes in an unknown encoding.
        LimitError: `html` has more characters than `max_input`.
        TypeError: `html` is neither str nor bytes.

    Source: WHATWG HTML #parsing for the tree, #coercing-an-html-dom-into-an-infoset for names
    that XML lacks; XML 1.0 and Namespaces in XML 1.0 for what is written.

    >>> fix("<ul><li>a<li>b & c", repair="stack", xml_declaration=False)
    '<ul><li>a</li><li>b &amp; c</li></ul>'
    """
    from xmlfix import fixer

    return fixer.fix(html, {**options})


def fix_bytes(
    html: str | bytes, *, output_encoding: str = "utf-8", **options: Unpack[Settings]
) -> bytes:
    """Turn HTML into encoded XML, with a declaration that names the encoding.

    Args:
        html: the markup.
        output_encoding: any text codec of Python; characters that it lacks become
            numeric references.
        **options: see `xmlfix.options.OPTIONS`.

    Returns:
        The XML in bytes.

    Raises:
        OptionError: as `fix`, or an `output_encoding` that XML cannot be in.
        InputError, LimitError, TypeError: as `fix`.

    Source: as `fix`; XML 1.0 §4.3.3 for the declared encoding.

    >>> fix_bytes("<p>caf\\u00e9", output_encoding="ascii", xml_declaration=False, repair="stack")
    b'<p>caf&#233;</p>'
    """
    from xmlfix import fixer

    return fixer.fix_bytes(html, output_encoding, {**options})


def fromstring(html: str | bytes, **options: Unpack[Settings]) -> Element:
    """Turn HTML into an lxml element, after `lxml.etree.fromstring`.

    Args:
        html: the markup.
        **options: see `xmlfix.options.OPTIONS`.

    Returns:
        The root element. A fragment has as its root the element that is its context, if
        `root` names no other: of `fragment="tr"` a `tr` with the cells in it. Its and all
        `sourceline`s are lines of the XML that `fix` gives, not of `html`.

    Raises:
        OptionError, InputError, LimitError, TypeError: as `fix`.
        MemoryError: libxml2 has not enough memory for the tree.

    Source: as `fix`; the tree is lxml's, with its limits on size lifted.

    >>> fromstring("<p>a<p>b", repair="stack").xpath("//p[2]/text()")
    ['b']
    """
    from xmlfix import fixer
    from xmlfix.tree import to_element

    run = fixer.Run(html, {**options}, is_tree=True)
    return to_element(fixer.written(run), html=not run.intake.is_xml)


def parse(
    source: str | bytes | PathLike[str] | IO[str] | IO[bytes], **options: Unpack[Settings]
) -> ElementTree:
    """Turn HTML into an lxml tree.

    Args:
        source: the markup as str or bytes; or a path-like or a reader to take it from.
            A str is markup, not a file name: one that looks like a name brings a warning.
        **options: see `xmlfix.options.OPTIONS`.

    Returns:
        The tree, with the root and the lines that `fromstring` says.

    Raises:
        OSError: the file cannot be read.
        OptionError, InputError, LimitError, MemoryError: as `fromstring`.
        TypeError: `source` is none of these.

    Source: as `fromstring`.

    >>> parse("<ul><li>a<li>b").findtext(".//li[2]")
    'b'
    """
    from xmlfix.source import read_source

    return fromstring(read_source(source), **options).getroottree()
