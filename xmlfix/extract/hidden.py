"""What the markup itself hides: the attribute `hidden`, and `display` in `style`."""

from __future__ import annotations

import re
from functools import lru_cache

from xmlfix.extract.grid import local_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from xmlfix.tree import Element

OUTSIDE: Final = frozenset(("block", "inline", "run-in"))
INSIDE: Final = frozenset("flow flow-root table flex grid ruby math".split())
SINGLE: Final = frozenset(
    "none contents list-item inline-block inline-table inline-flex inline-grid table-row-group"
    " table-header-group table-footer-group table-row table-cell table-column-group table-column"
    " table-caption ruby-base ruby-text ruby-base-container ruby-text-container -webkit-box"
    " -webkit-inline-box -webkit-flex -webkit-inline-flex".split()
)
WIDE: Final = frozenset(("initial", "inherit", "unset", "revert", "revert-layer"))
SUBSTITUTED: Final = ("var()", "env()", "attr()", "if()")  # functions that may stand for any value

_OUTSIDE_TABLES: Final = (False, False)

_CONCERNS = re.compile(r"display|all|\\", re.IGNORECASE).search
_TOKEN = re.compile(
    r"""
      /\* .*? (?: \*/ | \Z )                                  # a comment
      # a string, or what there is of a bad one
    | " (?: [^"\\\n\f\r] | \\. )* (?: " | (?=[\n\f\r]) | \\?\Z )
    | ' (?: [^'\\\n\f\r] | \\. )* (?: ' | (?=[\n\f\r]) | \\?\Z )
    | \b url \( (?! \s* ["'] ) (?: [^)\\] | \\. )* (?: \) | \\?\Z )   # an unquoted url
    | \\ (?: [0-9a-f]{1,6} \s? | [^\n\f\r] )                  # an escape
    | [^"'\\/u()\[\]{};]+                                      # what means nothing by itself
    | .
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ENDS = {"(": ")", "[": "]", "{": "}"}


def is_hidden(element: Element) -> bool:
    """Whether the markup itself says that an element is not displayed.

    That is the attribute `hidden`, unless `style` gives the element another `display`, and
    `style="display: none"`. Style sheets and scripts are not asked, nor is what hides the
    elements around it. `visibility: hidden` does not count: the element keeps its place.

    Source: WHATWG #the-hidden-attribute, #hidden-elements; CSS Cascade 4 §6.

    >>> from lxml import etree
    >>> is_hidden(etree.fromstring('<td style="--display: none; color: red"/>'))
    False
    >>> is_hidden(etree.fromstring('<td hidden="" style="DISPLAY:none!important; display:block"/>'))
    True
    """
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() == "until-found":
        return True
    style = element.get("style")
    display = None if style is None else display_of(style)
    if display is None or display in ("revert", "revert-layer"):
        return hidden is not None
    return display == "none"


class HiddenParts:
    """Finds out what is hidden itself, or with the part of a table that it is in.

    What hides a part of the page around a table does not count, since it may be a tab to be
    opened. Each element is asked once.

    >>> from lxml import etree
    >>> row = etree.fromstring("<div hidden=''><table><tbody hidden=''><tr/></tbody></table></div>")
    >>> parts = HiddenParts()
    >>> parts.has(row.find(".//tr")), parts.has(row.find(".//table"))
    (True, False)
    """

    def __init__(self) -> None:
        # by element: whether it is a table or in one, and whether one from there on is hidden
        self._known: dict[Element, tuple[bool, bool]] = {}

    def has(self, element: Element) -> bool:
        """Whether an element is hidden in this sense."""
        path = []
        found = _OUTSIDE_TABLES
        around: Element | None = element
        while around is not None:
            if around in self._known:
                found = self._known[around]
                break
            path.append(around)
            around = around.getparent()
        for part in reversed(path):
            inside = found[0] or local_name(part) == "table"
            found = inside, inside and (found[1] or is_hidden(part))
            self._known[part] = found
        return found[1] or is_hidden(element)


@lru_cache(maxsize=1024)
def display_of(style: str) -> str | None:
    """The `display` that the declarations of a `style` attribute give, None if they give none.

    The last valid declaration wins, one with `!important` over those without; `all` sets
    `display` too.

    Source: CSS Syntax 3 §5.4.4 (a list of declarations), CSS Display 3 §2, CSS Cascade 4 §3.2.

    >>> [display_of(style) for style in ("display:none;display:inline", "x:url(;display:none")]
    ['inline', None]
    """
    if _CONCERNS(style) is None:
        return None
    found: str | None = None
    heeded = False  # whether the one found is important
    for name, value in _declarations(style):
        if name not in ("display", "all"):
            continue
        value, mark, rest = value.partition("!")
        if mark and rest.strip() != "important":
            continue
        words = value.split()
        valid = _is_wide(words) if name == "all" else _is_display(words)
        if valid and (mark or not heeded):
            found = " ".join(words)
            heeded = bool(mark)
    return found


def _is_wide(words: list[str]) -> bool:
    return (len(words) == 1 and words[0] in WIDE) or _is_substituted(words)


def _is_substituted(words: list[str]) -> bool:
    return any(word.endswith(SUBSTITUTED) for word in words)


def _is_display(words: list[str]) -> bool:
    """Whether this is a value of `display`; the words are in lower case."""
    if _is_wide(words):
        return True
    if len(words) == 1 and words[0] in SINGLE:
        return True
    rest = [word for word in words if word not in OUTSIDE]
    if not words or len(words) - len(rest) > 1:
        return False
    if "list-item" in rest:
        rest.remove("list-item")
        return not rest or (len(rest) == 1 and rest[0] in ("flow", "flow-root"))
    return not rest or (len(rest) == 1 and rest[0] in INSIDE)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """The name and the value of each declaration, in lower case.

    Comments are spaces, a string is `""`, and what stands in brackets is left out, so that
    only the text of the declaration itself remains.
    """
    parts: list[str] = []
    closing: list[str] = []  # the brackets that are open
    for found in _TOKEN.finditer(style):
        token = found[0]
        first = token[0]
        if closing and token == closing[-1]:
            closing.pop()
            if not closing:
                parts.append(token)
        elif token in _ENDS:
            if not closing:
                parts.append(token)
            closing.append(_ENDS[token])
        elif closing:
            continue
        elif token == ";":
            yield from _declaration(parts)
            parts = []
        elif token.startswith("/*"):
            parts.append(" ")
        elif first in "\"'":
            parts.append('""')
        elif first == "\\" and len(token) > 1:
            parts.append(_unescaped(token))
        elif token[:3].lower() == "url" and "(" in token:
            parts.append("url()")
        else:
            parts.append(token)
    yield from _declaration(parts)


def _declaration(parts: list[str]) -> Iterator[tuple[str, str]]:
    name, colon, value = "".join(parts).partition(":")
    if colon:
        yield name.strip().lower(), value.strip().lower()


def _unescaped(token: str) -> str:
    """The character that an escape stands for; U+FFFD for one that no keyword has."""
    digits = token[1:].strip()
    try:
        char = chr(int(digits, 16)) if digits else "\ufffd"
    except (ValueError, OverflowError):  # no digits, or no code point
        char = token[1:]
    return char if char.isascii() and (char.isalnum() or char == "-") else "\ufffd"
