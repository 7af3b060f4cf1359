"""Bytes to text, and the standard's view of that text."""

from __future__ import annotations

import re

from xmlfix.errors import InputError

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe", "utf-16-le"),
)

_SUSPECT = re.compile(
    "[\x01-\x08\x0b\f\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)


def input_errors(text: str) -> list[tuple[str, int]]:
    """The parse errors of the input stream: (code, offset) for each.

    Source: WHATWG #preprocessing-the-input-stream.
    """
    errors = []
    for found in _SUSPECT.finditer(text):
        code = ord(found[0])
        if code == 0x0C:
            kind = "xmlfix-form-feed"
        elif 0xD800 <= code <= 0xDFFF:
            kind = "surrogate-in-input-stream"
        elif is_noncharacter(code):
            kind = "noncharacter-in-input-stream"
        else:
            kind = "control-character-in-input-stream"
        errors.append((kind, found.start()))
    return errors


def decode(data: bytes, encoding: str | None) -> str:
    """The text of `data`.

    Args:
        data: the bytes of a document.
        encoding: the name of the encoding, which overrides everything; None to look for
            a byte order mark and take UTF-8 otherwise.

    Returns:
        The text, without byte order mark; malformed bytes are U+FFFD.

    Raises:
        InputError: nobody knows the encoding.

    Source: WHATWG Encoding #decode.
    """
    if encoding is None:
        encoding = next((name for mark, name in BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding, "replace")
    except LookupError:
        raise InputError(f"unknown encoding {encoding!r}") from None
    return text.removeprefix("\ufeff")


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
