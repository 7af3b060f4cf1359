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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MEMO_SIZE = 50_000  # entries; a full memo is emptied
LONGEST_RAW = 2_000  # characters; longer tags are left to the states


class EndTag(Tag):
    """An end tag in the memo; `xml` is what writes it."""

    __slots__ = ()


MEMO: dict[str, Tag] = {}

# For tags whose source is XML: what stands before the first quote, by its source, as
# element name, attribute and kind; and what stands between two values.
_heads: dict[str, tuple[str, str, int]] = {}
_between: set[str] = set()

_HEAD = re.compile(r"([a-z][a-z0-9]*)( (?!xmlns=)[a-z_][a-z0-9_-]*=)").fullmatch
_BETWEEN = re.compile(r" (?!xmlns=)[a-z_][a-z0-9_-]*=").fullmatch
_NAME_ONLY = re.compile(r"([a-z][a-z0-9]*)( ?/| )?").fullmatch
_TAILS = frozenset(("", "/", " /", " "))
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
_SPACE = frozenset("\t\n\f ")
_CLOSES_VALUE = frozenset("\t\n\f />")


def _no_kind(name: str) -> int:
    """The kind of all names until a repair has notes of its own."""
    return 0


_start_kind: Callable[[str], int] = _no_kind
_end_kind: Callable[[str], int] = _no_kind


def note(start: Callable[[str], int], end: Callable[[str], int]) -> None:
    """Let each tag in the memo carry as its kind what these say of its name."""
    global _start_kind, _end_kind
    _start_kind, _end_kind = start, end
    forget()


def forget() -> None:
    """Empty the memo, as for the first document of a process."""
    MEMO.clear()
    _heads.clear()
    _between.clear()


def classify(raw: str, careful: bool = True) -> Tag | None:
    """The tag whose source is `<raw>`, put into the memo; None if the states must read it.

    `careful` says that the text may have characters that XML forbids.
    """
    first = raw[:1]
    if first == "/":
        tag = _end_tag(raw)
    elif first in _LETTERS and len(raw) < LONGEST_RAW:
        tag = _plain_tag(raw, careful) or _other_tag(raw)
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
    name = intern(found[1].lower())
    return EndTag(name, (), False, _end_kind(name), f"</{name}>")


def _plain_tag(raw: str, careful: bool) -> Tag | None:
    """A tag whose source is XML but for its end."""
    parts = raw.split('"')
    count = len(parts)
    if count == 1:
        return _bare_tag(raw)
    tail = parts[-1]
    if tail not in _TAILS or "&" in raw or "\n" in raw or "\t" in raw:
        return None
    head = _heads.get(parts[0])
    if head is None:
        found = _HEAD(parts[0])
        if found is None:
            return None
        if len(_heads) >= MEMO_SIZE:
            _heads.clear()
        name = intern(found[1])
        head = _heads[parts[0]] = name, found[2], _start_kind(name)
    name, first, kind = head
    if count == 5:
        other = parts[2]
        if other == first or not (other in _between or _is_between([other])):
            return None
    elif count != 3:
        others = parts[2:-1:2]
        if count % 2 == 0 or not (_between.issuperset(others) or _is_between(others)):
            return None
        if len({first, *others}) <= len(others):
            return None  # an attribute comes twice
    if careful and _CONTROL(raw):
        return None
    body = raw[: -len(tail)] if tail else raw
    xml = f"<{body}/>" if name in VOID else f"<{body}>"
    return Tag(name, parts, tail[-1:] == "/", kind, xml)


def _bare_tag(raw: str) -> Tag | None:
    """A tag of a name alone, whose source is XML but for its end."""
    found = _NAME_ONLY(raw)
    if found is None:
        return None
    name = intern(found[1])
    xml = f"<{name}/>" if name in VOID else f"<{name}>"
    return Tag(name, (), raw[-1] == "/", _start_kind(name), xml)


def _is_between(parts: list[str]) -> bool:
    """Whether all parts are what may stand between two values; noted then."""
    if not all(map(_BETWEEN, parts)):
        return False
    if len(_between) >= MEMO_SIZE:
        _between.clear()
    _between.update(parts)
    return True


def _other_tag(raw: str) -> Tag | None:
    """A tag with values in other quotes or none, bare attributes, capitals, references."""
    found = _TAG_NAME(raw)
    if found is None:
        return None
    name = intern(found[0].lower())
    attrs: dict[str, str] = {}
    pos, size = found.end(), len(raw)
    has_slash = raw[-1] == "/"
    while pos < size:
        found = _ATTRIBUTE(raw, pos)
        if found is None:
            if _TAIL(raw, pos) is None:
                return None
            break
        key, double, single, bare = found.groups()
        pos = found.end()
        following = raw[pos : pos + 1]
        if double is not None:
            value = double
        elif single is not None:
            value = single
        elif bare is not None:
            value = bare
            if not following:
                has_slash = False  # a slash is part of the value
            elif following not in _SPACE:
                return None
        else:
            value = ""
            if following and following not in _CLOSES_VALUE:
                return None
        if not key.isascii():
            return None
        if "&" in value:
            value = decode_value(value)
        attrs.setdefault(key.lower(), value)
    return Tag(name, tuple(attrs.items()), has_slash, _start_kind(name))


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
