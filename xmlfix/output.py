"""What the command writes: standard output and error, and files that are never half written."""

from __future__ import annotations

import os
import sys

from xmlfix.errors import XmlfixError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

LONGEST_BASE = 200  # bytes of a file name without its extension


class CommandError(XmlfixError):
    """What the user is told in one line, with exit status 2."""


def complain(message: str) -> None:
    """Tell the user something in one line."""
    say(sys.stderr, f"xmlfix: {printable(message)}\n")


def say(stream: TextIO | None, line: str) -> None:
    """Write to standard error, whether or not anybody listens."""
    if stream is None:
        return
    try:
        stream.write(line)
        stream.flush()
    except OSError:
        give_up(stream)


def give_up(stream: TextIO) -> None:
    """Have what is still buffered go nowhere, so that Python does not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def printable(text: str) -> str:
    """`text` without characters that could steer a terminal."""
    return "".join([char if char.isprintable() else f"\\u{ord(char):04x}" for char in text])


def reason(error: OSError) -> str:
    """Why a file could not be read or written."""
    return error.strerror or str(error)


# ── standard output ──────────────────────────────────────────────────────────


def write_out(data: bytes) -> None:
    """Write to standard output.

    Raises:
        CommandError: it is closed or full.
        BrokenPipeError: whoever reads it has enough.
    """
    if sys.stdout is None:
        raise CommandError("standard output: it is closed")
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up(sys.stdout)
        raise CommandError(f"standard output: {reason(error)}") from None


# ── files ────────────────────────────────────────────────────────────────────


def write_atomically(name: str, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        try:
            is_file = os.path.isfile(name)
            if not is_file and os.path.exists(name):
                with open(name, "wb") as file:  # a device or pipe cannot be replaced
                    file.write(data)
                return
            target = os.path.realpath(name)
            temporary = write_temporary(*os.path.split(target), data)
            try:
                if is_file:
                    os.chmod(temporary, os.stat(target).st_mode & 0o7777)
                os.replace(temporary, target)
            except BaseException:
                os.unlink(temporary)
                raise
        except BrokenPipeError as error:  # not that of standard output
            raise CommandError(f"{name}: {reason(error)}") from None
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from None


def make_folder(name: str) -> None:
    """Make a folder, and those that it lies in, unless it is there.

    Raises:
        CommandError: it is not, and cannot be made.
    """
    try:
        os.makedirs(name, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from None


def write_into(folder: str, base: str, data: bytes, *, force: bool) -> None:
    """Write the file `base` in `folder`, atomically, and nowhere else.

    Args:
        force: replace a file or link of that name.

    Raises:
        CommandError: there is one, or it cannot be written.
    """
    target = os.path.join(folder, base)
    try:
        temporary = write_temporary(folder, base, data)
        try:
            if force:
                os.replace(temporary, target)
            else:
                put(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except FileExistsError:
        raise CommandError(f"{target}: it exists already (--force replaces it)") from None
    except OSError as error:
        raise CommandError(f"{target}: {reason(error)}") from None


def put(temporary: str, target: str) -> None:
    """Give a temporary file its name, unless there is one of that name."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        os.replace(temporary, target)
    else:
        os.unlink(temporary)


def write_temporary(folder: str, base: str, data: bytes) -> str:
    """Write a new file beside the one that it will become, and return its path."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{base[:40]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def output_name(name: str) -> str:
    """The file name in `-d DIR` for an input: its own, with the extension `.xml`.

    >>> output_name("a/page.html.gz"), output_name("https://example.org/a/?b")
    ('page.xml', 'index.xml')
    """
    if name == "-":
        name = "stdin"
    elif is_address(name):
        from urllib.parse import unquote, urlsplit

        name = unquote(urlsplit(name).path.rpartition("/")[2])
    base = os.path.basename(name)
    base = "".join(["_" if char in '/\\:*?"<>|' or ord(char) < 32 else char for char in base])
    if base.lower().endswith(".gz"):
        base = base[:-3]
    stem, extension = os.path.splitext(base)
    if extension[1:].isalnum() and not extension[1:].isdecimal():
        base = stem
    while len(os.fsencode(base)) > LONGEST_BASE:
        base = base[:-1]
    return (base if base.strip(". ") else "index") + ".xml"


def is_address(name: str) -> bool:
    """Whether an input's name is that of a web page, not of a file."""
    return name[:8].lower().startswith(("http://", "https://"))
