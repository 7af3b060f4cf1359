"""What `parse` reads from."""

from __future__ import annotations

import re
import warnings
from os import PathLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}://[^\s<>]+").fullmatch
ADDRESS_AS_PATH = re.compile(r"(?i)https?:[/\\]").match  # pathlib leaves one slash of two
BYTES = (bytes, bytearray, memoryview)
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
        advice = None
        if looks_like_an_address(source):
            advice = f"for the page there, pass {fetching(source)}"
        elif looks_like_a_file_name(source):
            advice = f"for a file, pass pathlib.Path({source!r})"
        if advice is not None:
            warnings.warn(
                f"{source!r} is taken as markup; {advice}", UserWarning, stacklevel=2 + callers
            )
        return source
    if isinstance(source, BYTES):
        return bytes(source)
    if isinstance(source, PathLike):
        try:
            with open(source, "rb") as file:
                return file.read()
        except FileNotFoundError as error:
            name = str(source)
            if ADDRESS_AS_PATH(name):
                error.strerror = f"an address is no file, pass {fetching('https://…')}"
            raise
    if hasattr(source, "read"):
        return source.read()
    kind = type(source).__name__
    raise TypeError(f"markup is a str or bytes, or comes from a path-like or a reader, not {kind}")


def is_source(value: object) -> bool:
    """Whether `read_source` takes it."""
    return isinstance(value, (str, *BYTES, PathLike)) or hasattr(value, "read")


def looks_like_an_address(text: str) -> bool:
    """Whether a caller may have meant the page at an address: one word with a scheme."""
    return len(text) < LONGEST_FILE_NAME and ADDRESS(text.strip()) is not None


def looks_like_a_file_name(text: str) -> bool:
    """Whether a caller may have meant a file: one short line, no markup."""
    return (
        0 < len(text) < LONGEST_FILE_NAME
        and not any(char in text for char in "<>&\n\r\0")
        and text.lower().endswith((".html", ".htm", ".xhtml", ".xml"))
    )


def fetching(address: str) -> str:
    """How a caller gets the page at an address."""
    return f"urllib.request.urlopen({address.strip()!r}).read()"
