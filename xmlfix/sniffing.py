"""Which encoding bytes are in, and from which evidence.

The steps come in this order, and the first that answers decides: the caller's word, a byte
order mark, the transport, a `<meta>` in the first 1024 bytes, the XML declaration, then
what the bytes look like. Input that is read as XML has the declaration before the `<meta>`.

Source: WHATWG #determining-the-character-encoding; XML 1.0 appendix F.
"""

from __future__ import annotations

import re

from xmlfix.encodings import (
    UTF_8,
    WINDOWS_1252,
    lookup,
    lookup_any,
)
from xmlfix.errors import InputError, OptionError
from xmlfix.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRESCAN = 1024  # bytes in which a <meta> is looked for
HELD = 65_536  # bytes in which a later <meta> may still change the encoding
LONGEST_BEGINNING = 4_096  # characters or bytes in which the declaration of XML must begin
EXAMINED = 65_536  # bytes from the first that is not ASCII, in which UTF-8 is looked for

SPACES = tuple(b"\t\n\f\r /"[index : index + 1] for index in range(6))  # … or a slash
UTF_16 = ("utf-16le", "utf-16be")
BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", UTF_8),
    (b"\xfe\xff", "utf-16be"),
    (b"\xff\xfe", "utf-16le"),
)
# Marks that only XML input has: browsers know no UTF-32.
XML_MARKS = (
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\x00<", "utf-32-be"),
    (b"<\x00\x00\x00", "utf-32-le"),
    (b"<\x00?\x00", "utf-16le"),
    (b"\x00<\x00?", "utf-16be"),
)
UTF_32_MARKS = tuple(mark for mark, name in XML_MARKS if name.startswith("utf-32"))
# How input begins that may be XML, but for input that is said to be.
XML_BEGINNINGS = (
    b"<?xml",
    b"\xef\xbb\xbf<?xml",
    b"\xff\xfe<\x00?\x00",
    b"\xfe\xff\x00<\x00?",
    *(mark for mark, _ in XML_MARKS),
)


class EncodingChanged(Exception):
    """A `<meta>` met while parsing has another encoding: parse again with that one."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding


class Sniffed:
    """The encoding of some bytes.

    Attributes:
        encoding: its name in the Encoding Standard, in lower case; of an encoding that only
            Python has, asked for by `encoding`, Python's.
        evidence: what said so: "encoding" (the caller), "bom", "transport", "meta",
            "xml declaration", "utf-8" (the bytes are valid UTF-8), "detector", "fallback".
        certain: whether no later `<meta>` can change it.
    """

    __slots__ = ("certain", "encoding", "evidence")

    def __init__(self, encoding: str, evidence: str, certain: bool = False) -> None:
        self.encoding = encoding
        self.evidence = evidence
        self.certain = certain

    def __repr__(self) -> str:
        sure = "certain" if self.certain else "tentative"
        return f"<Sniffed {self.encoding}: {self.evidence}, {sure}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sniffed):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.encoding, self.evidence, self.certain))


def sniff(
    data: bytes,
    *,
    encoding: str | None = None,
    transport_encoding: str | None = None,
    fallback: str | None = None,
    detect: bool = False,
) -> Sniffed:
    """Say which encoding the bytes of a page are in, as a browser finds it.

    Args:
        data: the page, or its beginning.
        encoding: a label, or the name of a codec of Python's, that overrides everything.
        transport_encoding: what came with the bytes: a label, or a whole `Content-Type`.
        fallback: the label that is taken where the page says nothing; None to take UTF-8
            if the 64 KiB from the first non-ASCII byte on are valid UTF-8, and windows-1252
            if not.
        detect: ask a detector where the page says nothing (needs the extra `detect`).

    Returns:
        The encoding, the evidence, and whether it is certain or tentative.

    Raises:
        InputError: nobody knows `encoding`.
        OptionError: `fallback` is no label, or there is no detector.
        TypeError: `data` is not bytes.

    Source: WHATWG #encoding-sniffing-algorithm.

    >>> sniff(b"<meta charset=latin1>")
    <Sniffed windows-1252: meta, tentative>
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"sniff takes bytes, not {type(data).__name__}")
    for label in (encoding, transport_encoding, fallback):
        if label is not None and not isinstance(label, str):
            raise TypeError(f"an encoding is named by a str, not by {type(label).__name__}")
    return sniff_bytes(bytes(data), encoding, transport_encoding, fallback, detect)


