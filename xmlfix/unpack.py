"""Compressed input: which it is, and what it becomes within a limit."""

from __future__ import annotations

from xmlfix.output import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Member(Protocol):
        """A part of compressed data that stands on its own, after `bz2.BZ2Decompressor`."""

        @property
        def eof(self) -> bool: ...
        @property
        def needs_input(self) -> bool: ...
        @property
        def unused_data(self) -> bytes: ...
        def decompress(self, data: bytes, max_length: int) -> bytes: ...


PIECE = 65_536  # bytes decompressed at a time
MEMORY = 256 << 20  # bytes that xz may ask for; the strongest preset takes 65 MiB

# The formats by their first bytes; `inputs.PACKED_BEGINNINGS` has the first byte of each.
# Source: RFC 1952; bzip2's file format; the .xz file format; RFC 8878.
MAGIC = {
    b"\x1f\x8b\x08": "gzip",
    b"BZh": "bzip2",  # then a digit, and what begins a block or ends the data
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x1f\x9d": "compress",
    b"PK\x03\x04": "ZIP",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x04\x22\x4d\x18": "lz4",
    b"LZIP\x01": "lzip",
    b"\x5d\x00\x00": "lzma",
}
BZIP2_NEXT = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
LONGEST_MAGIC = 10  # bytes that show the format
# Commands that unpack what is not unpacked here.
ADVICE = {
    "zstd": "zstd -dc",
    "compress": "gzip -dc",
    "ZIP": "unzip -p",
    "7z": "7z x -so",
    "lz4": "lz4 -dc",
    "lzip": "lzip -dc",
    "lzma": "xz -dc",
}


def packed(data: bytes) -> str | None:
    """The format in which `data` is compressed, by its first bytes; None if it is in none."""
    for magic, form in MAGIC.items():
        if data.startswith(magic):
            is_digit = form != "bzip2" or (data[3:4].isdigit() and data[4:10] in BZIP2_NEXT)
            return form if is_digit else None
    return None


def may_be_packed(data: bytes) -> bool:
    """Whether more bytes are needed to tell."""
    if len(data) >= LONGEST_MAGIC:
        return False
    if data.startswith(b"BZh"):
        return any(data[4:] == begin[: len(data[4:])] for begin in BZIP2_NEXT)
    return any(magic.startswith(data) for magic in MAGIC)


def unpacked(data: bytes, name: str, max_size: int) -> bytes:
    """What has been compressed, all members of it; other data as it is.

    Args:
        data: all of it.
        name: of the input, for the message.
        max_size: bytes that it may become.

    Raises:
        CommandError: it is damaged, incomplete, becomes too big, or nothing here unpacks it.
    """
    form = packed(data)
    if form is None:
        return data
    start, errors = opener(form, name)
    out = []
    left = max_size
    member = start()
    try:
        for at in range(0, len(data), PIECE):
            piece = data[at : at + PIECE]
            while True:
                if member.eof:
                    piece = piece.lstrip(b"\0")  # padding
                    if not piece:
                        break
                    member = start()
                text = member.decompress(piece, left + 1)
                left -= len(text)
                if left < 0:
                    raise CommandError(
                        f"{name}: more than {max_size} bytes when decompressed (--max-size)"
                    )
                out.append(text)
                if member.eof:
                    piece = member.unused_data
                elif member.needs_input:
                    break
                else:
                    piece = b""
    except MemoryError:
        raise
    except errors as error:
        if "emory" in str(error):
            raise CommandError(f"{name}: {form} data that needs too much memory") from None
        raise CommandError(f"{name}: damaged {form} data") from None
    if not member.eof:
        raise CommandError(f"{name}: incomplete {form} data")
    return b"".join(out)


def opener(form: str, name: str) -> tuple[Callable[[], Member], tuple[type[Exception], ...]]:
    """What begins a member of a format, and the exceptions that mean damage.

    Raises:
        CommandError: this Python cannot unpack it.
    """
    try:
        if form == "gzip":
            import zlib

            return Gzip, (zlib.error,)
        if form == "bzip2":
            import bz2

            return bz2.BZ2Decompressor, (OSError, ValueError)
        if form == "xz":
            import lzma

            return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY), (lzma.LZMAError,)
        if form == "zstd":
            from importlib import import_module

            zstd = import_module("compression.zstd")  # since Python 3.14
            return zstd.ZstdDecompressor, (zstd.ZstdError,)
    except ImportError:  # this Python was built without the module
        pass
    advice = ADVICE.get(form, f"{form} -dc")
    raise CommandError(f"{name}: {form} data, which is not unpacked here ({advice} … | xmlfix)")


class Gzip:
    """A member of gzip data, with the interface that the other formats have."""

    def __init__(self) -> None:
        import zlib

        self._member = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""
        return self._member.eof

    @property
    def needs_input(self) -> bool:
        """Whether nothing is left of the last piece."""
        return not self._member.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """What comes after the member."""
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """The next bytes, `max_length` at most."""
        return self._member.decompress(data or self._member.unconsumed_tail, max_length)
