"""The encodings of the Encoding Standard: their labels, and decoders that decode as it says.

Labels come from webencodings, decoding from Python's codecs, set right where these differ
from the standard: here for single-byte encodings, in multibyte.py for the others.

Source: WHATWG Encoding, #names-and-labels, #indexes, and the decoder of each encoding.
"""

from __future__ import annotations

import codecs
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Decoder(Protocol):
        """An incremental decoder; with `final` it has no more to come."""

        def decode(self, data: bytes, final: bool = False, /) -> str: ...


UTF_8 = "utf-8"
WINDOWS_1252 = "windows-1252"
REPLACEMENT = "replacement"

BAD = "\ufffd"  # REPLACEMENT CHARACTER, for malformed bytes
MARK = "\udfff"  # stands in its place where malformed bytes are to be found again

MULTI_BYTE = frozenset(("big5", "euc-jp", "euc-kr", "gb18030", "gbk", "iso-2022-jp", "shift_jis"))
# Python's codecs for these, whose malformed bytes multibyte.py knows.
MULTI_BYTE_CODECS = frozenset(("big5hkscs", "cp932", "cp949", "euc_jp", "gb18030"))

# What Python's single-byte codecs have otherwise: bytes and characters. A byte that Python
# leaves undefined is not listed if it is one of 80 to 9F and stands for the control
# character of the same number.
FACTS = {
    "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}
# Python's text codecs that are for other ends than documents.
NO_ENCODINGS = frozenset("idna punycode raw-unicode-escape undefined unicode-escape".split())
# Python's names that are no label.
PYTHON_LABELS = {
    "big5hkscs": "big5",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "utf-16-be": "utf-16be",
    "utf-16-le": "utf-16le",
}


# ── labels ───────────────────────────────────────────────────────────────────


def lookup(label: str) -> str | None:
    """The encoding that a label means [#concept-encoding-get], or None.

    Returns:
        The name in lower case, e.g. "windows-1252" for "latin1".
    """
    if not label.isascii():
        return None
    if label.lower() in ("utf-8", "utf8"):
        return UTF_8  # without the import
    import webencodings

    found = webencodings.lookup(label)
    return None if found is None else found.name


def python_codec(name: str) -> str | None:
    """The canonical name of Python's text codec `name`, or None."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return info.name if info._is_text_encoding and info.name not in NO_ENCODINGS else None


def lookup_any(label: str) -> str | None:
    """The encoding that a label of the standard, or else a name of Python's, means.

    Returns:
        The standard's name if it has the encoding, else Python's, e.g. "utf-32"; or None.
    """
    found = lookup(label)
    if found is None:
        name = python_codec(label.strip())
        found = name and (PYTHON_LABELS.get(name) or lookup(name) or name)
    return found


# ── decoding ─────────────────────────────────────────────────────────────────


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


@cache
def codec_of(name: str) -> str:
    """The canonical name of Python's codec for one of the standard's encodings."""
    if name == "gbk":
        return "gb18030"  # "gbk's decoder is gb18030's decoder"
    import webencodings

    found = webencodings.lookup(name)
    assert found is not None  # it is the name of an encoding
    return found.codec_info.name


# ── malformed bytes ──────────────────────────────────────────────────────────


def bad_for(errors: str) -> str:
    """What stands for malformed bytes under one of our error handlers."""
    return MARK if errors == "xmlfix-mark" else BAD


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
