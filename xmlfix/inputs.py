"""What the command reads: files, standard input and addresses, compressed or not."""

from __future__ import annotations

import sys

from xmlfix.output import CommandError, is_address, reason, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Self

TIMEOUT = 30.0  # seconds that an address has to answer in full
MAX_SIZE = 100_000_000  # bytes that an address may send, or that may be decompressed
# Those of the arguments that say how to read.
LIMITS = ("timeout", "max_size", "any_type", "public_only")
PIECE = 65_536  # bytes read at a time
PACKED_BEGINNINGS = b"\x1fB\xfd(P7\x04L]"  # the first bytes of compressed data

has_told = False  # whether the user knows that a terminal is being read


class Input:
    """What came for one input.

    Attributes:
        data: the bytes, decompressed.
        source: the bytes as they came.
        content_type: the `Content-Type` that came with them, or None.
        address: where they came from, after all redirects; None for a file.
    """

    __slots__ = ("address", "content_type", "data", "source")

    def __init__(
        self, source: bytes, data: bytes, content_type: str | None, address: str | None = None
    ) -> None:
        self.address = address
        self.source = source
        self.data = data
        self.content_type = content_type


def read_input(
    name: str,
    *,
    timeout: float = TIMEOUT,
    max_size: int = MAX_SIZE,
    any_type: bool = False,
    public_only: bool = False,
) -> Input:
    """Read a file, standard input for "-", or the page at an http or https address.

    Args:
        name: the file or address.
        timeout: seconds that an address has to answer in full.
        max_size: bytes that an address may send, and that compressed data may become.
        any_type: take other content types than those of HTML and XML.
        public_only: take nothing from an address that is not public.

    Raises:
        CommandError: it cannot be read.
    """
    content_type = address = None
    if is_address(name):
        from xmlfix.fetch import fetch

        source, content_type, address = fetch(
            name,
            timeout=timeout,
            max_size=max_size,
            any_type=any_type,
            public_only=public_only,
        )
    else:
        source = read_file(name)
    data = source
    if source[:1] in PACKED_BEGINNINGS:
        from xmlfix.unpack import unpacked

        data = unpacked(source, name, max_size)
    return Input(source, data, content_type, address)


class Pieces:
    """A file, or standard input for "-", read piece by piece; a context manager.

    Args:
        name: the file.
        max_size: bytes that compressed data may become.

    Raises:
        CommandError: it cannot be opened.
    """

    def __init__(self, name: str, *, max_size: int = MAX_SIZE) -> None:
        self._name = name
        self._max_size = max_size
        self._has_begun = False
        try:
            if name != "-":
                self._file: BinaryIO = open(name, "rb")  # noqa: SIM115
            elif sys.stdin is None:
                raise CommandError("standard input: it is closed")
            else:
                self._file = sys.stdin.buffer
                tell_of_waiting()
        except OSError as error:
            raise _unreadable(name, error) from None
        except ValueError:  # a NUL in the name
            raise CommandError(f"{name}: no such file") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._name != "-":
            self._file.close()

    def read(self) -> bytes:
        """The next bytes as soon as there are any, b"" at the end.

        Raises:
            CommandError: they cannot be read, or decompressed.
        """
        data = self._piece()
        if not self._has_begun:
            self._has_begun = True
            if data[:1] in PACKED_BEGINNINGS:
                data = self._unpacked(data)
        return data

    def _unpacked(self, data: bytes) -> bytes:
        """What begins with `data`; if it is compressed, all of it at once."""
        from xmlfix.unpack import may_be_packed, packed, unpacked

        while may_be_packed(data):
            more = self._piece()
            if not more:
                break
            data += more
        if packed(data) is None:
            return data
        rest = b"".join(iter(self._piece, b""))
        return unpacked(data + rest, self._name, self._max_size)

    def _piece(self) -> bytes:
        """What one call of the system gives."""
        try:
            data: bytes = getattr(self._file, "read1", self._file.read)(PIECE)
        except OSError as error:
            raise CommandError(f"{self._name}: {reason(error)}") from None
        return data


def read_file(name: str) -> bytes:
    """The bytes of a file, or of standard input for "-".

    Raises:
        CommandError: it cannot be read.
    """
    try:
        if name == "-":
            if sys.stdin is None:
                raise CommandError("standard input: it is closed")
            tell_of_waiting()
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise _unreadable(name, error) from None
    except ValueError:  # a NUL in the name
        raise CommandError(f"{name}: no such file") from None


def _unreadable(name: str, error: OSError) -> CommandError:
    """What is said of an input that cannot be read."""
    is_missing = isinstance(error, FileNotFoundError)
    advice = "; addresses begin with http:// or https://" if is_missing and "://" in name else ""
    return CommandError(f"{name or repr(name)}: {reason(error)}{advice}")


def tell_of_waiting() -> None:
    """Say once that standard input is read, if it is a terminal."""
    global has_told
    if not has_told and sys.stdin.isatty():
        has_told = True
        end = "Ctrl-Z and Enter end" if sys.platform == "win32" else "Ctrl-D ends"
        tell(f"reading standard input ({end} it, --help explains)")
