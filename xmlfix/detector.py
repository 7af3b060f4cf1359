"""The detector of `detect=True`: statistics, for pages that say nothing."""

from __future__ import annotations

import re

from xmlfix.encodings import REPLACEMENT, lookup, lookup_any
from xmlfix.errors import OptionError

BEFORE = 4096  # bytes before the first that is not ASCII that are shown to the detector …
FROM = 65_536  # … and bytes from it on

_TELLING = re.compile(rb"[\x1b\x80-\xff]").search  # ISO-2022-JP has escapes only


def detected(data: bytes) -> str | None:
    """The encoding that the detector takes the bytes for, or None.

    Returns:
        A name of the Encoding Standard; None for ASCII, and if the detector does not know
        or names an encoding that the standard lacks.

    Raises:
        OptionError: chardet is not installed.
    """
    try:
        from chardet import EncodingEra, detect
    except ImportError:
        raise OptionError("detect needs chardet: install xmlfix[detect]") from None
    found = _TELLING(data)
    if found is None:
        return None
    start = max(0, found.start() - BEFORE) & ~3  # of UTF-16 and UTF-32, whole characters
    era = EncodingEra.MODERN_WEB | EncodingEra.LEGACY_ISO
    label = detect(data[start : found.start() + FROM], encoding_era=era)["encoding"]
    name = lookup_any(label) if label and label != "ascii" else None
    return None if name is None or name == REPLACEMENT or lookup(name) is None else name
