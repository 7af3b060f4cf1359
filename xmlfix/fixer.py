"""The pipeline: text or bytes in, chunks of XML out."""

from __future__ import annotations

from functools import cache

from xmlfix.errors import LimitError
from xmlfix.options import Options
from xmlfix.read.lane import MOST_ATTRIBUTES, faultless_tag, regular_tag
from xmlfix.read.reader import Reader
from xmlfix.repair.browser import BrowserRepair
from xmlfix.repair.quick import Quick
from xmlfix.sniffing import EncodingChanged
from xmlfix.write.tape import SPACE, NodeSizes, declare, flat, is_document, parted, visible, wrap
from xmlfix.write.xml import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from xmlfix.repair.stack import StackRepair
    from xmlfix.write.tape import Box

XML_DECLARATION = '<?xml version="1.0" standalone="yes"?>\n'
BARE_VALUES: dict[str, str | None] = {"empty": "", "name": None}


def check_size(size: int, options: Options) -> None:
    """Raise LimitError if the input has more characters than `max_input`."""
    if options.max_input is not None and size > options.max_input:
        raise LimitError(f"the input has more than {options.max_input} characters (max_input)")


@cache
def defaults() -> Options:
    """The options of a run that is given none."""
    return Options({})


class Pipeline:
    """Reader, repair and writer, put together for one run.

    Args:
        options: of the run.
        xml: XML's rules instead of HTML's.
        well_formed: the source is well-formed XML.
        report: called with (code, offset, detail) for each finding, or None.
        stream: start tags will go out before the end of the input.

    Attributes:
        feed: takes (text, more).
        is_browser: whether the repair makes the browser's tree.
    """

    __slots__ = ("feed", "is_browser", "reader", "repair", "writer")

    def __init__(
        self,
        options: Options,
        *,
        xml: bool,
        report: Callable[..., None] | None,
        stream: bool = False,
        well_formed: bool = False,
    ) -> None:
        def say(code: str, detail: str, attribute: str) -> None:
            assert report is not None
            report(code, reader.place_of(attribute) if attribute else reader.start, detail)

        say_or_not = None if report is None else say
        self.repair: BrowserRepair | StackRepair
        self.is_browser = not xml and options.repair == "browser"
        if self.is_browser:
            self.writer = Writer(options, say_or_not)
            self.repair = BrowserRepair(options, self.writer)
            self.repair.is_stream = stream
        else:  # imported here, since most runs have no use for them
            from xmlfix.repair.stack import StackRepair
            from xmlfix.write.namespaces import ScopedWriter

            self.writer = (ScopedWriter if xml else Writer)(options, say_or_not)
            self.repair = StackRepair(options, self.writer, xml=xml, well_formed=well_formed)
        self.writer.is_stream = stream
        has_memo = not xml and options.max_attributes >= MOST_ATTRIBUTES
        is_quick = has_memo and self.is_browser and report is None and self.writer.is_plain
        shortcut = None
        if has_memo and not is_quick:
            is_faultless = report is None and options.bare_attribute == "empty"
            shortcut = regular_tag if is_faultless else faultless_tag
        self.reader = reader = Reader(
            self.repair,
            pi=options.pi,
            xml=xml,
            well_formed=well_formed,
            bare=BARE_VALUES.get(options.bare_attribute, options.bare_attribute),
            on_error=report,
            max_attributes=options.max_attributes,
            shortcut=shortcut,
        )
        self.repair.attach(reader)
        self.feed = reader.feed
        if is_quick:
            assert isinstance(self.repair, BrowserRepair)
            self.feed = Quick(self.repair).feed


