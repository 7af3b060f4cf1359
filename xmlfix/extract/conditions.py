"""XPath conditions for the simple parts of selectors: names, attributes, positions."""

from __future__ import annotations

import re

from xmlfix.elements import SVG_NAMES
from xmlfix.repair.foreign import SVG_ATTRIBUTES
from xmlfix.write.names import escape_ncname, split_prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

FOREIGN: Final = {**SVG_ATTRIBUTES, **SVG_NAMES}  # names with capitals by their small form

AN_B = re.compile(
    r"(?P<word>odd|even)|(?P<a>[+-]?\d*)n(?:\s*(?P<sign>[+-])\s*(?P<b>\d+))?|(?P<only>[+-]?\d+)",
    re.IGNORECASE,
).fullmatch

# HTML #case-sensitivity-of-selectors: the attributes whose values have no case
CASELESS: Final = frozenset(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact"
    " declare defer dir direction disabled enctype face frame hreflang http-equiv lang language"
    " link media method multiple nohref noresize noshade nowrap readonly rel rev rules scope"
    " scrolling selected shape target text type valign valuetype vlink".split()
)

CAPITALS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SMALL: Final = CAPITALS.lower()
_TO_LOWER: Final = str.maketrans(CAPITALS, SMALL)


def lowered(text: str) -> str:
    """`text` with ASCII capitals in lower case: all the case that CSS and HTML know."""
    return text.translate(_TO_LOWER)


def in_lower(expression: str) -> str:
    """The XPath expression for the same in lower case."""
    return f"translate({expression}, '{CAPITALS}', '{SMALL}')"


def quoted(text: str) -> str:
    """The XPath expression for a string, whatever quotes it has.

    >>> print(quoted("it's"), quoted("it's " + '"it"'))
    "it's" concat('it', "'", 's "it"')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join([f"'{part}'" for part in text.split("'")])
    return f"concat({parts})"


def both(*conditions: str) -> str:
    """All of the conditions, none of which has an `or` outside parentheses."""
    return " and ".join([condition for condition in conditions if condition != "true()"]) or (
        "true()"
    )


def either(conditions: list[str]) -> str:
    """One of the conditions."""
    if len(conditions) == 1:
        return conditions[0]
    return f"({' or '.join(conditions)})" if conditions else "false()"


def casings(name: str, *, html: bool) -> list[str]:
    """The names that a name in a query means, itself first; in XML documents it alone.

    HTML names are in lower case in the tree, some of SVG (`linearGradient`) are not, and
    browsers heed the case of neither.
    """
    small = lowered(name)
    return list(dict.fromkeys([name, small, FOREIGN.get(small, small)] if html else [name]))


def spellings(name: str, *, html: bool) -> list[str]:
    """The names in the XML that a name in a selector means.

    A colon is a prefix's, or escaped (`prefixes="escape"`).
    """
    forms = []
    for cased in casings(name, html=html):
        prefix, local = split_prefix(cased)
        forms += [f"{prefix}:{local}" if prefix else local, escape_ncname(cased)]
    return list(dict.fromkeys(forms))


def holds_word(node: str, word: str) -> str:
    """The condition that a list of words parted by white space has this one."""
    return f"contains(concat(' ', normalize-space({node}), ' '), {quoted(f' {word} ')})"


def compare(node: str, sign: str, value: str, caseless: bool) -> str:
    """The condition that an attribute compares as `[name SIGN= value]` has it.

    Args:
        node: the XPath step to the attribute.
        sign: what stands before the `=`; "" if nothing does.
        value: to compare with.
        caseless: whether ASCII case does not matter.

    Source: Selectors Level 4 §6.1, §6.2, §6.3.
    """
    if sign in {"~", "^", "$", "*"} and not value:
        return "false()"
    if sign == "~" and any(char in " \t\n\r\f" for char in value):
        return "false()"
    text = in_lower(node) if caseless else node
    value = lowered(value) if caseless else value
    literal = quoted(value)
    if sign == "":
        return both(*[node] * (not value), f"{text} = {literal}")
    if sign == "~":
        return holds_word(text, value)
    if sign == "|":
        return f"{node} and starts-with(concat({text}, '-'), {quoted(value + '-')})"
    if sign == "^":
        return f"starts-with({text}, {literal})"
    if sign == "$":
        return f"substring({text}, string-length({text}) - {len(value) - 1}) = {literal}"
    return f"contains({text}, {literal})"


def series(found: re.Match[str]) -> tuple[int, int]:
    """A and B of what `AN_B` has found."""
    if found["word"]:
        return 2, int(found["word"].lower() == "odd")
    if found["only"]:
        return 0, int(found["only"])
    a = found["a"]
    step = int(a + "1") if a in {"", "+", "-"} else int(a)
    return step, int(found["sign"] + found["b"]) if found["b"] else 0


def progression(a: int, b: int, place: str) -> list[str]:
    """The conditions that a 1-based position is A·n + B for an n of 0 or more."""
    if a == 0:
        return [f"{place} = {b}" if b > 0 else "false()"]
    if a < 0:
        return [f"{place} <= {b}", f"({b} - {place}) mod {-a} = 0"] if b > 0 else ["false()"]
    rest = f"({place} + {-b}) mod {a} = 0"
    return [rest] if b <= 1 else [f"{place} >= {b}", rest]