def sniff_bytes(
    data: bytes,
    encoding: str | None = None,
    transport_encoding: str | None = None,
    fallback: str | None = None,
    detect: bool = False,
    *,
    xml: bool = False,
) -> Sniffed:
    """See `sniff`; with `xml` the bytes are read as XML."""
    if encoding is not None:
        return Sniffed(overriding(data, encoding), "encoding", True)
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark) and not (xml and data.startswith(b"\xff\xfe\x00\x00")):
            return Sniffed(name, "bom", True)
    if transport_encoding is not None:
        found = transport_label(transport_encoding)
        if found:
            return Sniffed(found, "transport", True)
    if xml:
        found = declared_in_xml(data)
        if found:
            return Sniffed(found, "xml declaration")
    found = prescan(data[:PRESCAN])
    if found:
        return Sniffed(found, "meta")
    found = None if xml else xml_encoding(data[:PRESCAN])
    if found:
        return Sniffed(found, "xml declaration")
    return guess(data, fallback, detect)


def overriding(data: bytes, label: str) -> str:
    """The encoding that the caller asks for.

    The label "utf-16" alone leaves the byte order to a byte order mark.
    """
    name = lookup_any(label)
    if name is None:
        raise InputError(f"unknown encoding {label!r}")
    if name in UTF_16 and label.strip().lower().replace("_", "-") == "utf-16":
        return "utf-16be" if data.startswith(b"\xfe\xff") else "utf-16le"
    return name


def fallback_name(label: str) -> str:
    """The encoding of the option `fallback`.

    Raises:
        OptionError: the standard has no such label.
    """
    name = lookup(label)
    if name is None:
        raise OptionError(f"fallback: unknown encoding {label!r}")
    return name


def guess(data: bytes, fallback: str | None, detect: bool) -> Sniffed:
    """What the bytes look like, if nothing says what they are."""
    if detect:
        from xmlfix.detector import detected

        name = detected(data)
        if name:
            return Sniffed(name, "detector")
    if fallback is not None:
        return Sniffed(fallback_name(fallback), "fallback")
    if looks_like_utf_8(data):
        return Sniffed(UTF_8, "utf-8")
    return Sniffed(WINDOWS_1252, "fallback")


def looks_like_utf_8(data: bytes) -> bool:
    """Whether the bytes examined, from the first that is not ASCII on, are valid UTF-8.

    A sequence that is cut short at their end may be the last of several, not the only one:
    a text cut off within a character is still UTF-8, but `caf\\xe9` is not.
    """
    if data.isascii():
        return True
    try:
        data.decode("ascii")
    except UnicodeDecodeError as error:
        data = data[error.start : error.start + EXAMINED]
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and error.start > 0
    return True


# ── the transport ────────────────────────────────────────────────────────────

# Patterns that are not always needed are compiled when they are.
PARAMETER = r"""(?sx) ;[\t\n\r ]* ([^;=]*) (?: = (?: "((?:[^"\\]|\\.)*)"? [^;]* | ([^;]*) ) )?"""


def transport_label(value: str) -> str | None:
    """The encoding of a label or of a whole `Content-Type`, or None if it has none we know.

    Source: WHATWG MIME Sniffing #parse-a-mime-type; Fetch #legacy-extract-an-encoding.
    """
    label = transport_word(value)
    return lookup(label) if label else None


def transport_word(value: str) -> str:
    """The label itself, known or not; of a whole `Content-Type` that of its charset, or ""."""
    if not any(mark in value for mark in "/;="):
        return value
    parameters = value if "/" in value or ";" in value else f";{value}"
    for found in re.finditer(PARAMETER, parameters):
        label = found[3] if found[2] is None else re.sub(r"\\(.)", r"\1", found[2])
        if found[1].lower() == "charset" and label:
            return str(label)
    return ""


