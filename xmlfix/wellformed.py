"""Strictness: whether XML is namespace-well-formed, and where not."""

from __future__ import annotations

import re

from lxml import etree

from xmlfix.decode import exact
from xmlfix.tree import safe_parser

HINT = re.compile(r",? *(?:use|try|add) XML_PARSE_HUGE(?: option)?")


class CheckResult:
    """The answer of `check`; true if the XML is namespace-well-formed.

    Attributes:
        line: 1-based line of the first fault, 0 if there is none.
        column: its 1-based column, 0 if there is none or the parser cannot tell.
        message: what is wrong, "" if nothing is.
    """

    __slots__ = ("column", "line", "message")

    def __init__(self, message: str = "", line: int = 0, column: int = 0) -> None:
        self.message = message
        self.line = line
        self.column = column

    def __bool__(self) -> bool:
        return not self.message

    def __repr__(self) -> str:
        place = f" {self.line}:{self.column}: {self.message}" if self.message else ""
        return f"<CheckResult {'well-formed' if self else 'not well-formed'}{place}>"


def check(xml: str | bytes, *, huge: bool = False) -> CheckResult:
    """Say whether `xml` is namespace-well-formed XML 1.0.

    Args:
        xml: the document; a str may carry an encoding declaration, which is not heeded.
        huge: lift the parser's default limits on depth (256) and size (10 MB a text).

    Returns:
        A result that is true if it is, with line, column and message if not.

    Raises:
        TypeError: `xml` is neither str nor bytes.

    Source: XML 1.0 §2.1; Namespaces in XML 1.0 §7. Nothing is fetched, no DTD read, no
    entity expanded.

    >>> check("<a><b></a>")
    <CheckResult not well-formed 1:11: Opening and ending tag mismatch: b line 1 and a>
    """
    xml = exact(xml)
    if isinstance(xml, str):
        try:
            data = xml.encode("utf-8")
        except UnicodeEncodeError as error:
            return surrogate(xml, error.start)
        parser = safe_parser(huge=huge, encoding="utf-8")
    elif isinstance(xml, bytes):
        data = xml
        parser = safe_parser(huge=huge)
    else:
        raise TypeError(f"XML is str or bytes, not {type(xml).__name__}")
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = (error.msg or "no element found").rpartition(", line ")[0] or str(error.msg)
        return CheckResult(hinted(message.strip(), huge=huge), line or 1, column or 1)
    return CheckResult()


def hinted(message: str, *, huge: bool) -> str:
    """libxml2's message, with the word that we have for its option."""
    return HINT.sub("" if huge else " (huge=True)", message)


def surrogate(xml: str, offset: int) -> CheckResult:
    """The result for a str with a lone surrogate at `offset`."""
    before = xml[:offset]
    line = before.count("\n") + 1
    column = offset - (before.rfind("\n") + 1) + 1
    return CheckResult("lone surrogate, which is no character", line, column)
