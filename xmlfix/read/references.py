"""The character reference states.

They serve content, escapable raw text and attribute values: `reader.back` is the state
to return to, `reader.value` tells whether the reference stands in an attribute.

Source: WHATWG #character-reference-state and after.
"""

from __future__ import annotations

import re
from functools import cache

from xmlfix.decode import is_noncharacter
from xmlfix.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State

ALNUM_RUN = late(globals(), "ALNUM_RUN", "match", r"[0-9A-Za-z]*")
DIGITS = late(globals(), "DIGITS", "match", r"[0-9]*")
HEXADECIMAL_DIGITS = late(globals(), "HEXADECIMAL_DIGITS", "match", r"[0-9A-Fa-f]*")

# By XML's rules, as a whole; the name is an entity's or one of HTML's.
XML_NAME = r"""[^\t\n\r\f &;<>"'#]++"""
NAMED_REFERENCE = f"&({XML_NAME});"
XML_REFERENCE = late(
    globals(), "XML_REFERENCE", "sub", f"&(?:#[0-9]++;?|#x[0-9A-Fa-f]++;?|{XML_NAME};)"
)
ENTITY_NAME = late(globals(), "ENTITY_NAME", "match", f"{XML_NAME}(?=;)")

KEPT_REFERENCES = 50_000  # a full table is emptied
XML_NAMES = frozenset(("amp", "lt", "gt", "quot", "apos"))
LONGEST_NAME = 32  # of the named references, with the semicolon
LONGEST_LEGACY_NAME = 6  # of those that do without

HEXADECIMAL = frozenset("0123456789abcdefABCDEF")

LAST_CODE_POINT = 0x10FFFF
BEYOND_UNICODE = LAST_CODE_POINT + 1
LONGEST_CODE = 7  # digits that a code point can have, in either base
# "Numeric character reference end state": the C1 controls are read as windows-1252.
WINDOWS_1252 = {
    0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020,
    0x87: 0x2021, 0x88: 0x02C6, 0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152,
    0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D, 0x95: 0x2022,
    0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A,
    0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
}  # fmt: skip


@cache
def named() -> dict[str, str]:
    """The named references [#named-character-references], loaded when first asked for."""
    from html.entities import html5

    return html5


def put(r: Reader, pos: int, chars: str) -> None:
    """Flush code points consumed as a character reference, which began at the mark."""
    if r.value is not None:
        r.value.append(chars)
    else:
        r.end = r.base + pos
        r.sink.text(chars)


