"""The text of one run, from str or bytes, and what the bytes said about their encoding."""

from __future__ import annotations

from xmlfix.decode import decode_text, exact, input_errors, normalize_newlines
from xmlfix.decoders import decode_as
from xmlfix.encodings import BAD, MARK
from xmlfix.sniffing import (
    HELD,
    UTF_16,
    EncodingChanged,
    Sniffed,
    begins_like_xml,
    declared_by,
    is_xml_media_type,
    sniff_bytes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.finding import Finding, Reporter
    from xmlfix.options import Options
    from xmlfix.read.reader import Reader
    from xmlfix.read.tokens import Tag
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.repair.stack import StackRepair

SPACE = "\t\n\r "


class Intake:
    """The input of one run.

    Args:
        source: the markup.
        options: the encoding's options, `input`, `repair` and `fragment` matter here.

    Attributes:
        text: the markup without byte order mark and with LF for each newline.
        is_xml: whether XML's rules read it.
        is_well_formed: whether it is well-formed, if XML's rules read it.
        sniffed: the encoding of bytes; None for a str.
        is_tentative: whether a `<meta>` that the parser meets may change the encoding.

    Raises:
        InputError: bytes in an unknown encoding.
        TypeError: `source` is neither str nor bytes.
    """

    __slots__ = (
        "_data",
        "_given",
        "_held",
        "_limit",
        "_options",
        "is_tentative",
        "is_well_formed",
        "is_xml",
        "sniffed",
        "text",
    )

    def __init__(self, source: str | bytes, options: Options) -> None:
        self._options = options
        self._held: list[Finding] | None = None
        self._limit = -1
        self._data = b""
        self.is_well_formed = False
        self.sniffed: Sniffed | None = None
        source = exact(source)
        if isinstance(source, str):
            self._take(source)
            self.is_xml = self._takes_xml()
        elif isinstance(source, bytes):
            self._data = source
            self.is_xml = self._sniff()
        else:
            raise TypeError(f"markup is str or bytes, not {type(source).__name__}")
        self.is_tentative = not (self.sniffed is None or self.sniffed.certain or self.is_xml)

    # ── text ─────────────────────────────────────────────────────────────────

    def _sniff(self) -> bool:
        """Decode the bytes, and say whether they take the XML road.

        What may be XML is decoded by XML's rules, and again by HTML's if it is not.
        """
        options = self._options
        given = options.encoding, options.transport_encoding, options.fallback, options.detect
        may_be_xml = options.repair == "xml" or self._is_forced or begins_like_xml(self._data)
        if may_be_xml:
            self._decode(sniff_bytes(self._data, *given, xml=True))
            if self._takes_xml():
                return True
        sniffed = sniff_bytes(self._data, *given)
        if self.sniffed is None or self.sniffed.encoding != sniffed.encoding:
            self._decode(sniffed)
        self.sniffed = sniffed
        return not may_be_xml and self._takes_xml()

    def _decode(self, sniffed: Sniffed) -> None:
        self.sniffed = sniffed
        is_watched = self._options.on_finding is not None
        self._take(decode_text(self._data, sniffed.encoding, mark=is_watched))

    def _take(self, given: str) -> None:
        self._given = given if self._options.on_finding is not None else ""
        text = normalize_newlines(given.removeprefix("\ufeff"))
        if self._data and MARK in text:
            text = text.replace(MARK, BAD)
        self.text = text

    @property
    def _is_forced(self) -> bool:
        """Whether the caller or the transport says that it is XML."""
        options = self._options
        if options.input == "auto":
            return is_xml_media_type(options.transport_encoding)
        return options.input == "xml"

    def _takes_xml(self) -> bool:
        """Whether the text is to be read by XML's rules."""
        options = self._options
        text = self.text
        is_sure = options.repair == "xml"
        if not is_sure:
            if options.fragment is not None or options.input == "html":
                return False
            beginning = text.lstrip(SPACE)
            if not beginning.startswith("<" if self._is_forced else ("<?xml", "<!--")):
                return False
        from xmlfix import roads

        if not (is_sure or self._is_forced or roads.may_be_xml(text, more=False)):
            return False
        self.is_well_formed = roads.is_well_formed(text)
        if is_sure or options.input == "xml" or (self._is_forced and self.is_well_formed):
            return True
        return roads.is_xml(text, well_formed=self.is_well_formed, forced=self._is_forced)

    def take(self) -> str:
        """The text, for the last time: whoever takes it can let it go."""
        text, self.text = self.text, ""
        return text

    # ── changing the encoding while parsing ──────────────────────────────────

    def watch(self, repair: BrowserRepair | StackRepair, reader: Reader) -> None:
        """Have `repair` tell of each `<meta>` as long as one may change the encoding."""

        def heed(tag: Tag) -> None:
            self._heed(tag, reader.start)
            if not self.is_tentative:
                repair.on_meta = None

        if self.is_tentative:
            repair.on_meta = heed

    def _heed(self, tag: Tag, start: int) -> None:
        """Take note of a `<meta>` start tag at the offset `start`.

        Raises:
            EncodingChanged: it has another encoding.

        Source: WHATWG #change-the-encoding.
        """
        sniffed = self.sniffed
        assert sniffed is not None  # there are bytes
        if self._limit < 0:
            self._limit = len(decode_as(self._data[:HELD], sniffed.encoding))
        name = declared_by(tag.attrs)
        if start >= self._limit:
            self.settle()
        elif name is not None:
            if name != sniffed.encoding and sniffed.encoding not in UTF_16:
                raise EncodingChanged(name)
            self.settle()

    def change(self, name: str) -> None:
        """Begin again with the encoding `name`."""
        self._held = None
        self.is_tentative = False
        self._decode(Sniffed(name, "meta", True))

    def settle(self) -> None:
        """The encoding will not change any more: deliver the findings held back so far."""
        self.is_tentative = False
        held, self._held = self._held, None
        receive = self._options.on_finding
        if receive is not None:
            for finding in held or ():
                receive(finding)

    # ── findings ─────────────────────────────────────────────────────────────

    def reporter(self, receive: Callable[[Finding], object]) -> Reporter:
        """What turns codes into findings, with the errors of the text itself reported."""
        import re

        from xmlfix.finding import Reporter
        from xmlfix.positions import Positions

        if self.is_tentative:
            self._held = []

        def deliver(finding: Finding) -> None:
            if self._held is None:
                receive(finding)
            else:
                self._held.append(finding)

        text = self._given.removeprefix("\ufeff")
        positions = Positions(len(self._given) - len(text))
        positions.add(text)
        report = Reporter(deliver, positions)
        if self._data and MARK in text:
            assert self.sniffed is not None  # there are bytes
            for found in re.finditer(f"{MARK}+", normalize_newlines(text)):
                report("xmlfix-malformed-bytes", found.start(), self.sniffed.encoding)
        for code, at, forbidden in input_errors(self.text):
            report(code, at, forbidden)
        if self.is_xml:
            from xmlfix.roads import declaration_faults

            encoding = None if self.sniffed is None else self.sniffed.encoding
            for code, at, detail in declaration_faults(self.text, encoding):
                report(code, at, detail)
        return report
