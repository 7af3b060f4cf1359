"""The output in bytes."""

from __future__ import annotations

import codecs
import re

from xmlfix.decoders import decode_as
from xmlfix.encodings import REPLACEMENT, lookup, python_codec
from xmlfix.errors import OptionError
from xmlfix.write.tape import NODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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


def encode(
    chunks: list[str],
    codec: codecs.CodecInfo,
    name: str,
    declaration: bool,
    report: Callable[[str, str], object] | None = None,
) -> bytes:
    """The document in bytes, with an XML declaration that says so.

    What the codec lacks becomes a numeric reference in text and values, percent-encoded UTF-8
    in the system identifier of a DOCTYPE, and `Uhhhhhh` elsewhere. So does what the standard's
    decoder for that name would read otherwise: in Python's Shift_JIS a yen sign and a
    backslash are the same byte.

    Args:
        chunks: the document.
        codec: a text codec of Python's.
        name: its name in the declaration.
        declaration: whether to write the XML declaration.
        report: called with (code, detail) for each name, comment and instruction that had
            to be changed.

    Returns:
        The bytes.
    """
    head = f'<?xml version="1.0" encoding="{name}" standalone="yes"?>\n' if declaration else ""
    text = "".join(chunks)
    reader = lookup(name)
    two_faced = TWO_FACED.get(name.lower(), "")
    try:
        data = codec.encode(head + text)[0]
        if any(char in text for char in two_faced):
            pass
        elif reader in IN_FULL or reader is None or decode_as(data, reader) == head + text:
            return data
    except UnicodeEncodeError:
        pass
    lacking = {char for char in set(text) if not survives(char, codec, reader)}
    lacking.update(char for char in two_faced if char in text)
    if lacking:
        text = Restriction(lacking, report).applied(text)
    return codec.encode(head + text)[0]


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


def reference(found: re.Match[str]) -> str:
    """The numeric reference of a character."""
    return f"&#{ord(found[0])};"


def percent_encoded(found: re.Match[str]) -> str:
    """A character in a system identifier, as XML 1.0 §4.2.2 has parsers read it."""
    return "".join([f"%{byte:02X}" for byte in found[0].encode("utf-8")])


class Restriction:
    """Rewrites XML text without some characters.

    Args:
        lacking: the characters.
        report: called with (code, detail) for each name, comment and instruction changed.
    """

    __slots__ = ("_escapes", "_find", "_names", "_report")

    def __init__(self, lacking: set[str], report: Callable[[str, str], object] | None) -> None:
        self._find = re.compile("[" + "".join(map(re.escape, sorted(lacking))) + "]")
        self._report = report
        self._names: set[str] = set()  # that have been reported
        self._escapes: dict[str, str] = {}

    def applied(self, text: str) -> str:
        """`text`, a document or a part of one, without the characters."""
        nodes = NODES(text)
        found = self._find.search
        changed = [index for index, node in enumerate(nodes) if found(node)]
        self._choose_escapes([nodes[index] for index in changed], text)
        for index in changed:
            node = nodes[index]
            if node[0] != "<":
                nodes[index] = self._find.sub(reference, node)
            elif node[1] == "?":
                nodes[index] = self._unnamed(node, "xmlfix-instruction-not-in-encoding")
            elif node[1] != "!":
                nodes[index] = self._tag(node, reference)
            elif node[2] == "-":
                nodes[index] = self._unnamed(node, "xmlfix-comment-not-in-encoding")
            else:
                nodes[index] = self._tag(node, percent_encoded)
        return "".join(nodes)

    def _choose_escapes(self, changed: list[str], text: str) -> None:
        """Find an escape for each character in names that occurs in no name of the document.

        In XML a name can look like an escape; then this one gets a `_` at its end.
        """
        chars = {
            char
            for node in changed
            if node[0] == "<" and node[1] not in "!?"
            for part in node.split('"')[0::2]
            for char in self._find.findall(part)
        }
        taken: dict[str, int] = {}  # what looks like an escape, with the most `_` after it
        if chars and ESCAPED(text):
            for node in NODES(text):
                if node[0] == "<" and node[1] not in "!?":
                    for part in node.split('"')[0::2]:
                        for found in ESCAPES(part):
                            taken[found[1]] = max(taken.get(found[1], 0), len(found[2]))
        for char in chars:
            escape = f"U{ord(char):06X}"
            self._escapes[char] = escape + "_" * (taken.get(escape, -1) + 1)

    def _escape(self, found: re.Match[str]) -> str:
        """The escape of a character outside text and values; what is two-faced can stay."""
        char = found[0]
        return char if char.isascii() else self._escapes.get(char, f"U{ord(char):06X}")

    def _tag(self, node: str, in_quotes: Callable[[re.Match[str]], str]) -> str:
        """A tag or DOCTYPE; what `in_quotes` makes of a character stands in its values."""
        parts = node.split('"')  # names stand in the even ones, values in the odd ones
        parts[1::2] = [self._find.sub(in_quotes, part) for part in parts[1::2]]
        for index in range(0, len(parts), 2):
            if self._find.search(parts[index]):
                self._say_names(parts[index])
                parts[index] = self._find.sub(self._escape, parts[index])
        return '"'.join(parts)

    def _say_names(self, part: str) -> None:
        """Report the names in what stands outside the values of a tag, each once."""
        for name in NAMES(part) if self._report is not None else ():
            if name not in self._names and self._find.search(name):
                self._names.add(name)
                assert self._report is not None
                self._report("xmlfix-name-not-in-encoding", name[:LONGEST_DETAIL])

    def _unnamed(self, node: str, code: str) -> str:
        """A comment or instruction."""
        out = self._find.sub(self._escape, node)
        if self._report is not None and out != node:
            self._report(code, node if len(node) <= LONGEST_DETAIL else f"{node[:LONGEST_DETAIL]}…")
        return out


ESCAPED = re.compile("U[0-9A-F]{6}").search
ESCAPES = re.compile("(U[0-9A-F]{6})(_*)").finditer
NAMES = re.compile(r"[^ =<>/!]+").findall
LONGEST_DETAIL = 40  # characters of what is named in a finding