def reference(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Character reference state [#character-reference-state]; the `&` has been read."""
    r.place = r.base + pos - 1
    if r.value is None:
        r.mark(pos - 1)
    char = src[pos : pos + 1]
    if char == "#":
        r.pos = pos + 1
        return numericReference
    if r.subset is not None and (found := ENTITY_NAME(src, pos)):
        name = found[0]
        if name in r.subset.declared:
            r.pos = found.end() + 1
            text = r.subset.expanded(name, in_value=r.value is not None)
            if text is None:
                r.error(r.subset.fault, pos - 1)
            put(r, r.pos, f"&{name};" if text is None else text)
            return r.back
    if char.isascii() and char.isalnum():
        return namedReference
    if char:
        r.error("xmlfix-bare-ampersand", pos - 1)
    put(r, pos, "&")
    return r.back


def namedReference(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Named character reference state [#named-character-reference-state]."""
    found = ALNUM_RUN(src, pos)
    assert found is not None  # the pattern matches the empty string
    end = found.end()
    if more and end == len(src) and end - pos < LONGEST_NAME:
        return None
    name = src[pos:end]
    if src[end : end + 1] == ";" and name + ";" in named():
        r.pos = end + 1
        if r.on_error is not None and name not in XML_NAMES:
            r.error("xmlfix-html-reference", r.place - r.base)
        put(r, end + 1, named()[name + ";"])
        return r.back
    # "If there is a match": the longest name without semicolon that begins here.
    for size in range(min(len(name), LONGEST_LEGACY_NAME), 1, -1):
        legacy = name[:size]
        if r.xml or legacy not in named():
            continue
        end = pos + size
        r.pos = end
        following = src[end : end + 1]
        if r.value is not None and (
            following == "=" or (following.isalnum() and following.isascii())
        ):
            put(r, end, "&" + legacy)  # "for historical reasons"
            return r.back
        r.error("missing-semicolon-after-character-reference", end)
        put(r, end, named()[legacy])
        return r.back
    if more and end == len(src):  # the name may go on
        put(r, pos, "&")
        return ambiguousAmpersand
    r.pos = end
    put(r, end, f"&{name}")
    return afterAmpersand(r, src, end)


def ambiguousAmpersand(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Ambiguous ampersand state [#ambiguous-ampersand-state]."""
    found = ALNUM_RUN(src, pos)
    assert found is not None  # the pattern matches the empty string
    end = found.end()
    if end > pos:
        r.pos = end
        if r.value is None:
            r.mark(pos)
        put(r, end, src[pos:end])
        if end == len(src) and more:
            return ambiguousAmpersand
    return afterAmpersand(r, src, end)


def afterAmpersand(r: Reader, src: str, end: int) -> State:
    """The end of the ambiguous ampersand state: looks at what follows the name, at src[end]."""
    if src[end : end + 1] == ";":
        r.error("unknown-named-character-reference", end)
    else:
        r.error("xmlfix-bare-ampersand", r.place - r.base)
    return r.back


def numericReference(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Numeric character reference state, and the two start states after it.

    Source: WHATWG #numeric-character-reference-state.
    """
    sign = src[pos : pos + 1]
    is_hexadecimal = sign == "x" or (sign == "X" and not r.xml)
    if is_hexadecimal:
        pos += 1
        if more and pos == len(src):
            return None
    r.pos = pos
    r.code = 0
    digit = src[pos : pos + 1]
    if digit and digit in HEXADECIMAL and (is_hexadecimal or digit.isdecimal()):
        return hexadecimalDigits if is_hexadecimal else decimalDigits
    r.error("absence-of-digits-in-numeric-character-reference", pos)
    put(r, pos, "&#" + sign if is_hexadecimal else "&#")
    return r.back


def decimalDigits(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Decimal character reference state [#decimal-character-reference-state]."""
    return numericReferenceEnd if readDigits(r, src, pos, 10) else decimalDigits


def hexadecimalDigits(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Hexadecimal character reference state [#hexadecimal-character-reference-state]."""
    return numericReferenceEnd if readDigits(r, src, pos, 16) else hexadecimalDigits


def readDigits(r: Reader, src: str, pos: int, base: int) -> bool:
    """Add the digits at `pos` to the code; False while digits may go on."""
    found = DIGITS(src, pos) if base == 10 else HEXADECIMAL_DIGITS(src, pos)
    assert found is not None  # the pattern matches the empty string
    r.pos = end = found.end()
    digits = src[pos:end].lstrip("0") if r.code == 0 else src[pos:end]
    if len(digits) > LONGEST_CODE:
        r.code = BEYOND_UNICODE
    elif digits:
        r.code = min(r.code * base ** len(digits) + int(digits, base), BEYOND_UNICODE)
    return bool(end == pos or end < len(src))


def numericReferenceEnd(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Numeric character reference end state [#numeric-character-reference-end-state]."""
    if src[pos : pos + 1] == ";":
        r.pos = pos = pos + 1
    else:
        r.error("missing-semicolon-after-character-reference", pos)
    code = r.code
    if code == 0:
        r.error("null-character-reference", pos)
        code = 0xFFFD
    elif code > LAST_CODE_POINT:
        r.error("character-reference-outside-unicode-range", pos)
        code = 0xFFFD
    elif 0xD800 <= code <= 0xDFFF:
        r.error("surrogate-character-reference", pos)
        code = 0xFFFD
    elif is_noncharacter(code):
        r.error("noncharacter-character-reference", pos)
    elif code == 0x0D or (code < 0x20 and code not in (9, 10, 12)) or 0x7F <= code <= 0x9F:
        r.error("control-character-reference", pos)
        if not r.xml:
            code = WINDOWS_1252.get(code, code)
    if (code < 0x20 and code not in (9, 10, 12, 13)) or code in (0xFFFE, 0xFFFF):
        r.error("xmlfix-forbidden-reference", pos)
    put(r, pos, chr(code))
    return r.back


# ── whole runs ───────────────────────────────────────────────────────────────

_REFERENCE = r"&(?:#(?:[xX][0-9A-Fa-f]*|[0-9]*)|[0-9A-Za-z]*);?"
_replaced = late(globals(), "_replaced", "sub", _REFERENCE)
_replaced_in_value = late(globals(), "_replaced_in_value", "sub", f"{_REFERENCE}=?")

_characters: dict[str, str] = {}  # by reference, in text
_characters_in_values: dict[str, str] = {}


def decode_text(text: str) -> str:
    """A run of characters with its references resolved, as the reference states do it.

    Source: WHATWG #character-reference-state and after.
    """
    return str(_replaced(_text_reference, text))


def decode_value(value: str) -> str:
    """An attribute value with its references resolved."""
    return str(_replaced_in_value(_value_reference, value))


def _text_reference(found: re.Match[str]) -> str:
    """The characters of a reference in text."""
    source = found[0]
    characters = _characters.get(source)
    if characters is None:
        characters = _resolve(source, in_value=False)
        _keep(_characters, source, characters)
    return characters


def _value_reference(found: re.Match[str]) -> str:
    """The characters of a reference in an attribute value, with the "=" after it."""
    source = found[0]
    characters = _characters_in_values.get(source)
    if characters is None:
        if source[-1] == "=":
            characters = _resolve(source[:-1], in_value=True, before_equals=True) + "="
        else:
            characters = _resolve(source, in_value=True)
        _keep(_characters_in_values, source, characters)
    return characters


def _keep(table: dict[str, str], source: str, characters: str) -> None:
    """Note what a reference stands for; a table that has grown too large is emptied."""
    if len(source) < 32:
        if len(table) >= KEPT_REFERENCES:
            table.clear()
        table[source] = characters


# The table of all references takes longer to load than a small file to repair.
FREQUENT = {"amp;": "&", "lt;": "<", "gt;": ">", "quot;": '"', "nbsp;": "\xa0", "copy;": "\xa9"}


def _resolve(source: str, *, in_value: bool, before_equals: bool = False) -> str:
    """The characters for "&" with all that can belong to it."""
    if source[1:2] == "#":
        return resolve_number(source, xml=False)
    name = source[1:]
    if name in FREQUENT:
        return FREQUENT[name]
    if name in named() and name[-1] == ";":
        return named()[name]
    run = name.removesuffix(";")
    rest = name[len(run) :]
    for size in range(min(len(run), LONGEST_LEGACY_NAME), 1, -1):
        legacy = run[:size]
        if legacy in named():
            ends_run = size == len(run)
            if in_value and (not ends_run or (before_equals and not rest)):
                return source  # "for historical reasons"
            return named()[legacy] + run[size:] + rest
    return source


def resolve_number(source: str, *, xml: bool = True) -> str:
    """The character for a numeric reference; by HTML's rules some are read as windows-1252."""
    is_hexadecimal = source[2:3] in ("x", "X")
    digits = source[3 if is_hexadecimal else 2 :].removesuffix(";")
    if not digits:
        return source
    digits = digits.lstrip("0") or "0"
    code = int(digits, 16 if is_hexadecimal else 10) if len(digits) < 8 else 0x110000
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code if xml else WINDOWS_1252.get(code, code))
