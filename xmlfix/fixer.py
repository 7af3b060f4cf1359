"""The pipeline: text or bytes in, chunks of XML out."""

from __future__ import annotations

from xmlfix.decode import decode, input_errors, normalize_newlines
from xmlfix.options import Options
from xmlfix.read.reader import Reader
from xmlfix.repair.browser import BrowserRepair
from xmlfix.repair.stack import StackRepair
from xmlfix.write.namespaces import ScopedWriter
from xmlfix.write.tape import SPACE, declare, flatten, is_document, visible, wrap
from xmlfix.write.xml import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from xmlfix.write.tape import Box

XML_DECLARATION = '<?xml version="1.0" standalone="yes"?>\n'
BARE_VALUES: dict[str, str | None] = {"empty": "", "name": None}
LIBXML2_TEXT_LIMIT = 10_000_000  # bytes of one text node, XML_MAX_TEXT_LENGTH


class Run:
    """One document on its way through the pipeline.

    Args:
        source: the markup.
        settings: the options, by word.
    """

    __slots__ = ("_report", "options", "text")

    def __init__(self, source: str | bytes, settings: dict[str, Any]) -> None:
        self.options = options = Options(settings)
        if isinstance(source, str):
            given = source
        elif isinstance(source, (bytes, bytearray, memoryview)):
            given = decode(bytes(source), options.encoding)
        else:
            raise TypeError(f"markup is str or bytes, not {type(source).__name__}")
        text = given.removeprefix("\ufeff")
        self.text = normalize_newlines(text)
        self._report: Callable[..., None] | None = None
        if options.on_finding is not None:
            self._report = self.reporter(text, len(given) - len(text))

    def reporter(self, text: str, skipped: int) -> Callable[..., None]:
        """What turns codes into findings, with the errors of the text itself reported."""
        from xmlfix.finding import Reporter
        from xmlfix.positions import Positions

        assert self.options.on_finding is not None
        positions = Positions(skipped)
        positions.add(text)
        report = Reporter(self.options.on_finding, positions)
        for code, at in input_errors(self.text):
            report(code, at)
        return report

    @property
    def has_declaration(self) -> bool:
        """Whether the output begins with an XML declaration; a fragment never does."""
        options = self.options
        return options.xml_declaration and (options.fragment is None or options.root is not None)

    def chunks(self) -> list[str]:
        """The document's XML without the XML declaration."""
        options = self.options
        report = self._report
        xml = options.repair == "xml" or self.takes_xml_road()

        def say(code: str, detail: str) -> None:
            assert report is not None
            report(code, reader.start, detail)

        say_or_not = None if report is None else say
        if xml:
            writer: Writer = ScopedWriter(options, say_or_not)
        else:
            writer = Writer(options, say_or_not)
        repair: BrowserRepair | StackRepair
        if xml or options.repair == "stack":
            repair = StackRepair(options, writer, xml=xml)
        else:
            repair = BrowserRepair(options, writer)
        reader = Reader(
            repair,
            pi=options.pi,
            xml=xml,
            bare=BARE_VALUES.get(options.bare_attribute, options.bare_attribute),
            on_error=report,
        )
        repair.attach(reader)
        reader.feed(self.text, False)
        return self.assembled(repair.tape, writer)

    def assembled(self, tape: Box, writer: Writer) -> list[str]:
        """The chunks of the finished tape, with a root and its declarations."""
        options = self.options
        chunks = visible(flatten(tape))
        root = options.root
        if options.fragment is None:
            root = None if is_document(chunks) else root or "root"
        if root is not None:
            chunks = wrap(chunks, root, options.max_depth)
            if self._report is not None and options.fragment is None:
                self._report("xmlfix-wrapped", 0, root)
        elif options.fragment is None:
            while not chunks[0].strip(SPACE):
                del chunks[0]
        is_document_now = root is not None or options.fragment is None
        declare(chunks, writer.prefixes.bindings(), only_first=is_document_now)
        return chunks

    def takes_xml_road(self) -> bool:
        """Whether the input is XML that is to be read as XML."""
        if self.options.fragment is not None:
            return False
        if self.options.input == "html" or not self.text.lstrip(SPACE).startswith("<"):
            return False
        if self.options.input == "auto" and not self.text.startswith("<?xml"):
            return False
        from xmlfix.roads import is_plain_xml

        return is_plain_xml(self.text, forced=self.options.input == "xml")


def fix(html: str | bytes, settings: dict[str, Any]) -> str:
    """See `xmlfix.fix`."""
    run = Run(html, settings)
    xml = "".join(run.chunks())
    return XML_DECLARATION + xml if run.has_declaration else xml


def fix_bytes(html: str | bytes, output_encoding: str, settings: dict[str, Any]) -> bytes:
    """See `xmlfix.fix_bytes`."""
    from xmlfix.write.encode import encode

    run = Run(html, settings)
    return encode(run.chunks(), output_encoding, run.has_declaration)