class Run:
    """One document on its way through the pipeline.

    Args:
        source: the markup.
        settings: the options, by word.
        keeps_text: leave the text with the intake, for whoever wants to look at it.
        is_tree: a tree is made of the output, so that a fragment has a root, if not that of
            the option `root`, the element that is its context.
    """

    __slots__ = ("_is_tree", "_keeps_text", "_report", "_size", "intake", "options")

    def __init__(
        self,
        source: str | bytes,
        settings: dict[str, Any],
        *,
        keeps_text: bool = False,
        is_tree: bool = False,
    ) -> None:
        from xmlfix.intake import Intake  # which a stream does without

        self._keeps_text = keeps_text
        self._is_tree = is_tree
        self.options = options = Options(settings) if settings else defaults()
        self.intake = Intake(source, options)
        self._begin()

    def _begin(self) -> None:
        """See to the text of the intake."""
        self._size = len(self.intake.text)
        check_size(self._size, self.options)
        self._report: Callable[..., None] | None = None
        if self.options.on_finding is not None:
            self._report = self.intake.reporter(self.options.on_finding)

    def output(self) -> list[str]:
        """The document's XML without the XML declaration, its encoding settled."""
        try:
            chunks = self.chunks()
        except EncodingChanged as change:
            self.intake.change(change.encoding)
            self._begin()
            chunks = self.chunks()
        if self._report is not None:
            NodeSizes(self._report).feed(chunks, self._size)
        self.intake.settle()
        return chunks

    @property
    def report_at_end(self) -> Callable[[str, str], None] | None:
        """What reports a code and its detail at the end of the input; None without `on_finding`."""
        report = self._report
        if report is None:
            return None
        return lambda code, detail: report(code, self._size, detail)

    @property
    def has_declaration(self) -> bool:
        """Whether the output begins with an XML declaration; a fragment never does."""
        options = self.options
        return options.xml_declaration and (options.fragment is None or options.root is not None)

    def chunks(self) -> list[str]:
        """The document's XML without the XML declaration, read once.

        Raises:
            EncodingChanged: a `<meta>` says that it must be read again.
        """
        intake = self.intake
        if self._report is not None:
            if intake.is_xml and not intake.is_well_formed and self.options.repair != "xml":
                self._report("xmlfix-xml-repaired", 0)
            elif self.options.input == "xml" and not intake.is_xml:
                self._report("xmlfix-not-xml", 0)
        pipeline = Pipeline(
            self.options,
            xml=intake.is_xml,
            well_formed=intake.is_well_formed,
            report=self._report,
        )
        self.intake.watch(pipeline.repair, pipeline.reader)
        pipeline.feed(self.intake.text if self._keeps_text else self.intake.take(), False)
        is_html = pipeline.is_browser and self.options.fragment is None
        tape, writer = pipeline.repair.tape, pipeline.writer
        pipeline.reader.src = ""
        del pipeline  # and with it the text, before the output is put together
        return self.assembled(tape, writer, is_html=is_html)

    def assembled(self, tape: Box, writer: Writer, *, is_html: bool) -> list[str]:
        """The chunks of the finished tape, with a root and its declarations.

        `is_html` says that the tape holds one html element, and nothing else but comments.
        """
        options = self.options
        chunks = flat(tape)
        root = options.root
        has_root = is_html and "html" not in options.drop
        start = ""
        if self._is_tree and options.fragment is not None and root is None:
            root, start = context_root(options.fragment, xhtml=options.xhtml)
        if options.drop or options.body_only:
            chunks = visible(chunks, wants_chosen=options.body_only)
        if options.fragment is not None:
            needs_nodes = root is not None or bool(writer.bindings())
        else:  # the stack repair makes nothing else
            needs_nodes = is_html and not has_root
        if needs_nodes:
            chunks = parted(chunks)
        if options.fragment is None:
            root = None if has_root or is_document(chunks) else root or "root"
        if root is not None:
            chunks = wrap(chunks, root, options.max_depth, start)
            if self._report is not None and options.fragment is None:
                self._report("xmlfix-wrapped", 0, root)
        elif options.fragment is None and not has_root:
            first = next(i for i, chunk in enumerate(chunks) if chunk.strip(SPACE))
            del chunks[:first]
        only_first = root is not None or options.fragment is None
        declare(chunks, writer.bindings(), only_first=only_first)
        return chunks


def context_root(context: str, *, xhtml: bool) -> tuple[str, str]:
    """The name of the element that a fragment is the content of, and its start tag."""
    from xmlfix.element_names import root_of
    from xmlfix.repair.vocabulary import NAMESPACES

    name = root_of(context)
    html, svg, math = NAMESPACES
    namespace = {"svg": svg, "math": math}.get(context.rpartition(" ")[0], html)
    return name, f'<{name} xmlns="{namespace}">' if xhtml else f"<{name}>"


def fix(html: str | bytes, settings: dict[str, Any]) -> str:
    """See `xmlfix.fix`."""
    return written(Run(html, settings))


def written(run: Run) -> str:
    """The document of a run as `fix` returns it."""
    chunks = run.output()
    if run.options.meta_charset == "update":
        from xmlfix.write.metas import update_metas

        update_metas(chunks, "utf-8")
    if run.has_declaration:
        chunks.insert(0, XML_DECLARATION)
    return "".join(chunks)


def fix_bytes(
    html: str | bytes,
    output_encoding: str,
    settings: dict[str, Any],
    *,
    final_newline: bool = False,
) -> bytes:
    """See `xmlfix.fix_bytes`; `final_newline` says that the output ends with a line end."""
    from xmlfix.write.encode import codec_and_name, encode

    codec, name = codec_and_name(output_encoding)
    run = Run(html, settings)
    chunks = run.output()
    if run.options.meta_charset == "update":
        from xmlfix.write.metas import update_metas

        update_metas(chunks, name)
    if final_newline and not chunks[-1].endswith("\n"):
        chunks.append("\n")
    return encode(chunks, codec, name, run.has_declaration, run.report_at_end)
