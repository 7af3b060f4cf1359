"""What the command writes: standard output and error, and files that are never half written."""

from __future__ import annotations

import os
import sys

from xmlfix.errors import XmlfixError
from xmlfix.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TextIO

NAMED_LIMITS = ("max_cells", "max_input")  # in errors

complaints = 0  # so far
owns_process = False  # whether there is nothing but the command in it
LONGEST_BASE = 200  # bytes of a file name without its extension
PACKED = (".gz", ".bz2", ".xz", ".zst")  # endings of the names of compressed files


class CommandError(XmlfixError):
    """What the user is told in one line, with exit status 2."""


class Stopped(BaseException):
    """A signal asks the process to end.

    Args:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def complain(message: str) -> None:
    """Tell the user in one line what is wrong; limits are named by their flags."""
    global complaints
    complaints += 1
    for limit in NAMED_LIMITS:
        message = message.replace(f"({limit})", f"(--{limit.replace('_', '-')})")
    tell(message)


def tell(message: str) -> None:
    """Tell the user something in one line, no user and password of an address among it."""
    say(sys.stderr, f"xmlfix: {printable(without_user(message))}\n")


_USER = late(
    globals(),
    "_USER",
    "sub",
    # up to the last "@" before the path; a password with "/" looks like an invalid port
    r"(?i)\b([a-z][a-z0-9+.-]*://)(?:[^/?#]*@|[^/?#@\[\]]*:(?![0-9]*(?:[\s/?#]|\Z))\S*@)",
)


def without_user(text: str) -> str:
    """A text with "***" for the user and the password of each address in it.

    >>> without_user("https://me:secret@example.org/@me: 404")
    'https://***@example.org/@me: 404'
    """
    return str(_USER(r"\1***@", text)) if "@" in text else text


def shown(name: str) -> str:
    """The name of an input as users may see it."""
    return "<stdin>" if name == "-" else without_user(name)


def say(stream: TextIO | None, line: str) -> None:
    """Write to standard error, whether or not anybody listens."""
    if stream is None:
        return
    try:
        stream.write(line)
        stream.flush()
    except OSError:
        give_up(stream)


def flush(stream: TextIO | None) -> None:
    """Write what is buffered.

    Raises:
        CommandError: it cannot be written.
        BrokenPipeError: whoever reads it has enough.
    """
    if stream is None:
        return
    try:
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up(stream)
        raise CommandError(f"{stream.name.strip('<>')}: {reason(error)}") from None


def give_up(stream: TextIO) -> None:
    """Have what is still buffered go nowhere, so that Python does not complain at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def printable(text: str) -> str:
    """`text` without characters that could steer a terminal."""
    return "".join([char if char.isprintable() else escaped(char) for char in text])


def escaped(char: str) -> str:
    """A character as Python writes its number."""
    return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"


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
    """Write a file so that nobody ever sees a part of it; "-" is standard output.

    Raises:
        CommandError: it cannot be written.
        Stopped: the process is to end; nothing is left behind.
    """
    if name == "-":
        write_out(data)
        return
    if not os.path.basename(name):
        raise CommandError(f"{name or repr(name)}: it does not name a file")
    try:
        try:
            is_file = os.path.isfile(name)
            if not is_file and os.path.exists(name):
                with open(name, "wb") as file:  # a device or pipe cannot be replaced
                    file.write(data)
                return
            target = os.path.realpath(name)
            mode = os.stat(target).st_mode & 0o7777 if is_file else None
            write_and_move(target, data, os.replace, mode)
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
    except FileExistsError:
        raise CommandError(f"{name}: not a folder, but a file") from None
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from None


def write_into(folder: str, base: str, data: bytes, *, force: bool) -> None:
    """Write the file `base` in `folder`, atomically, and nowhere else.

    Args:
        force: replace a file or link of that name.

    Raises:
        CommandError: there is one, or it cannot be written.
        Stopped: the process is to end; nothing is left behind.
    """
    target = os.path.join(folder, base)
    try:
        write_and_move(target, data, os.replace if force else put)
    except FileExistsError:
        raise CommandError(f"{target}: it exists already (--force replaces it)") from None
    except OSError as error:
        raise CommandError(f"{target}: {reason(error)}") from None


def write_and_move(
    target: str, data: bytes, move: Callable[[str, str], None], mode: int | None = None
) -> None:
    """Write a temporary file beside `target`, and have it moved there; nothing is left behind."""
    with Stoppable() as stoppable:
        temporary = write_temporary(*os.path.split(target), data, mode)
        try:
            stoppable.stop_if_told()
            move(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise


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


class Stoppable:
    """While it is entered, a signal that would end the process waits for `stop_if_told`."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._number = 0  # of the signal that has come

    def __enter__(self) -> Self:
        import signal
        import threading

        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)  # Windows has no SIGHUP
                if number is None:
                    continue
                before = signal.getsignal(number)
                if before in (signal.SIG_DFL, signal.default_int_handler):
                    self._before[number] = before
                    signal.signal(number, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        import signal

        for number, before in self._before.items():
            signal.signal(number, before)
        if kind is None or not issubclass(kind, (Stopped, KeyboardInterrupt)):
            self.stop_if_told()

    def _note(self, number: int, frame: object) -> None:
        self._number = number

    def stop_if_told(self) -> None:
        """Raise Stopped, or KeyboardInterrupt, if a signal has come."""
        import signal

        if self._number == signal.SIGINT:
            raise KeyboardInterrupt
        if self._number:
            raise Stopped(self._number)


def die(number: int) -> int:
    """End the process by a signal, so that whoever has started it knows; else its status."""
    import signal

    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def write_temporary(folder: str, base: str, data: bytes, mode: int | None = None) -> str:
    """Write a new file beside the one that it will become, and return its path.

    Args:
        mode: its permissions; None for those of a new file.
    """
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{base[:40]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is None:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(temporary, mode)
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
    for ending in PACKED:
        base = base[: -len(ending)] if base.lower().endswith(ending) else base
    stem, extension = os.path.splitext(base)
    if extension[1:].isalnum() and not extension[1:].isdecimal():
        base = stem
    while len(os.fsencode(base)) > LONGEST_BASE:
        base = base[:-1]
    return (base if base.strip(". ") else "index") + ".xml"


def is_address(name: str) -> bool:
    """Whether an input's name is that of a web page, not of a file."""
    return name[:8].lower().startswith(("http://", "https://"))
