"""What `parse` reads from."""

from __future__ import annotations

import warnings
from os import PathLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

LONGEST_FILE_NAME = 1_000  # characters; a longer str is not mistaken for a name


def read_source(
    source: str | bytes | PathLike[str] | IO[str] | IO[bytes], *, callers: int = 1
) -> str | bytes:
    """The markup that `source` is, names or reads.

    Args:
        source: the markup, or where it is.
        callers: how many calls of xmlfix there are above this one, for the warning.

    Raises:
        OSError: the file cannot be read.
        TypeError: `source` is none of these.
    """
    if isinstance(source, str):
        if looks_like_a_file_name(source):
            warnings.warn(
                f"{source!r} is taken as markup; for a file, pass pathlib.Path({source!r})",
                UserWarning,
                stacklevel=2 + callers,
            )
        return source
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, PathLike):
        with open(source, "rb") as file:
            return file.read()
    if hasattr(source, "read"):
        return source.read()
    raise TypeError(f"cannot parse {type(source).__name__}")


def looks_like_a_file_name(text: str) -> bool:
    """Whether a caller may have meant a file or an address: one short line, no markup."""
    return (
        0 < len(text) < LONGEST_FILE_NAME
        and not any(char in text for char in "<>&\n\r\0")
        and (text.lower().endswith((".html", ".htm", ".xhtml", ".xml")) or "://" in text[:10])
    )