def media_type(value: str | None) -> str:
    """The media type of a `Content-Type`, in lower case, "" for a label or nothing."""
    essence = (value or "").partition(";")[0].strip("\t\n\r ").lower()
    return essence if "/" in essence else ""


def is_xml_media_type(value: str | None) -> bool:
    """Whether a `Content-Type` is that of XML.

    Source: WHATWG MIME Sniffing #xml-mime-type.
    """
    essence = media_type(value)
    return essence in ("text/xml", "application/xml") or essence.endswith("+xml")


# ── the prescan ──────────────────────────────────────────────────────────────


# Get an attribute [#concept-get-attributes-when-sniffing]: ">", or a name and perhaps a value,
# after which there must be a byte. No match: the position has gone beyond the end.
_GET_ATTRIBUTE = rb"""
    [\t\n\f\r /]*+
    (?: (>)
    |   (=?+ [^\t\n\f\r />=]*+) [\t\n\f\r ]*+
        (?: (?!=) | = [\t\n\f\r ]*+ (?: "([^"]*+)" | '([^']*+)' | (?!["']) ([^\t\n\f\r >]*+) ) )
        (?=.)
    )"""
_ATTRIBUTE = late(globals(), "_ATTRIBUTE", "match", _GET_ATTRIBUTE, re.VERBOSE | re.DOTALL)
# "Advance …, then repeatedly get an attribute until no further attributes can be found."
_TAG = late(
    globals(),
    "_TAG",
    "match",
    rb"</?[A-Za-z] [^\t\n\f\r >]*+ (?:(?![\t\n\f\r /]*>)" + _GET_ATTRIBUTE + rb")*+ [\t\n\f\r /]*>",
    re.VERBOSE | re.DOTALL,
)


def prescan(data: bytes) -> str | None:
    """The encoding that a `<meta>` in `data` declares, or None.

    Source: WHATWG #prescan-a-byte-stream-to-determine-its-encoding.
    """
    if data.startswith(b"<\x00?\x00x\x00"):
        return "utf-16le"
    if data.startswith(b"\x00<\x00?\x00x"):
        return "utf-16be"
    if b"charset" not in data.lower():
        return None  # without which no meta declares anything
    pos = data.find(b"<")
    while pos >= 0:
        following = data[pos + 1 : pos + 2]
        if data.startswith(b"<!--", pos):
            pos = data.find(b"-->", pos + 2)
        elif data[pos : pos + 5].lower() == b"<meta" and data[pos + 5 : pos + 6] in SPACES:
            attributes, pos = prescan_attributes(data, pos + 5)
            found = prescan_meta(attributes) if pos >= 0 else None
            if found:
                return found
        elif following.isalpha() or (following == b"/" and data[pos + 2 : pos + 3].isalpha()):
            end = data.find(b">", pos)
            if end < 0 or b'"' in data[pos:end] or b"'" in data[pos:end]:
                tag = _TAG(data, pos)
                end = tag.end() - 1 if tag else -1
            pos = end
        elif following in (b"!", b"/", b"?"):
            pos = data.find(b">", pos)
        if pos < 0:
            return None  # out of bytes
        pos = data.find(b"<", pos + 1)
    return None


def prescan_attributes(data: bytes, pos: int) -> tuple[dict[str, str], int]:
    """The attributes of a tag, the first of equals, and where its ">" is; -1: out of bytes."""
    attributes: dict[str, str] = {}
    while True:
        found = _ATTRIBUTE(data, pos)
        if found is None:
            return attributes, -1
        if found[1]:
            return attributes, found.start(1)
        value = found[3] or found[4] or found[5] or b""
        attributes.setdefault(found[2].lower().decode("latin-1"), value.lower().decode("latin-1"))
        pos = found.end()


def prescan_meta(attributes: dict[str, str]) -> str | None:
    """The encoding that the attributes of a `<meta>` declare, from the step "processing"."""
    if "charset" in attributes:
        return in_meta(lookup(attributes["charset"]))
    if attributes.get("http-equiv") == "content-type" and "content" in attributes:
        return in_meta(lookup(extracted(attributes["content"])))
    return None


