"""The whole-tag shortcut: what stands between "<" and the next ">", looked up or cut up.

On real pages most tags repeat, and most of the others are plain. `MEMO` holds the Tag
for each source text; an end tag is an EndTag there. `classify` makes what is missing, or
says None for anything irregular, which the states then read: they alone are correct, and
a property test holds both equal.

The memo is shared by all documents of a process, and bounded.
"""

from __future__ import annotations

import re
from html.entities import html5 as NAMED  # WHATWG #named-character-references
from sys import intern

from xmlfix.read.references import LONGEST_LEGACY_NAME, WINDOWS_1252
from xmlfix.read.tokens import VOID, Tag

MEMO_SIZE = 20_000  # entries; a full memo is emptied
LONGEST_RAW = 2_000  # characters; longer tags are left to the states


class EndTag(Tag):
    """An end tag in the memo; `xml` is what writes it."""

    __slots__ = ()


MEMO: dict[str, Tag] = {}

# For tags whose source is XML: what stands before the first quote, and between two values.
_heads: dict[str, tuple[str, str]] = {}
_between: set[str] = set()

_HEAD = re.compile(r"([a-z][a-z0-9]*)( [a-z_][a-z0-9_-]*=)").fullmatch
_BETWEEN = re.compile(r" [a-z_][a-z0-9_-]*=").fullmatch
_NAME_ONLY = re.compile(r"([a-z][a-z0-9]*)( ?/)?").fullmatch
_END = re.compile(r"/([A-Za-z][A-Za-z0-9:._-]*)[\t\n\f ]*").fullmatch
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:._-]*(?=[\t\n\f /]|\Z)").match
_ATTRIBUTE = re.compile(
    r"""[\t\n\f /]*
    ([^\x00\t\n\f />="'<]+)                        # a name
    (?:[\t\n\f ]*=[\t\n\f ]*(?:
        "([^"\x00]*)" | '([^'\x00]*)'              # a value in quotes
      | ([^\x00\t\n\f "'=<>`]+)                    # or without
    ))?""",
    re.VERBOSE,
).match
_TAIL = re.compile(r"[\t\n\f /]*").fullmatch
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]").search

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CLOSES_VALUE = frozenset("\t\n\f />")


def forget() -> None:
    """Empty the memo, as for the first document of a process."""
    MEMO.clear()


def classify(raw: str) -> Tag | None:
    """The tag whose source is `<raw>`, put into the memo; None if the states must read it."""
    first = raw[:1]
    if first == "/":
        tag = _end_tag(raw)
    elif first in _LETTERS and len(raw) < LONGEST_RAW:
        tag = _plain_tag(raw) or _other_tag(raw)
    else:
        return None
    if tag is not None:
        if len(MEMO) >= MEMO_SIZE:
            MEMO.clear()
        MEMO[raw] = tag
    return tag


def _end_tag(raw: str) -> Tag | None:
    """An end tag without attributes and with an ASCII name."""
    found = _END(raw)
    if found is None:
        return None
    return EndTag(intern(found[1].lower()))


def _plain_tag(raw: str) -> Tag | None:
    """A tag whose source is XML but for its end."""
    parts = raw.split('"')
    if len(parts) == 1:
        found = _NAME_ONLY(raw)
        if found is None:
            return None
        name = intern(found[1])
        tag = Tag(name, (), found[2] is not None)
        tag.xml = f"<{name}/>" if name in VOID else f"<{name}>"
        return tag
    tail = parts[-1]
    if "&" in raw or "\n" in raw or "\t" in raw or (tail and tail != "/" and tail != " /"):
        return None
    head = _heads.get(parts[0])
    if head is None:
        found = _HEAD(parts[0])
        if found is None:
            return None
        _bound(_heads)
        head = _heads[parts[0]] = intern(found[1]), found[2]
    name, first = head
    if len(parts) > 3:
        if len(parts) % 2 == 0:
            return None
        others = parts[2:-1:2]
        if not _between.issuperset(others):
            if not all(map(_BETWEEN, others)):
                return None
            _bound(_between)
            _between.update(others)
        if len({first, *others}) <= len(others):
            return None  # an attribute comes twice
    elif len(parts) == 2:
        return None
    if "xmlns" in raw or _CONTROL(raw):
        return None
    tag = Tag.of_parts(name, parts, tail != "")
    body = raw[: len(raw) - len(tail)]
    tag.xml = f"<{body}/>" if name in VOID else f"<{body}>"
    return tag


