"""What the command reads: files, standard input and addresses, compressed or not."""

from __future__ import annotations

import sys

from xmlfix.output import CommandError, is_address, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Self

TIMEOUT = 30.0  # seconds that an address has to answer in full
MAX_SIZE = 100_000_000  # bytes that an address may send, or that may be decompressed
LIMITS = ("timeout", "max_size", "any_type")  # of the arguments that say how to read
PIECE = 65_536  # bytes read or decompressed at a time

GZIP_MAGIC = b"\x1f\x8b\x08"


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
) -> Input:
    """Read a file, standard input for "-", or the page at an http or https address.

    Args:
        name: the file or address.
        timeout: seconds that an address has to answer in full.
        max_size: bytes that an address may send, and that gzip data may become.
        any_type: take other content types than those of HTML and XML.

    Raises:
        CommandError: it cannot be read.
    """
    content_type = address = None
    if is_address(name):
        from xmlfix.fetch import fetch

        source, content_type, address = fetch(
            name, timeout=timeout, max_size=max_size, any_type=any_type
        )
    else:
        source = read_file(name)
    data = source
    if source.startswith(GZIP_MAGIC):
        data = decompressed(source, name, max_size)
    return Input(source, data, content_type, address)


class Pieces:
    """A file, or standard input for "-", read piece by piece; a context manager.

    Args:
        name: the file.
        max_size: bytes that gzip data may become.

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
        except OSError as error:
            raise CommandError(f"{name or repr(name)}: {reason(error)}") from None
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
            if data.startswith(GZIP_MAGIC):
                rest = b"".join(iter(self._piece, b""))
                data = decompressed(data + rest, self._name, self._max_size)
        return data

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
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise CommandError(f"{name or repr(name)}: {reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise CommandError(f"{name}: no such file") from None


def decompressed(data: bytes, name: str, max_size: int) -> bytes:
    """What gzip has compressed, all members of it.

    Raises:
        CommandError: it is damaged, incomplete, or becomes too big.

    Source: RFC 1952.
    """
    import zlib

    out = []
    left = max_size
    member = zlib.decompressobj(wbits=31)
    try:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            while piece:
                if member.eof:
                    if not piece.lstrip(b"\0"):
                        break  # padding
                    member = zlib.decompressobj(wbits=31)
                text = member.decompress(piece, left + 1)
                left -= len(text)
                if left < 0:
                    raise CommandError(
                        f"{name}: more than {max_size} bytes when decompressed (--max-size)"
                    )
                out.append(text)
                piece = member.unused_data if member.eof else member.unconsumed_tail
    except zlib.error:
        raise CommandError(f"{name}: damaged gzip data") from None
    if not member.eof:
        raise CommandError(f"{name}: incomplete gzip data")
    return b"".join(out)
