"""Bytes to text, and the standard's view of that text."""

from __future__ import annotations

import re

from xmlfix.decoders import decode_as
from xmlfix.errors import InputError
from xmlfix.sniffing import sniff_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Compiled when first needed: only who listens to findings pays for it.
SUSPECT = (
    "[\x01-\x08\x0b\f\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)


def input_errors(text: str) -> list[tuple[str, int, str]]:
    """The parse errors of the input stream: (code, offset, character) for each.

    The character is "" where XML has it, so that it is kept.

    Source: WHATWG #preprocessing-the-input-stream.
    """
    errors = []
    for found in re.finditer(SUSPECT, text):
        code = ord(found[0])
        if code == 0x0C:
            kind = "xmlfix-form-feed"
        elif 0xD800 <= code <= 0xDFFF:
            kind = "surrogate-in-input-stream"
        elif is_noncharacter(code):
            kind = "noncharacter-in-input-stream"
        else:
            kind = "control-character-in-input-stream"
        errors.append((kind, found.start(), "" if is_xml_char(code) else found[0]))
    return errors


def exact(source: Any) -> Any:
    """A str or bytes-like object as exactly str or bytes, anything else as it is.

    What a subclass makes of slices and `replace` nobody knows: `markupsafe.Markup` escapes.
    """
    if isinstance(source, str):
        return str.__str__(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(memoryview(source))
    return source


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text of `data`, its encoding found as a browser does.

    Args:
        data: the bytes of a document.
        encoding: a label, or the name of a codec of Python's, which overrides everything.

    Returns:
        The text, without byte order mark; malformed bytes are U+FFFD.

    Raises:
        InputError: nobody knows the encoding.
        TypeError: `encoding` is no str.

    Source: WHATWG #encoding-sniffing-algorithm; WHATWG Encoding #decode.
    """
    if encoding is not None and not isinstance(encoding, str):
        raise TypeError(f"an encoding is named by a str, not by {type(encoding).__name__}")
    return decode_text(data, sniff_bytes(data, encoding).encoding).removeprefix("\ufeff")


def decode_text(data: bytes, name: str, *, mark: bool = False) -> str:
    """`decode_as`, for any encoding that a caller can name.

    Raises:
        InputError: one of Python's codecs cannot decode the bytes and does not go on.
    """
    try:
        return decode_as(data, name, mark=mark)
    except (LookupError, UnicodeError) as error:
        raise InputError(f"not in encoding {name!r}: {error}") from None


def normalize_newlines(text: str) -> str:
    """`text` with LF for each CR LF and CR.

    Source: Infra #normalize-newlines.
    """
    if "\r" in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def is_noncharacter(code: int) -> bool:
    """Whether Unicode keeps the code point out of interchange.

    Source: Infra #noncharacter.
    """
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def is_xml_char(code: int) -> bool:
    """Whether XML takes the code point as it stands.

    Source: XML 1.0 §2.2.
    """
    if code < 0x20:
        return code in (0x09, 0x0A, 0x0D)
    return not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF)
