"""Characters and escaping: text, attribute values, comments.

Source: XML 1.0 §2.2, §2.4, §2.5; WHATWG #coercing-an-html-dom-into-an-infoset.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late

# What XML 1.0's `Char` leaves out, but for the form feed, which becomes a space.
FORBIDDEN = "\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff"

# A set of ASCII characters alone is compiled ten times as fast.
ASCII_FORBIDDEN = "\x00-\x08\x0b\x0e-\x1f"

_TEXT_SPECIAL = late(globals(), "_TEXT_SPECIAL", "search", f"[&<>\r\f{FORBIDDEN}]")
_ASCII_TEXT_SPECIAL = late(
    globals(), "_ASCII_TEXT_SPECIAL", "search", f"[&<>\r\f{ASCII_FORBIDDEN}]"
)
_UNCLEAN = late(globals(), "_UNCLEAN", "search", f"[\f{FORBIDDEN}]")
_ASCII_UNCLEAN = late(globals(), "_ASCII_UNCLEAN", "search", f"[\f{ASCII_FORBIDDEN}]")
_REPLACED = late(globals(), "_REPLACED", "sub", f"[{FORBIDDEN}]")


def clean(data: str) -> str:
    """`data` in XML's characters: U+FFFD for a forbidden one, a space for a form feed."""
    if _ASCII_UNCLEAN(data) if data.isascii() else _UNCLEAN(data):
        return str(_REPLACED("\ufffd", data.replace("\f", " ")))
    return data


def escape_text(data: str) -> str:
    """`data` as character data; every `>`, so that no `]]>` can form where pieces meet."""
    if _ASCII_TEXT_SPECIAL(data) if data.isascii() else _TEXT_SPECIAL(data):
        data = clean(data).replace("&", "&amp;").replace("<", "&lt;")
        return data.replace(">", "&gt;").replace("\r", "&#13;")
    return data


def escape_markup(data: str) -> str:
    """`data`, which has no character that XML forbids, as character data."""
    if "&" in data:
        data = data.replace("&", "&amp;")
    if "<" in data:
        data = data.replace("<", "&lt;")
    return data.replace(">", "&gt;") if ">" in data else data


def escape_value(data: str) -> str:
    """`data` as an attribute value in double quotes; white space survives as references."""
    if data.isprintable():  # nearly always; no control character, nothing forbidden
        if "&" in data:
            data = data.replace("&", "&amp;")
        if "<" in data:
            data = data.replace("<", "&lt;")
        return data.replace('"', "&quot;") if '"' in data else data
    data = clean(data).replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return data.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")


def comment_data(data: str) -> str:
    """`data` as a comment's: `--` and a final `-` get a space."""
    if "-" in data:
        data = data.replace("--", "- -").replace("--", "- -")
        if data.endswith("-"):
            data += " "
    return clean(data).replace("\r", " ")


def is_uri_reference(value: str) -> bool:
    """Whether strict parsers take `value` as a namespace name: RFC 3986, ASCII, no port of letters.

    Source: RFC 3986 §4.1.
    """
    return bool(_URI_REFERENCE(value))


_URI_CHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})"
_AUTHORITY = (
    r"//(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?"
    r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?::[0-9]{1,5})?(?=[/?#]|\Z)"
)
_URI_REFERENCE = late(
    globals(),
    "_URI_REFERENCE",
    "fullmatch",
    # a scheme, or a first segment without colon
    rf"""(?:[A-Za-z][A-Za-z0-9+.-]*:(?:{_AUTHORITY}|(?!//))|{_AUTHORITY}|(?![^/?#]*:)(?!//))
    {_URI_CHAR}*
    (?:\?(?:{_URI_CHAR}|\?)*)?
    (?:\#(?:{_URI_CHAR}|\?)*)?""",
    re.VERBOSE,
)
