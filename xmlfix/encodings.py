"""The encodings of the Encoding Standard: their names and labels, and Python's codec for each.

Source: WHATWG Encoding #names-and-labels.
"""

from __future__ import annotations

import codecs
from functools import cache

UTF_8 = "utf-8"
WINDOWS_1252 = "windows-1252"
REPLACEMENT = "replacement"

BAD = "\ufffd"  # REPLACEMENT CHARACTER, for malformed bytes
MARK = "\udfff"  # stands in its place where malformed bytes are to be found again

MULTI_BYTE = frozenset(("big5", "euc-jp", "euc-kr", "gb18030", "gbk", "iso-2022-jp", "shift_jis"))
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


@cache
def codec_of(name: str) -> str:
    """The canonical name of Python's codec for one of the standard's encodings."""
    if name == "gbk":
        return "gb18030"  # "gbk's decoder is gb18030's decoder"
    import webencodings

    found = webencodings.lookup(name)
    assert found is not None  # it is the name of an encoding
    return found.codec_info.name


def bad_for(errors: str) -> str:
    """What stands for malformed bytes under one of our error handlers."""
    return MARK if errors == "xmlfix-mark" else BAD
