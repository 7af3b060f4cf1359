"""Which input is XML already: HTML is the rule, XML the exception that must prove itself."""

from __future__ import annotations

import re
from xml.parsers import expat

# One that expat would drop without a word under an external DOCTYPE.
_OTHER_ENTITY = re.compile("&(?!#|(?:amp|lt|gt|quot|apos);)").search
_NO_REFERENCES_HERE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_STANDALONE = re.compile(r"""<\?xml\s[^>]*\bstandalone\s*=\s*["']yes["']""").match
_SEPARATOR = "\x1f"


class _NotPlain(Exception):
    """Raised inside expat's handlers to stop it."""


_PROLOG = re.compile(r"(?:[\t\n\r ]+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*>)*", re.DOTALL).match
_ROOT = re.compile(r"<([A-Za-z_:][^\t\n\r />]*)[\t\n\r />]").match


def may_be_xml(text: str, *, more: bool) -> bool | None:
    """Whether a document that begins so may have to be read by XML's rules.

    Args:
        text: the beginning of the document.
        more: whether more of it can come.

    Returns:
        False if HTML's rules it will be; None if more is needed to tell.
    """
    if not text.startswith("<?xml"):
        return None if more and "<?xml".startswith(text) else False
    if _STANDALONE(text):
        return True
    prolog = _PROLOG(text)
    root = _ROOT(text, prolog.end()) if prolog else None
    if root is None:
        return None if more else True
    return root[1].rpartition(":")[2] != "html"


def is_plain_xml(text: str, *, forced: bool) -> bool:
    """Whether `text` is XML to be read by XML's rules.

    Args:
        text: the document.
        forced: the caller says that it is XML; otherwise it must be xmlfix's own
            output, known by `standalone="yes"`, or have a root other than `html`.

    Returns:
        True only if expat accepts it with namespaces, and it has no internal subset and
        no entity but the five of XML.

    Source: XML 1.0 §2.1; Namespaces in XML 1.0 §7.
    """
    roots: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        roots.append(name)
        parser.StartElementHandler = None

    def doctype(name: str, system: str | None, public: str | None, subset: bool) -> None:
        if subset or _OTHER_ENTITY(_NO_REFERENCES_HERE.sub("", text)):
            raise _NotPlain

    parser = expat.ParserCreate("utf-8", _SEPARATOR)
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.encode("utf-8"), True)
    except (expat.ExpatError, UnicodeEncodeError, _NotPlain):
        return False
    if forced or _STANDALONE(text):
        return True
    return roots[0].rpartition(_SEPARATOR)[2] != "html"