def _bound(table: dict[str, tuple[str, str]] | set[str]) -> None:
    """Empty a table that has grown too large."""
    if len(table) >= MEMO_SIZE:
        table.clear()


def _other_tag(raw: str) -> Tag | None:
    """A tag with values in other quotes or none, bare attributes, capitals, references."""
    found = _TAG_NAME(raw)
    if found is None:
        return None
    name = intern(found[0].lower())
    attrs: dict[str, str] = {}
    pos, size = found.end(), len(raw)
    ends_unquoted = False
    while pos < size:
        found = _ATTRIBUTE(raw, pos)
        if found is None:
            if _TAIL(raw, pos) is None:
                return None
            break
        key, double, single, bare = found.groups()
        pos = found.end()
        if double is not None or single is not None:
            value = double if double is not None else single
            ends_unquoted = False
        elif bare is not None:
            value = bare
            ends_unquoted = True
        else:
            value = ""
            ends_unquoted = False
            if raw[pos : pos + 1] not in _CLOSES_VALUE and pos < size:
                return None
        if ends_unquoted and pos < size and raw[pos] not in "\t\n\f ":
            return None
        if not key.isascii():
            return None
        if "&" in value:
            value = decode_value(value)
        attrs.setdefault(key.lower(), value)
    self_closing = raw[-1] == "/" and not ends_unquoted
    if ends_unquoted and pos < size:
        self_closing = raw[-1] == "/"
    return Tag(name, tuple(attrs.items()), self_closing)


# ── references ───────────────────────────────────────────────────────────────

_REFERENCE = re.compile(r"&(?:#(?:[xX][0-9A-Fa-f]*|[0-9]*)|[0-9A-Za-z]*);?")
_VALUE_REFERENCE = re.compile(r"&(?:#(?:[xX][0-9A-Fa-f]*|[0-9]*)|[0-9A-Za-z]*);?=?")

_characters: dict[str, str] = {}  # by reference


def decode_text(text: str) -> str:
    """A run of characters with its references resolved, as the reference states do it.

    Source: WHATWG #character-reference-state and after.
    """
    return _REFERENCE.sub(_text_reference, text)


def decode_value(value: str) -> str:
    """An attribute value with its references resolved."""
    return _VALUE_REFERENCE.sub(_value_reference, value)


def _text_reference(found: re.Match[str]) -> str:
    """The characters of a reference in text."""
    source = found[0]
    characters = _characters.get(source)
    if characters is None:
        characters = _resolve(source, in_value=False)
        if len(source) < 32:
            _bound_characters()
            _characters[source] = characters
    return characters


def _value_reference(found: re.Match[str]) -> str:
    """The characters of a reference in an attribute value."""
    source = found[0]
    if source[-1] == "=":
        return _resolve(source[:-1], in_value=True, before_equals=True) + "="
    return _resolve(source, in_value=True)


def _bound_characters() -> None:
    """Empty the table of references that has grown too large."""
    if len(_characters) >= MEMO_SIZE:
        _characters.clear()


def _resolve(source: str, *, in_value: bool, before_equals: bool = False) -> str:
    """The characters for "&" with all that can belong to it."""
    if source[1:2] == "#":
        return _resolve_number(source)
    name = source[1:]
    if name in NAMED and name[-1] == ";":
        return NAMED[name]
    run = name.removesuffix(";")
    rest = name[len(run) :]
    for size in range(min(len(run), LONGEST_LEGACY_NAME), 1, -1):
        legacy = run[:size]
        if legacy in NAMED:
            ends_run = size == len(run)
            if in_value and (not ends_run or (before_equals and not rest)):
                return source  # "for historical reasons"
            return NAMED[legacy] + run[size:] + rest
    return source


def _resolve_number(source: str) -> str:
    """The character for a numeric reference."""
    is_hexadecimal = source[2:3] in ("x", "X")
    digits = source[3 if is_hexadecimal else 2 :].removesuffix(";")
    if not digits:
        return source
    digits = digits.lstrip("0") or "0"
    code = int(digits, 16 if is_hexadecimal else 10) if len(digits) < 8 else 0x110000
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(WINDOWS_1252.get(code, code))
