"""Which input is XML: HTML is the rule, XML the exception that must show itself.

XML is what begins with an XML declaration and has a root that is no HTML element, well-formed
or not; any well-formed document with a declaration whose root is not `html`; xmlfix's own
output; and what the caller or a media type says to be XML.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late
from xmlfix.read.references import NAMED_REFERENCE
from xmlfix.sniffing import LONGEST_BEGINNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DECLARATION = late(globals(), "_DECLARATION", "match", r"<\?xml(?=[\t\n\r ?>])")
_MISC = late(globals(), "_MISC", "match", r"(?:[\t\n\f\r ]++|(?><!--.*?-->))*+", re.DOTALL)
_STANDALONE = late(
    globals(), "_STANDALONE", "match", r"""<\?xml\s[^>]*\bstandalone\s*=\s*["']yes["']"""
)
_DOCTYPE = late(
    globals(),
    "_DOCTYPE",
    "match",
    r"""<!DOCTYPE(?:[^"'<>\[]|"[^"]*"|'[^']*')*+([\[>])""",
    re.IGNORECASE,
)
_SUBSET_END = late(globals(), "_SUBSET_END", "match", r"[\t\n\f\r ]*>")
_ROOT = late(
    globals(), "_ROOT", "match", r"<([A-Za-z_:\x80-\U0010ffff][^\t\n\f\r />]*)[\t\n\f\r />]"
)
_REFERENCE = late(globals(), "_REFERENCE", "sub", NAMED_REFERENCE)
_PART = r"""[\t\n\r ]++{}[\t\n\r ]*+=[\t\n\r ]*+(?:"[^"]*+"|'[^']*+')"""
_PSEUDO_ATTRIBUTE = late(
    globals(),
    "_PSEUDO_ATTRIBUTE",
    "finditer",
    r"""(version|encoding|standalone)[\t\n\r ]*=[\t\n\r ]*(?:"([^"]*)"|'([^']*)')""",
)
# What XML has between "<?xml" and "?>": version, encoding, standalone, in this order (§2.8, §2.9).
_IN_ORDER = late(
    globals(),
    "_IN_ORDER",
    "fullmatch",
    rf"""{_PART.format("version")}(?:{_PART.format("encoding")})?(?:{_PART.format("standalone")})?"""
    r"[\t\n\r ]*+(?:\?[\t\n\r ]*+)?",
)
_SEPARATOR = "\x1f"


class _NotWellFormed(Exception):
    """Raised inside expat's handlers to stop it."""


class Prolog:
    """What stands before the root of a document, as far as it is there.

    Args:
        text: the document, or its beginning.
        more: whether it is only the beginning.

    Attributes:
        declaration: the offset of the XML declaration, -1 if there is none.
        declared: the entities that an internal subset declares.
        body: the offset where the root must begin.
        root: the name of the root, "" if there is none, None if more is needed to tell.
    """

    __slots__ = ("body", "declaration", "declared", "root")

    def __init__(self, text: str, *, more: bool = False) -> None:
        from xmlfix.read.special import has_own_end, instruction_end

        self.declaration = declaration_start(text)
        self.declared: dict[str, str | None] = {}
        self.root: str | None = None
        self.body = pos = 0
        while True:
            self.body = pos = _MISC(text, pos).end()
            if text.startswith("<?", pos):
                if more and not has_own_end(text, pos + 2):
                    return
                pos = instruction_end(text, pos + 2)[1]
            elif doctype := _DOCTYPE(text, pos):
                pos = doctype.end()
                if doctype[1] == "[":
                    pos, is_closed = self._subset(text, pos)
                    if more and not is_closed:
                        return
            else:
                break
        root = _ROOT(text, pos)
        if root:
            self.root = root[1]
        elif not more or (pos < len(text) and text[pos] != "<"):
            self.root = ""

    def _subset(self, text: str, pos: int) -> tuple[int, bool]:
        """Take the internal subset before which the "[" stands: where the DOCTYPE ends, if so."""
        from xmlfix.read.subset import Subset

        subset = Subset(len(text))
        subset.read(text, pos)
        self.declared.update(subset.declared)
        end = _SUBSET_END(text, subset.end)
        return (end.end(), True) if end else (subset.end, False)


def declaration_start(text: str) -> int:
    """The offset of the XML declaration, before which white space and comments may stand, or -1."""
    start = int(_MISC(text[:LONGEST_BEGINNING]).end())
    return start if _DECLARATION(text[:LONGEST_BEGINNING], start) else -1


