"""Which input is XML already: HTML is the rule, XML the exception that must prove itself."""

from __future__ import annotations

import re

from xmlfix.patterns import late

# One that expat would drop without a word under an external DOCTYPE.
_OTHER_ENTITY = late(globals(), "_OTHER_ENTITY", "search", "&(?!#|(?:amp|lt|gt|quot|apos);)")
_NO_REFERENCES_HERE = late(
    globals(),
    "_NO_REFERENCES_HERE",
    "sub",
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>",
    re.DOTALL,
)
_STANDALONE = late(
    globals(), "_STANDALONE", "match", r"""<\?xml\s[^>]*\bstandalone\s*=\s*["']yes["']"""
)
_SEPARATOR = "\x1f"


class _NotPlain(Exception):
    """Raised inside expat's handlers to stop it."""


_PROLOG = late(
    globals(),
    "_PROLOG",
    "match",
    r"(?:[\t\n\r ]+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*>)*",
    re.DOTALL,
)
_ROOT = late(globals(), "_ROOT", "match", r"<([A-Za-z_:][^\t\n\r />]*)[\t\n\r />]")


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
    return str(root[1]).rpartition(":")[2] != "html"


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
    from xml.parsers import expat

    roots: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        roots.append(name)
        parser.StartElementHandler = None

    def doctype(name: str, system: str | None, public: str | None, subset: bool) -> None:
        if subset or _OTHER_ENTITY(_NO_REFERENCES_HERE("", text)):
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
