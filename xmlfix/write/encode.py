"""The output in bytes."""

from __future__ import annotations

import codecs
import re

from xmlfix.encodings import REPLACEMENT, decode_as, lookup, python_codec
from xmlfix.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# The name that is registered for XML (§4.3.3), for Python's name of a codec.
XML_NAMES = {
    "ascii": "US-ASCII",
    "big5": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "cp874": "windows-874",
    "cp932": "Windows-31J",
    "cp949": "windows-949",
    "cp950": "Big5",
    "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "GB18030",
    "gb2312": "GB2312",
    "gbk": "GBK",
    "hz": "HZ-GB-2312",
    "iso2022_jp": "ISO-2022-JP",
    "iso2022_kr": "ISO-2022-KR",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "shift_jis": "Shift_JIS",
    "tis-620": "TIS-620",
    "utf-16": "UTF-16",
    "utf-16-be": "UTF-16BE",
    "utf-16-le": "UTF-16LE",
    "utf-32": "UTF-32",
    "utf-32-be": "UTF-32BE",
    "utf-32-le": "UTF-32LE",
    "utf-7": "UTF-7",
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
}
# … and what such a name begins with, for those that are many.
XML_NAME_BEGINNINGS = (("iso8859-", "ISO-8859-"), ("cp125", "windows-125"), ("cp", "IBM"))


ASCII = "".join(map(chr, range(32, 127))).replace("\\", "").replace("~", "")  # but JIS-Roman's


def codec_and_name(label: str) -> tuple[codecs.CodecInfo, str]:
    """The codec that a name or label means, and its name in an XML declaration.

    Raises:
        OptionError: there is no such text codec.
    """
    name = python_codec(label)
    if name is not None and not keeps_ascii(name):
        raise OptionError(f"output_encoding: XML parsers do not read {label!r}")
    if name is not None:
        declared = XML_NAMES.get(name, name)
        for old, new in XML_NAME_BEGINNINGS:
            if declared.startswith(old):
                declared = new + declared.removeprefix(old)
        return codecs.lookup(name), declared
    import webencodings

    encoding = webencodings.lookup(label) if label.isascii() else None
    if encoding is None or encoding.name == REPLACEMENT:
        raise OptionError(f"output_encoding: unknown encoding {label!r}")
    return encoding.codec_info, encoding.name


def keeps_ascii(name: str) -> bool:
    """Whether a codec of Python's is a superset of ASCII, or one of the UTF-16 and UTF-32 kin."""
    if name.startswith(("utf-16", "utf-32", "utf-8")):
        return True
    if name == "hz":  # its "~" is an escape
        return False
    try:
        return codecs.lookup(name).encode(ASCII)[0] == ASCII.encode("ascii")
    except UnicodeError:
        return False


def encode(chunks: list[str], codec: codecs.CodecInfo, name: str, declaration: bool) -> bytes:
    """The document in bytes, with an XML declaration that says so.

    What the codec lacks becomes a numeric reference in text and values, and `Uhhhhhh`
    elsewhere. So does what the standard's decoder for that name would read otherwise: in
    Python's Shift_JIS a yen sign and a backslash are the same byte.

    Args:
        chunks: the document, a tag, comment or run of characters each.
        codec: a text codec of Python's.
        name: its name in the declaration.
        declaration: whether to write the XML declaration.

    Returns:
        The bytes.
    """
    head = f'<?xml version="1.0" encoding="{name}" standalone="yes"?>\n' if declaration else ""
    text = head + "".join(chunks)
    reader = lookup(name)
    two_faced = TWO_FACED.get(name.lower(), "")
    try:
        data = codec.encode(text)[0]
        if any(char in text for char in two_faced):
            pass
        elif reader in IN_FULL or reader is None or decode_as(data, reader) == text:
            return data
    except UnicodeEncodeError:
        pass
    lacking = {char for char in set(text) if not survives(char, codec, reader)}
    lacking.update(char for char in two_faced if char in text)
    if not lacking:
        return codec.encode(text)[0]
    find = re.compile("[" + "".join(map(re.escape, lacking)) + "]")
    return codec.encode(head + "".join([restrict(chunk, find) for chunk in chunks]))[0]


# ASCII characters whose bytes are yen, won or overline to libxml2's decoder, and to others not
TWO_FACED = {"shift_jis": "\\~", "johab": "\\"}
IN_FULL = ("utf-8", "utf-16le", "utf-16be")  # these have all characters


def survives(char: str, codec: codecs.CodecInfo, reader: str | None) -> bool:
    """Whether a character can be encoded, and is the same to who decodes it by the standard."""
    if char.isascii():
        return True
    try:
        data = codec.encode(char)[0]
    except UnicodeEncodeError:
        return False
    return reader is None or decode_as(data, reader) == char


def restrict(chunk: str, find: re.Pattern[str]) -> str:
    """`chunk` without the characters that `find` finds."""
    if not find.search(chunk):
        return chunk
    if chunk[0] != "<":
        return find.sub(reference, chunk)
    if chunk[1] in "!?":
        return find.sub(escape_in_comment, chunk)
    parts = chunk.split('"')  # names stand in the even ones, values in the odd ones
    parts[1::2] = [find.sub(reference, part) for part in parts[1::2]]
    parts[0::2] = different([find.sub(escape, part) for part in parts[0::2]])
    return '"'.join(parts)


def reference(found: re.Match[str]) -> str:
    """The numeric reference of a character."""
    return f"&#{ord(found[0])};"


def escape(found: re.Match[str]) -> str:
    """The escape of a character in a name."""
    return f"U{ord(found[0]):06X}"


def escape_in_comment(found: re.Match[str]) -> str:
    """The same in a comment or instruction, where what is two-faced can stay."""
    return found[0] if found[0].isascii() else escape(found)


def different(parts: Iterable[str]) -> list[str]:
    """What stands outside the values of a tag, without two attributes of one name."""
    out: list[str] = []
    names = set()
    for part in parts:
        before, space, name = part.rpartition(" ")
        while name in names:
            name = f"{name[:-1]}_="
        names.add(name)
        out.append(before + space + name)
    return out
