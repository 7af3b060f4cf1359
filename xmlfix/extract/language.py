"""Languages and directions of writing, for `:lang()` and `:dir()`."""

from __future__ import annotations

import unicodedata

from lxml import etree

from xmlfix.extract.conditions import lowered
from xmlfix.extract.pseudo import FOREIGN
from xmlfix.tree import local_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from xmlfix.tree import Element

STRONG: Final = {"L": "ltr", "R": "rtl", "AL": "rtl"}  # bidirectional classes
# HTML #auto-directionality: whose text counts by its value, and whose not at all
VALUED: Final = frozenset(
    ("hidden", "text", "search", "tel", "url", "email", "password", "submit", "reset", "button")
)
_IS_FOREIGN: Final = etree.XPath(f"boolean({FOREIGN})")
APART: Final = frozenset(("bdi", "script", "style", "textarea"))


def speaks(context: Any, language: str, wanted: str) -> bool:
    """Whether a language is of a language range: `de-Latn-CH` is of `de-CH` and `*-CH`.

    Args:
        context: that of lxml's extension functions.
        language: a language tag; "" if it is unknown.
        wanted: the range; "" means an unknown language.

    Source: Selectors Level 4 §7.2; RFC 4647 §3.3.2 (extended filtering).

    >>> speaks(None, "de-Latn-CH", "de-ch"), speaks(None, "de-x-CH", "de-CH")
    (True, False)
    """
    if not language or not wanted:
        return language == wanted
    tags = lowered(language).split("-")
    ranges = lowered(wanted).split("-")
    if ranges[0] not in {"*", tags[0]}:
        return False
    at = 1
    for subtag in ranges[1:]:
        if subtag == "*":
            continue
        while at < len(tags) and tags[at] != subtag:
            if len(tags[at]) == 1:  # what follows it is of another kind
                return False
            at += 1
        if at == len(tags):
            return False
        at += 1
    return True


def direction(context: Any) -> str:
    """The directionality of the context node: "ltr" or "rtl".

    Source: HTML #the-directionality.
    """
    known: dict[Any, str] = context.eval_context
    passed: list[Element] = []
    node: Element | None = context.context_node
    found = ""
    while node is not None and not found:
        found = known.get((direction, node), "") or own_direction(node)
        passed.append(node)
        node = node.getparent()
    for element in passed:
        known[direction, element] = found or "ltr"
    return found or "ltr"


def own_direction(element: Element) -> str:
    """The direction that an element has by itself; "" if it has that of its parent."""
    given = lowered(element.get("dir", ""))
    name = local_part(element)
    if not (given or name in {"bdi", "input"}) or _IS_FOREIGN(element):
        return ""
    if given in {"ltr", "rtl"}:
        return given
    kind = lowered(element.get("type", "text")) if name == "input" else ""
    if given == "auto" and (name == "textarea" or kind in VALUED):
        value = "".join(element.itertext()) if name == "textarea" else element.get("value", "")
        return first_strong([value]) or "ltr"
    if given == "auto" or name == "bdi":
        return first_strong(texts(element)) or "ltr"
    return "ltr" if kind == "tel" else ""


def first_strong(pieces: Iterator[str] | list[str]) -> str:
    """The direction of the first character that has a strong one, or ""."""
    for piece in pieces:
        for char in piece:
            found = STRONG.get(unicodedata.bidirectional(char))
            if found:
                return found
    return ""


def texts(element: Element) -> Iterator[str]:
    """The text of an element, without the parts that have a direction of their own.

    Source: HTML #contained-text-auto-directionality.
    """
    waiting: list[Element | str] = [element]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        pieces: list[Element | str] = [node.text or ""]
        for child in node:
            if isinstance(child.tag, str) and not (is_apart(child) and not _IS_FOREIGN(child)):
                pieces.append(child)
            pieces.append(child.tail or "")
        waiting.extend(reversed(pieces))


def is_apart(element: Element) -> bool:
    """Whether the text of an HTML element like this does not count for the one around it."""
    has_own = lowered(element.get("dir", "")) in {"ltr", "rtl", "auto"}
    return has_own or local_part(element) in APART
