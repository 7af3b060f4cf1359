"""An internal subset: the entities and the attributes that a DOCTYPE declares.

Read are general entities with a value and attribute lists. An entity counts if what it stands
for is text; parameter and external entities are refused: nothing is ever fetched. What entities
and default values add to a document is bounded, so nested entities cost no more than others.

Source: XML 1.0 §2.8, §3.3, §4.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late
from xmlfix.read.references import (
    NAMED_REFERENCE,
    XML_NAMES,
    XML_REFERENCE,
    named,
    resolve_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = r"""[^\t\n\r\f "'<>%;&\[\]()]++"""
LITERAL = r"""(?:"[^"]*"|'[^']*')"""
SPACES = r"[\t\n\r\f ]"
# What a declaration has between "<!" and ">": literals, and no "<" outside them.
REST = rf"""(?:[^"'<>]|{LITERAL})*+>"""
PART = late(
    globals(),
    "PART",
    "match",
    rf"""(?P<skip>{SPACES}++|<!--(?s:.*?)-->|<\?(?s:.*?)\?>)
    |(?P<end>\])
    |(?P<parameter>%{NAME};?|<!ENTITY{SPACES}+%{REST})
    |<!ENTITY{SPACES}+(?P<name>{NAME}){SPACES}+(?:(?P<value>{LITERAL}){SPACES}*>|(?P<other>{REST}))
    |<!ATTLIST{SPACES}+(?P<element>{NAME})(?P<attributes>{REST})
    |<![A-Z]{REST}""",
    re.VERBOSE,
)
# Where the next part may begin, after something that is not a part.
RESUME = late(globals(), "RESUME", "search", r"[<\]%\t\n ]")
ATTRIBUTE = late(
    globals(),
    "ATTRIBUTE",
    "finditer",
    rf"""(?<!{SPACES}){SPACES}++(?P<name>{NAME}){SPACES}++
    (?P<type>[A-Z]++(?:{SPACES}*+\([^()<>"']*+\))?+|\([^()<>"']*+\)){SPACES}*+
    (?:\#REQUIRED|\#IMPLIED|(?:\#FIXED{SPACES}++)?+(?P<value>{LITERAL}))""",
    re.VERBOSE,
)
REFERENCES = late(globals(), "REFERENCES", "finditer", NAMED_REFERENCE)
VALUE_SPACE = {9: " ", 10: " ", 13: " "}
FREE = 1 << 20  # characters that a document may grow by
SHARE = 16  # and as many for each character of it


class Subset:
    """What an internal subset declares, and how much of it may still be used.

    Attributes:
        end: the offset after its "]".
        is_closed: whether it has one.
        refused: the offsets of parameter and external entities.
        declared: the replacement text of each general entity; None: it has none here.
        fault: the code of why the last reference was not expanded.
    """

    __slots__ = (
        "_declared_names", "_defaults", "_made", "_over", "_room", "_tokens",
        "declared", "end", "fault", "is_closed", "refused",
    )  # fmt: skip

    def __init__(self, size: int) -> None:
        """Take note of how many characters the document has."""
        self.end = 0
        self.is_closed = False
        self.refused: list[int] = []
        self.declared: dict[str, str | None] = {}
        self._declared_names: dict[str, set[str]] = {}  # the attributes, by element
        self._defaults: dict[str, dict[str, str]] = {}  # by element and name
        self._tokens: dict[str, set[str]] = {}  # those whose white space does not count
        self.fault = ""
        self._room = SHARE * size + FREE
        self._made: dict[tuple[str, bool], str | None] = {}
        self._over: set[str] = set()  # entities for which there was no room

    def read(self, src: str, pos: int) -> None:
        """Read what stands after the "[" at src[pos - 1]."""
        while True:
            part = PART(src, pos)
            if part is None:
                if not src.startswith(("<!", "<?"), pos) and src.startswith("<", pos):
                    break  # a tag: the "]" is missing
                if src.startswith(("<!--", "<?"), pos):
                    pos = len(src)  # it has no end
                    break
                found = RESUME(src, pos + 1)
                pos = found.start() if found else len(src)
                if not found:
                    break
                continue
            pos = part.end()
            if part["end"]:
                self.is_closed = True
                break
            self._take(part)
        self.end = pos

    def _take(self, part: re.Match[str]) -> None:
        """Take note of a declaration."""
        if part["parameter"] or part["other"]:
            self.refused.append(part.start())
        name = part["name"]
        if name is not None and name not in XML_NAMES:
            value = part["value"]
            text = None if value is None else with_numbers(value[1:-1])
            self.declared.setdefault(name, text)
        element = part["element"]
        if element is not None:
            for found in ATTRIBUTE(part["attributes"]):
                if found["name"] in self._declared_names.setdefault(element, set()):
                    continue  # "the first declaration is binding"
                self._declared_names[element].add(found["name"])
                if found["type"] != "CDATA":
                    self._tokens.setdefault(element, set()).add(found["name"])
                if found["value"] is not None:
                    defaults = self._defaults.setdefault(element, {})
                    defaults[found["name"]] = found["value"][1:-1].translate(VALUE_SPACE)

    # ── use ──────────────────────────────────────────────────────────────────

    def expanded(self, name: str, *, in_value: bool) -> str | None:
        """The text of the entity `name`; None if it has none, or there is no room: see `fault`."""
        text = self._text(name, in_value)
        if text is not None and self._spend(len(text)):
            return text
        is_over = text is not None or name in self._over
        self.fault = "xmlfix-entity-limit" if is_over else "xmlfix-entity-not-expanded"
        return None

    def _spend(self, size: int) -> bool:
        """Take `size` characters of the room that is left, if there are so many."""
        if size > self._room:
            return False
        self._room -= size
        return True

    def _text(self, name: str, in_value: bool) -> str | None:
        """The text of an entity, made of those that it names, which are made before it."""
        made = self._made
        waiting = [name]
        open_names: set[str] = set()
        while waiting:
            top = waiting[-1]
            if (top, in_value) in made:
                waiting.pop()
                continue
            replacement = self.declared[top]
            if replacement is None or "<" in replacement:
                made[top, in_value] = None
                continue
            open_names.add(top)
            named = {found[1]: None for found in REFERENCES(replacement)}
            missing = [n for n in named if n in self.declared and (n, in_value) not in made]
            if any(n in open_names for n in missing):
                made[top, in_value] = None  # it names itself
            elif missing:
                waiting += missing
            else:
                made[top, in_value] = self._joined(top, replacement, in_value)
        return made[name, in_value]

    def _joined(self, name: str, replacement: str, in_value: bool) -> str | None:
        """The replacement text of `name`, its references resolved; None if one cannot be."""
        size = len(replacement)
        for found in REFERENCES(replacement):
            if found[1] in self.declared:
                inner = self._made[found[1], in_value]
                if inner is None:
                    self._over.update([name] if found[1] in self._over else [])
                    return None
                size += len(inner)
        if not self._spend(size):
            self._over.add(name)
            return None
        if in_value:
            replacement = replacement.translate(VALUE_SPACE)
        return resolve_run(replacement, lambda name: self._made[name, in_value], self.declared)

    def apply_attributes(self, element: str, attrs: dict[str, str], most: int) -> str:
        """Give `attrs` what is declared for the element.

        Args:
            element: its name.
            attrs: those of its start tag, which change.
            most: as many as it may have.

        Returns:
            The code of why not all could be added, "" if all were.

        Source: XML 1.0 §3.3.2, §3.3.3.
        """
        fault = ""
        for name, literal in self._defaults.get(element, {}).items():
            if name in attrs:
                continue
            if len(attrs) >= most:
                fault = "xmlfix-too-many-attributes"
                break
            value = self._default(literal)
            if value is None or not self._spend(len(name) + len(value)):
                fault = "xmlfix-entity-limit"
                break
            attrs[name] = value
        tokens = self._tokens.get(element)
        if tokens:
            for name, value in attrs.items():
                if name in tokens:
                    attrs[name] = " ".join(filter(None, value.split(" ")))
        return fault

    def _default(self, literal: str) -> str | None:
        """A default value with its references resolved; None if there is no room for them."""
        is_whole = True

        def expand(name: str) -> str | None:
            nonlocal is_whole
            text = self.expanded(name, in_value=True)
            is_whole = is_whole and (text is not None or self.fault != "xmlfix-entity-limit")
            return text

        text = resolve_run(literal, expand, self.declared) if "&" in literal else literal
        return text if is_whole else None


def resolved(subset: Subset | None, text: str, *, in_value: bool) -> str:
    """A run of text or a value with its references resolved, as the reference states do it."""
    if subset is None:
        return resolve_run(text, str, {})
    return resolve_run(text, lambda name: subset.expanded(name, in_value=in_value), subset.declared)


def with_numbers(literal: str) -> str:
    """An entity's value with its numeric references resolved, and no others.

    Source: XML 1.0 §4.4, "Reference in EntityValue".
    """
    if "&#" not in literal:
        return literal
    return str(
        XML_REFERENCE(
            lambda found: resolve_number(found[0]) if found[0][1] == "#" else found[0], literal
        )
    )


def resolve_run(
    text: str, expand: Callable[[str], str | None], declared: dict[str, str | None]
) -> str:
    """A run of text by XML's rules: references to numbers, entities and HTML's names.

    Args:
        text: without markup.
        expand: gives the text of an entity, or None to keep the reference.
        declared: the entities that `expand` knows.
    """

    def characters(found: re.Match[str]) -> str:
        source = found[0]
        if source[1] == "#":
            return resolve_number(source)
        name = source[1:-1]
        if name in declared:
            text = expand(name)
            return source if text is None else text
        return named().get(source[1:], source)

    return str(XML_REFERENCE(characters, text))
