"""Decoders that decode as the Encoding Standard says.

They are Python's codecs, set right where these differ from the standard: here for
single-byte encodings, in multibyte.py for the others.

Source: WHATWG Encoding #indexes, and the decoder of each encoding.
"""

from __future__ import annotations

import codecs
from functools import cache

from xmlfix.encodings import BAD, MARK, MULTI_BYTE, REPLACEMENT, UTF_8, bad_for, codec_of, lookup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Decoder(Protocol):
        """An incremental decoder; with `final` it has no more to come."""

        def decode(self, data: bytes, final: bool = False, /) -> str: ...


# Python's codecs for these, whose malformed bytes multibyte.py knows.
MULTI_BYTE_CODECS = frozenset(("big5hkscs", "cp932", "cp949", "euc_jp", "gb18030"))

# What Python's single-byte codecs have otherwise: bytes and characters. A byte that Python
# leaves undefined is not listed if it is one of 80 to 9F and stands for the control
# character of the same number.
FACTS = {
    "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}


def decode_as(data: bytes, name: str, *, mark: bool = False) -> str:
    """All of `data` decoded, a byte order mark included.

    Args:
        data: the bytes.
        name: the encoding, as `lookup` or `lookup_any` names it.
        mark: put U+DFFF, not U+FFFD, for malformed bytes, so that they can be told from
            a U+FFFD that was encoded.

    Raises:
        UnicodeError: one of Python's codecs that does not go on after malformed bytes.
    """
    if name == UTF_8:
        return data.decode("utf-8", "xmlfix-mark" if mark else "replace")
    return decoder(name, mark=mark).decode(data, True)


def decoder(name: str, *, mark: bool = False) -> Decoder:
    """An incremental decoder; see `decode_as`."""
    errors = "xmlfix-mark" if mark else "xmlfix-replace"
    if name in MULTI_BYTE:
        from xmlfix.multibyte import Iso2022JpDecoder, MultiByteDecoder

        if name == "iso-2022-jp":
            return Iso2022JpDecoder(errors)
        return MultiByteDecoder(name, errors)
    if name == REPLACEMENT:
        return ReplacementDecoder(errors)
    table = single_byte_table(name)
    if table:
        return SingleByteDecoder(table, errors)
    return codecs.getincrementaldecoder(name)(errors)


@cache
def single_byte_table(name: str) -> str:
    """The 256 characters of a single-byte encoding, U+FFFE for none; "" for other encodings.

    Source: WHATWG Encoding #legacy-single-byte-encodings, #x-user-defined.
    """
    if name == "x-user-defined":
        return "".join([chr(code if code < 0x80 else 0xF700 + code) for code in range(256)])
    if name in (UTF_8, "utf-16be", "utf-16le") or lookup(name) != name:
        return ""
    chars = [*bytes(range(256)).decode(codec_of(name), "replace")]
    for code, char in enumerate(chars):
        if char == BAD:
            chars[code] = chr(code) if 0x80 <= code < 0xA0 else "\ufffe"
    for code, char in FACTS.get(name, {}).items():
        chars[code] = char
    return "".join(chars)


class SingleByteDecoder:
    """Decodes by a table of 256 characters [#single-byte-decoder]."""

    __slots__ = ("_errors", "_table")

    def __init__(self, table: str, errors: str) -> None:
        self._table = table
        self._errors = errors

    def decode(self, data: bytes, final: bool = False, /) -> str:
        if data.isascii():
            return data.decode("ascii")
        return codecs.charmap_decode(data, self._errors, self._table)[0]


class ReplacementDecoder:
    """One U+FFFD for whatever comes [#replacement-decoder]."""

    __slots__ = ("_rest",)

    def __init__(self, errors: str) -> None:
        self._rest = bad_for(errors)

    def decode(self, data: bytes, final: bool = False, /) -> str:
        text = self._rest if data else ""
        self._rest = self._rest[len(text) :]
        return text


# ── malformed bytes ──────────────────────────────────────────────────────────


def resume(error: UnicodeError, bad: str) -> tuple[str, int]:
    """The character for bytes that Python's codec refuses, and the offset at which to go on."""
    assert isinstance(error, UnicodeDecodeError)
    if error.encoding not in MULTI_BYTE_CODECS:
        return bad, error.end
    from xmlfix.multibyte import malformed

    text, end = malformed(error.encoding, error.object, error.start)
    return text or bad, end


def _replace(error: UnicodeError) -> tuple[str, int]:
    return resume(error, BAD)


def _mark(error: UnicodeError) -> tuple[str, int]:
    return resume(error, MARK)


codecs.register_error("xmlfix-replace", _replace)
codecs.register_error("xmlfix-mark", _mark)
