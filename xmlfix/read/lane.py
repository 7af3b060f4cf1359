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
    from typing import TypeVar

    _T = TypeVar("_T")

MEMO_SIZE = 50_000  # entries; a full memo is emptied
LONGEST_RAW = 2_000  # characters; longer tags are left to the states


class EndTag(Tag):
    """An end tag in the memo; `xml` is what writes it."""

    __slots__ = ()


MEMO: dict[str, Tag] = {}

# A tag's source is cut at its double quotes: the head ends before the first value, what is
# between two values begins after one and ends before the next, the tail comes after the
# last. Each is kept in the form that XML wants, by its source, with the attributes' names.
_heads: dict[str, tuple[str, str, tuple[str, ...], int]] = {}
_between: dict[str, tuple[str, tuple[str, ...]]] = {}
_tails: dict[str, tuple[str, tuple[str, ...], bool]] = {}

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
_PLAIN_NAME = re.compile(r"(?!xmlns\Z)[a-z_][a-z0-9_.-]*").fullmatch
_VALUE_FOLLOWS = re.compile(r"[\t\n\f ]*=[\t\n\f ]*\Z").match
_NOT_AS_IT_IS = re.compile("[&\t\n]").search
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
    """Empty the memo and what goes with it, as for the first document of a process."""
    for table in (MEMO, _heads, _between, _tails):
        table.clear()


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
            forget()
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
    """A tag whose names and values XML takes as they are; its XML is made from the source."""
    if careful and _CONTROL(raw):
        return None
    parts = raw.split('"')
    count = len(parts)
    if count == 1:
        if "'" not in raw:
            return _tag_without_quotes(raw)
        parts = raw.split("'")
        count = len(parts)
    if count % 2 == 0 or "&" in raw:
        return None
    head = _heads.get(parts[0]) or _new_head(parts[0])
    tail = _tails.get(parts[-1]) or _new_tail(parts[-1])
    if head is None or tail is None:
        return None
    name, before, names, kind = head
    after, more_names, has_slash = tail
    if ("\n" in raw or "\t" in raw) and any(map(_NOT_AS_IT_IS, parts[1::2])):
        return None
    if count == 3:
        body = f'{before}"{parts[1]}"{after}'
        names += more_names
    else:
        chunks = [before]
        for index in range(1, count - 2, 2):
            between = _between.get(parts[index + 1]) or _new_between(parts[index + 1])
            if between is None:
                return None
            chunks += (parts[index], between[0])
            names += between[1]
        chunks += (parts[-2], after)
        body = '"'.join(chunks)
        names += more_names
    if len(names) > 1 and len(set(names)) < len(names):
        return None  # an attribute comes twice
    return Tag(name, None, has_slash, kind, f"<{body}/>" if name in VOID else f"<{body}>")


def _tag_without_quotes(raw: str) -> Tag | None:
    """A tag without quoted values."""
    found = _TAG_NAME(raw)
    if found is None:
        return None
    name = intern(found[0].lower())
    tail = _new_tail(raw[found.end() :])
    if tail is None or ":" in name:
        return None
    body, names, has_slash = tail
    if len(set(names)) < len(names):
        return None
    xml = f"<{name}{body}/>" if name in VOID else f"<{name}{body}>"
    return Tag(name, None if names else (), has_slash, _start_kind(name), xml)


def _new_head(source: str) -> tuple[str, str, tuple[str, ...], int] | None:
    """The element's name, with what comes before its first quoted value."""
    found = _TAG_NAME(source)
    if found is None:
        return None
    name = intern(found[0].lower())
    between = _new_between(source[found.end() :])
    if between is None or ":" in name:
        return None
    return _kept(_heads, source, (name, name + between[0], between[1], _start_kind(name)))


def _new_between(source: str) -> tuple[str, tuple[str, ...]] | None:
    """What comes before a quoted value: at least the name that it belongs to."""
    texts: list[str] = []
    names: list[str] = []
    pos = 0
    while True:
        found = _ATTRIBUTE(source, pos)
        if found is None:
            return None
        text = _normal(found)
        if text is None:
            return None
        names.append(found[1].lower())
        pos = found.end()
        if found.lastindex == 1 and _VALUE_FOLLOWS(source, pos):
            texts.append(f" {names[-1]}=")
            return _kept(_between, source, ("".join(texts), tuple(names)))
        if source[pos : pos + 1] not in (_CLOSES_VALUE if found.lastindex == 1 else _SPACE):
            return None
        texts.append(text)


def _new_tail(source: str) -> tuple[str, tuple[str, ...], bool] | None:
    """What comes after the last quoted value."""
    texts: list[str] = []
    names: list[str] = []
    has_slash = source[-1:] == "/"
    pos = 0
    while pos < len(source) and not _TAIL(source, pos):
        found = _ATTRIBUTE(source, pos)
        text = _normal(found) if found else None
        if found is None or text is None:
            return None
        names.append(found[1].lower())
        texts.append(text)
        pos = found.end()
        if pos == len(source):
            has_slash = False  # it is part of a value, or there is none
        elif source[pos] not in (_CLOSES_VALUE if found.lastindex == 1 else _SPACE):
            return None
    return _kept(_tails, source, ("".join(texts), tuple(names), has_slash))


def _kept(table: dict[str, _T], source: str, value: _T) -> _T:
    """`value`, noted in a table that is emptied when it is full."""
    if len(table) >= MEMO_SIZE:
        table.clear()
    table[source] = value
    return value


def _normal(found: re.Match[str]) -> str | None:
    """An attribute in XML's form, if it needs no more than quotes."""
    name = found[1].lower()
    value = found[found.lastindex or 1] if found.lastindex != 1 else ""
    if not found[1].isascii() or not _PLAIN_NAME(name) or _NOT_AS_IT_IS(value) or '"' in value:
        return None
    return f' {name}="{value}"'


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
