"""Escapes in addresses: their normal form, and characters as bytes of a page's encoding.

Source: RFC 3986 sections 2.1 and 6.2.2; WHATWG URL #string-percent-encode-after-encoding.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from urllib.parse import quote_from_bytes

from xmlfix.decoders import single_byte_table
from xmlfix.encodings import MULTI_BYTE, codec_of, lookup, lookup_any
from xmlfix.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

UNRESERVED: Final = r"A-Za-z0-9._~\-"
_SUB_DELIMS: Final = "!$&'()*+,;="
PATH = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:@/]+")
QUERY = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:@/?]+")
USER = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:]+")
_IS_UNRESERVED = re.compile(f"[{UNRESERVED}]").fullmatch


def escaped(text: str, rule: re.Pattern[str], encoder: Encoder | None = None) -> str:
    """A component with its escapes in their normal form.

    Args:
        text: the component.
        rule: finds escapes and what needs one.
        encoder: for characters outside ASCII; None for UTF-8.

    Source: RFC 3986 sections 2.1, 2.4 and 6.2.2.

    >>> escaped("%7euser/100%/a b", PATH)
    '~user/100%25/a%20b'
    """

    def one_form(found: re.Match[str]) -> str:
        piece = found[0]
        if piece[0] == "%" and len(piece) == 3:
            char = chr(int(piece[1:], 16))
            return char if _IS_UNRESERVED(char) else piece.upper()
        if encoder is None or piece.isascii():
            return quote_from_bytes(piece.encode("utf-8", "surrogatepass"), safe="")
        return encoder.escaped(piece, RFC_QUERY)

    return rule.sub(one_form, text)


# What the standard leaves as it is among the bytes of a special scheme's query, but for
# letters, digits and _.-~: all of ASCII except C0, space, " # < > ' and DEL.
WHATWG_QUERY: Final = "!$%&()*+,/:;=?@[\\]^`{|}"
RFC_QUERY: Final = f"{_SUB_DELIMS}:@/?"
# Encodings in which browsers write otherwise than they read.
ENCODERS: Final = {"gbk": "gbk", "big5": "big5", "utf-8": "utf-8"}


class Encoder:
    """Escapes characters as bytes of a page's encoding.

    Args:
        label: of the encoding; None for UTF-8.

    Raises:
        InputError: the encoding is unknown.

    Source: WHATWG URL #string-percent-encode-after-encoding; Encoding #get-an-output-encoding.

    >>> Encoder("windows-1252").escaped("\\u00e9", ""), Encoder("latin1").escaped("\\u0416", "")
    ('%E9', '%26%231046%3B')
    """

    def __init__(self, label: str | None) -> None:
        name = "utf-8" if label is None else lookup_any(label)
        if name is None:
            raise InputError(f"unknown encoding {label!r}")
        if name.startswith("utf") or name == "replacement":
            name = "utf-8"
        self._table = "" if name in MULTI_BYTE else single_byte_table(name)
        self._codec = ENCODERS.get(name) or (codec_of(name) if lookup(name) else name)

    @property
    def is_utf_8(self) -> bool:
        """Whether there is nothing special about it."""
        return self._codec == "utf-8"

    def _encode(self, text: str) -> bytes:
        if self._table:
            return codecs.charmap_encode(text, "strict", encoding_map(self._table))[0]
        return text.encode(self._codec)

    def escaped(self, text: str, safe: str) -> str:
        """`text` with all bytes escaped but letters, digits, "_.-~" and those of `safe`.

        A character that the encoding lacks becomes an escaped numeric reference.
        """
        out = []
        while text:
            try:
                out.append(quote_from_bytes(self._encode(text), safe=safe))
                break
            except UnicodeEncodeError as error:
                good, bad = text[: error.start], text[error.start]
                out.append(quote_from_bytes(self._encode(good), safe=safe))
                out.append(f"%26%23{ord(bad)}%3B")
                text = text[error.start + 1 :]
        return "".join(out)


@cache
def encoding_map(table: str) -> Mapping[int, int]:
    """The byte of each character of a single-byte encoding."""
    return {ord(char): byte for byte, char in enumerate(table) if char != "\ufffe"}