def in_meta(name: str | None) -> str | None:
    """What an encoding means in a `<meta>`, which cannot be UTF-16 if it can be read."""
    if name in UTF_16:
        return UTF_8
    return WINDOWS_1252 if name == "x-user-defined" else name


CHARSET = r"(?ai)charset[\t\n\f\r ]*=[\t\n\f\r ]*"
LABEL = r"""(?s)(["'])(?P<quoted>.*?)\1|(?P<bare>[^"'\t\n\f\r ;][^\t\n\f\r ;]*)"""


def extracted(content: str) -> str:
    """The label in the `content` of a `<meta http-equiv=content-type>`, "" if there is none.

    Source: WHATWG #algorithm-for-extracting-a-character-encoding-from-a-meta-element.
    """
    found = label_in(content)
    return content[slice(*found)] if found else ""


def label_in(content: str) -> tuple[int, int] | None:
    """Where the label stands in the `content` of a `<meta http-equiv=content-type>`."""
    found = re.search(CHARSET, content)
    label = found and re.compile(LABEL).match(content, found.end())
    if not label:
        return None
    return label.span("bare" if label["quoted"] is None else "quoted")


# ── the XML declaration ──────────────────────────────────────────────────────

# White space and comments may come before it, where the input is said to be XML.
XML_DECLARATION = late(
    globals(),
    "XML_DECLARATION",
    "match",
    rb"(?:\xef\xbb\xbf)?(?:[\t\n\f\r ]++|(?><!--.*?-->))*+<\?xml(?=[\t\n\f\r ?>])([^>]*)",
    re.DOTALL,
)
ENCODING = rb"""encoding[\x00-\x20]*=[\x00-\x20]*(["'])([^\x00-\x20]*?)\1"""


def xml_encoding(data: bytes) -> str | None:
    """The encoding that an XML declaration names, or None.

    Source: WHATWG #concept-get-xml-encoding-when-sniffing.
    """
    label = xml_label(data)
    name = lookup(label) if label else None
    return UTF_8 if name in UTF_16 else name


def begins_like_xml(data: bytes) -> bool:
    """Whether `data` begins with an XML declaration, in some encoding, or after a comment."""
    if data.startswith(XML_BEGINNINGS):
        return True
    return XML_DECLARATION(data[: 2 * LONGEST_BEGINNING]) is not None


def xml_label(data: bytes) -> str:
    """The label in an XML declaration, "" if there is none."""
    if not data.startswith(b"<?xml") or b">" not in data:
        return ""
    start = data.find(b"encoding")
    found = re.compile(ENCODING).match(data, start) if start >= 0 else None
    return found[2].decode("latin-1") if found else ""


def declared_in_xml(data: bytes) -> str | None:
    """The encoding of XML input by its first bytes and its declaration, or None.

    Source: XML 1.0 appendix F.
    """
    for mark, name in XML_MARKS:
        if data.startswith(mark):
            return name
    declaration = XML_DECLARATION(data[:HELD])
    label = re.search(ENCODING, declaration[1]) if declaration else None
    name_or_none = lookup_any(label[2].decode("latin-1")) if label else None
    if name_or_none is None:
        return None
    # A name that was read as ASCII is not that of an encoding without ASCII.
    return UTF_8 if name_or_none.startswith(("utf-16", "utf-32")) else name_or_none


# ── a meta element met while parsing ─────────────────────────────────────────


def declared_by(attributes: Iterable[tuple[str, str]]) -> str | None:
    """The encoding to change to because of a `<meta>` that the parser has met, or None.

    Source: WHATWG #parsing-main-inhead, "a start tag whose tag name is meta";
    #change-the-encoding.
    """
    found = dict(attributes)
    name = lookup(found["charset"]) if "charset" in found else None
    if name is None and found.get("http-equiv", "").lower() == "content-type":
        name = lookup(extracted(found.get("content", "")))
    return in_meta(name)