def may_be_xml(text: str, *, more: bool) -> bool | None:
    """Whether a document that begins so may have to be read by XML's rules.

    Args:
        text: the document, or its beginning.
        more: whether it is only the beginning.

    Returns:
        False if HTML's rules it will be; None if more is needed to tell.
    """
    start = declaration_start(text)
    if start < 0:
        if not more or len(text) >= LONGEST_BEGINNING:
            return False
        rest = text[_MISC(text).end() :]
        return None if rest.startswith("<!--") or is_start_of(rest, "<?xml ", "<!--") else False
    if start == 0 and _STANDALONE(text):
        return True
    root = Prolog(text, more=more).root
    return None if root is None else root != "" and not is_page(root)


def is_start_of(text: str, *marks: str) -> bool:
    """Whether one of the marks begins with `text`."""
    return any(mark.startswith(text) for mark in marks)


def is_page(root: str) -> bool:
    """Whether a root element of that name is a page's: `html`, with or without prefix."""
    return root.rpartition(":")[2].lower() == "html"


def is_xml(text: str, *, well_formed: bool, forced: bool) -> bool:
    """Whether XML's rules read a document that the caller has not declared to be XML.

    Args:
        text: the document.
        well_formed: what `is_well_formed` says of it.
        forced: its media type is that of XML.
    """
    prolog = Prolog(text)
    if (prolog.declaration < 0 and not forced) or not prolog.root:
        return False
    if well_formed:
        return prolog.declaration == 0 and (bool(_STANDALONE(text)) or not is_page(prolog.root))
    return not is_page(prolog.root) and not is_html_element(prolog.root)


def is_html_element(name: str) -> bool:
    """Whether HTML has, or had, an element of that name, in any case of its letters."""
    from xmlfix.elements import HTML_ELEMENTS

    return name.lower() in HTML_ELEMENTS


def is_well_formed(text: str) -> bool:
    """Whether expat accepts `text` with namespaces; it need not have the HTML entities' values.

    Nothing that a DOCTYPE declares is expanded, and nothing is fetched.

    Source: XML 1.0 §2.1; Namespaces in XML 1.0 §7.
    """
    from xml.parsers import expat

    if "<!ENTITY" in text:
        prolog = Prolog(text)
        if prolog.declared:  # their names stand for them here, so that none is expanded
            declared = prolog.declared
            body = _REFERENCE(
                lambda found: found[1] if found[1] in declared else found[0], text[prolog.body :]
            )
            text = text[: prolog.body] + body

    def instruction(target: str, data: str) -> None:
        if ":" in target:  # which expat accepts
            raise _NotWellFormed

    parser = expat.ParserCreate("utf-8", _SEPARATOR)
    parser.ProcessingInstructionHandler = instruction
    try:
        parser.Parse(text.encode("utf-8"), True)
    except (expat.ExpatError, UnicodeEncodeError, _NotWellFormed):
        return False
    return True


def is_same(declared: str, encoding: str) -> bool:
    """Whether an encoding is the one declared, which need not say the order of its bytes."""
    if declared.startswith(("utf-16", "utf-32")):
        return encoding.startswith(declared[:6])
    return declared == encoding


def declaration_faults(text: str, encoding: str | None) -> Iterator[tuple[str, int, str]]:
    """The code, offset and detail of each thing in an XML declaration that is not so.

    Args:
        text: the document.
        encoding: the one that its bytes were read in; None for a str, which has none.
    """
    from xmlfix.encodings import lookup_any
    from xmlfix.read.special import instruction_end

    start = declaration_start(text)
    if start < 0:
        return
    end = instruction_end(text, start + 2)[0]
    end = end if end >= 0 else len(text)
    if not _IN_ORDER(text, start + len("<?xml"), end):
        yield "xmlfix-xml-declaration-malformed", start, ""
    for found in _PSEUDO_ATTRIBUTE(text, start, end):
        value = found[2] if found[3] is None else found[3]
        if found[1] == "version":
            is_wrong = value != "1.0"
        elif found[1] == "standalone":
            is_wrong = value not in ("yes", "no")
        else:
            name = lookup_any(value)
            is_wrong = name is None or (encoding is not None and not is_same(name, encoding))
        if is_wrong:
            yield "xmlfix-xml-declaration-wrong", found.start(), f"{found[1]} {value[:40]!r}"
