"""Which input is XML already: HTML is the rule, XML the exception that must prove itself."""

from __future__ import annotations

import re
from xml.parsers import expat

# One that expat would drop without a word under an external DOCTYPE.
_OTHER_ENTITY = re.compile("&(?!#|(?:amp|lt|gt|quot|apos);)").search
_STANDALONE = re.compile(r"""<\?xml\s[^>]*\bstandalone\s*=\s*["']yes["']""").match
_SEPARATOR = "\x1f"


class _NotPlain(Exception):
    """Raised inside expat's handlers to stop it."""


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
        if subset or _OTHER_ENTITY(text):
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
