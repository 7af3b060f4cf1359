"""Characters and escaping: text, attribute values, comments.

Source: XML 1.0 §2.2, §2.4, §2.5; WHATWG #coercing-an-html-dom-into-an-infoset.
"""

from __future__ import annotations

import re

# What XML 1.0's `Char` leaves out, but for the form feed, which becomes a space.
FORBIDDEN = "\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff"

_TEXT_SPECIAL = re.compile(f"[&<>\r\f{FORBIDDEN}]").search
_VALUE_SPECIAL = re.compile(f'[&<"\t\n\r\f{FORBIDDEN}]').search
_UNCLEAN = re.compile(f"[\f{FORBIDDEN}]").search
_FORBIDDEN = re.compile(f"[{FORBIDDEN}]")


def clean(data: str) -> str:
    """`data` in XML's characters: U+FFFD for a forbidden one, a space for a form feed."""
    if _UNCLEAN(data):
        return _FORBIDDEN.sub("\ufffd", data.replace("\f", " "))
    return data


def escape_text(data: str) -> str:
    """`data` as character data; every `>`, so that no `]]>` can form where pieces meet."""
    if _TEXT_SPECIAL(data):
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
    if _VALUE_SPECIAL(data):
        data = clean(data).replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        return data.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")
    return data


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
_URI_REFERENCE = re.compile(
    # a scheme, or a first segment without colon
    rf"""(?:[A-Za-z][A-Za-z0-9+.-]*:(?:{_AUTHORITY}|(?!//))|{_AUTHORITY}|(?![^/?#]*:)(?!//))
    {_URI_CHAR}*
    (?:\?(?:{_URI_CHAR}|\?)*)?
    (?:\#(?:{_URI_CHAR}|\?)*)?""",
    re.VERBOSE,
).fullmatch
