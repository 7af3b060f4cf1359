"""The names of elements that options are given, checked: one that no page can have is a slip."""

from __future__ import annotations

import re

from xmlfix.elements import HTML_ELEMENTS, SVG_NAMES
from xmlfix.errors import OptionError, did_you_mean
from xmlfix.write.names import escape_ncname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

COMMENT = "#comment"  # what `drop` takes beside names

# What can be named beside the elements of HTML: names that the parser changes, that browsers try
# out, or have tried out. As the root of XML they are common words, which mean no page.
HTML_NAMES = HTML_ELEMENTS | frozenset(
    "command content fencedframe geolocation image portal shadow".split()
)

# #tag-open-state, #tag-name-state
_HTML_NAME = re.compile(r"[A-Za-z][^\x00\t\n\f\r />]*")
_XML_NAME = re.compile(r"""[^\W\d][^\x00\s/<>="']*""")
_SELECTOR = re.compile(r"([A-Za-z][A-Za-z0-9]*)(?:[.#\[(*]|::)")
_CONTEXT = re.compile(r"(svg |math )?([A-Za-z][^\x00\t\n\f\r />]{0,999})")


def dropped(names: Iterable[str], *, xml: bool) -> frozenset[str]:
    """The names of `drop`, each as elements may have it.

    Args:
        names: as given.
        xml: names are those of XML, whose case is kept.

    Raises:
        OptionError: no element can have such a name.
    """
    found = set()
    for name in names:
        if name != COMMENT:
            check_name(f"drop takes names of elements and {COMMENT}", name, xml=xml)
        found.add(name)
        if not xml:
            lower = name.lower()
            found |= {lower, SVG_NAMES.get(lower, lower)}
    return frozenset(found)


def check_name(takes: str, name: str, *, xml: bool = False) -> None:
    """Raise OptionError if no element can have a name.

    Args:
        takes: the option, and what it takes, for the message.
        name: as given.
        xml: it is a name of XML.

    >>> check_name("drop takes names", "x-card.big")
    >>> check_name("drop takes names", "div.big")
    Traceback (most recent call last):
    xmlfix.errors.OptionError: drop takes names, not the selector 'div.big'
    """
    if not (_XML_NAME if xml else _HTML_NAME).fullmatch(name):
        raise OptionError(f"{takes}, not {name!r}")
    selector = None if xml else _SELECTOR.match(name)
    if selector and selector[1].lower() in HTML_NAMES:
        raise OptionError(f"{takes}, not the selector {name!r}")


def context(name: str) -> str:
    """The context element of a fragment, in the form "td", "svg desc" or "math mi".

    Raises:
        OptionError: it names no element.

    >>> context("TD"), context("svg foreignobject"), context("math"), context("my-card")
    ('td', 'svg foreignObject', 'math math', 'my-card')
    """
    found = _CONTEXT.fullmatch(name.strip())
    if found is None:
        raise OptionError(f"fragment takes an element, e.g. td or 'svg desc', not {name!r}")
    lower = found[2].lower()
    if found[1] == "svg ":
        return f"svg {SVG_NAMES.get(lower, found[2])}"
    if found[1]:
        return found[0]
    if lower in ("svg", "math"):
        return f"{lower} {lower}"
    if lower not in HTML_NAMES and "-" not in lower and ":" not in lower:
        raise OptionError(
            f"fragment takes an element of HTML, a custom one (my-card) or e.g. 'svg desc',"
            f" not {name!r}{did_you_mean(lower, sorted(HTML_NAMES))}"
        )
    return lower


def root_of(context: str) -> str:
    """The name of the root that stands for the context of a fragment.

    >>> root_of("td"), root_of("svg desc"), root_of("o:p")
    ('td', 'desc', 'oU00003Ap')
    """
    return escape_ncname(context.rpartition(" ")[2])
