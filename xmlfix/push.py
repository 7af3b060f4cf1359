"""The push parser: input in pieces, output as soon as it is final.

What is final the tape says (`xmlfix.repair.flush`). Some runs cannot know before the end
of the input: XML by its own rules, `repair="stack"` (it may need a root), a fragment with a
root; they hold everything until then.
"""

from __future__ import annotations

import re

from xmlfix.decode import exact, input_errors, normalize_newlines
from xmlfix.decoders import decode_as, decoder
from xmlfix.encodings import BAD, MARK
from xmlfix.errors import XmlfixError
from xmlfix.fixer import XML_DECLARATION, Pipeline, Run, check_size
from xmlfix.options import Options
from xmlfix.repair.browser import BrowserRepair
from xmlfix.repair.flush import final_end, pending_size, settle_oldest, take_final
from xmlfix.sniffing import (
    EXAMINED,
    HELD,
    LONGEST_BEGINNING,
    PRESCAN,
    UTF_16,
    UTF_32_MARKS,
    EncodingChanged,
    Sniffed,
    declared_by,
    is_xml_media_type,
    looks_like_utf_8,
    sniff_bytes,
)
from xmlfix.write.tape import NodeSizes, Visible, flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Protocol, Self, Unpack

    from xmlfix.decoders import Decoder
    from xmlfix.finding import Finding, Reporter
    from xmlfix.options import Settings
    from xmlfix.read.tokens import Tag

    class Readable(Protocol):
        """What `fix_stream` reads from; None says that there is nothing now."""

        def read(self, size: int, /) -> str | bytes | None: ...

    class Writable(Protocol):
        """What it writes to."""

        def write(self, text: str, /) -> object: ...


STACK_SHARE = 8  # open elements that may be looked at for a character of input
PIECE = 65_536  # characters or bytes that `fix_stream` reads at a time
LONGEST_MARK = 4  # bytes that tell whether there is a byte order mark
LONGEST_BYTES = 4  # of a character
NOT_XML = re.compile(r"<[^!?]|<!D|[^<\t\n\f\r ]").match  # no XML that declares itself
META = "meta"  # evidence that nothing later in the page goes before
DECLARED = (META, "xml declaration")  # what a page says itself
META_TAG = b"<meta"
UNDECIDED = Sniffed("utf-8", "utf-8")  # ASCII so far


class Fixer:
    """Turns HTML that arrives in pieces into XML that leaves in pieces.

    After the manners of `html.parser.HTMLParser` and `codecs.IncrementalDecoder`: feed it,
    then close it; what it returns, joined, is the document. Two things differ from
    `xmlfix.fix`: attributes of html and body may come too late (a finding; for those of a
    body that content has begun it waits 65,536 characters), and prefixes are declared where
    they are used, but for those that the html start tag itself names.
    Neither depends on how the input is cut.

    Args:
        **options: see `xmlfix.options.OPTIONS`.

    Raises:
        OptionError: an option that does not exist, or a value that it does not take.

    >>> with Fixer(xml_declaration=False) as fixer:
    ...     parts = [fixer.feed("<p>on"), fixer.feed("e<p>two"), fixer.close()]
    >>> "".join(parts)
    '<html><head></head><body><p>one</p><p>two</p></body></html>'
    """

    def __init__(self, **options: Unpack[Settings]) -> None:
        self._options = Options({**options})
        self._settings: dict[str, Any] = {**options}
        if "drop" in options:  # an iterator has nothing more to give
            self._settings["drop"] = tuple(self._options.drop)
        self._flow: _Flow | None = None  # once the input has shown what it is
        self._held: str | bytes | None = None  # what has come before
        self._parts: list[Any] = []  # what has come since it was last looked at
        self._size = 0  # of both
        self._next_look = 0  # the size from which on it is worth to look again
        self._is_whole = not _can_flow(self._options)
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closed = True
        self._flow = self._held = None

    def feed(self, data: str | bytes) -> str:
        """Take the next piece of the input.

        Args:
            data: str or bytes, the same kind in all calls.

        Returns:
            What has become final, "" if nothing has.

        Raises:
            XmlfixError: the fixer is closed.
            InputError: bytes in an encoding that nobody knows.
            TypeError: `data` is neither str nor bytes, or not what came before.
        """
        return "".join(self.feed_chunks(data))

    def close(self) -> str:
        """End the input.

        Returns:
            The rest of the document.

        Raises:
            XmlfixError: the fixer is closed.
            InputError: as `feed`.
        """
        return "".join(self.close_chunks())

    # ── the same, in chunks ──────────────────────────────────────────────────

    def feed_chunks(self, data: str | bytes) -> list[str]:
        """`feed`, as the chunks of the tape."""
        data = exact(data)
        self._check(data)
        if self._flow is not None:
            return self._flow.feed(data, more=True)
        self._held = data[:0] if self._held is None else self._held
        self._parts.append(data)
        self._size += len(data)
        if self._is_whole or (self._size < self._next_look and not self._may_declare(data)):
            return []
        self._next_look = 2 * self._size
        return self._begin(more=True)

    def _may_declare(self, data: str | bytes) -> bool:
        """Whether a tag ends in the piece `data` that may be a `<meta>` of the prescan."""
        return isinstance(data, bytes) and self._size <= PRESCAN and b">" in data

    def close_chunks(self) -> list[str]:
        """`close`, as the chunks of the tape."""
        self._check("" if self._held is None else self._held[:0])
        if self._flow is None and not self._is_whole:
            chunks = self._begin(more=False)
        elif self._flow is not None:
            chunks = self._flow.feed(self._flow.nothing, more=False)
        else:
            chunks = []
        if self._flow is None:
            run = Run(self._all_held(), self._settings)
            chunks = run.output()
            if self._options.meta_charset == "update":
                from xmlfix.write.metas import update_metas

                update_metas(chunks, "utf-8")
            if run.has_declaration:
                chunks.insert(0, XML_DECLARATION)
        self._is_closed = True
        return chunks

    def _check(self, data: str | bytes) -> None:
        """Raise an error if `data` cannot be the next piece."""
        if self._is_closed:
            raise XmlfixError("the fixer is closed")
        if not isinstance(data, (str, bytes)):
            raise TypeError(f"markup is str or bytes, not {type(data).__name__}")
        kind = type(self._flow.nothing if self._flow else self._held)
        if self._held is not None and not isinstance(data, kind):
            raise TypeError(f"markup was {kind.__name__}, and is {type(data).__name__} now")

    def _all_held(self) -> str | bytes:
        """All that has come so far."""
        if self._held is None:
            return ""
        nothing: Any = self._held[:0]
        self._held = nothing.join([self._held, *self._parts])
        self._parts = []
        return self._held

    def _begin(self, *, more: bool) -> list[str]:
        """Let the input flow as soon as it has shown what it is."""
        held = self._all_held()
        if isinstance(held, str):
            text = held.removeprefix("\ufeff")
            sniffed = None
        else:
            sniffed = _sniffed(held, self._options, more=more)
            if sniffed is None:
                return []
            beginning = held[: LONGEST_BYTES * (LONGEST_BEGINNING + 1)]
            text = decode_as(beginning, sniffed.encoding).removeprefix("\ufeff")
            text = text.rstrip(BAD)  # half a character, it may be
        if self._options.input == "auto":
            found: bool | None = False
            if isinstance(held, bytes) and held.startswith(UTF_32_MARKS):
                found = True
            elif not NOT_XML(text):
                from xmlfix.roads import may_be_xml

                is_long = len(text) > LONGEST_BEGINNING
                found = may_be_xml(text[:LONGEST_BEGINNING], more=more or is_long)
                if found is None and more and not is_long:
                    return []
            if found or found is None:
                self._is_whole = True
                return []
        if more and isinstance(held, bytes) and sniffed is not None and _may_cut_meta(held):
            return []
        flow = _Flow(self._options, sniffed)
        chunks = flow.first(held, more=more)
        if chunks is None:
            return []
        self._flow = flow
        self._held = held[:0]
        return chunks


def _can_flow(options: Options) -> bool:
    """Whether output can be final before the input has ended."""
    return (
        options.repair == "browser"
        and options.input != "xml"
        and not is_xml_media_type(options.transport_encoding)
        and (options.root is None if options.fragment is not None else "html" not in options.drop)
    )


def _sniffed(data: bytes, options: Options, *, more: bool) -> Sniffed | None:
    """The encoding, None if more bytes are needed to tell."""
    if more and len(data) < LONGEST_MARK:
        return None
    given = options.encoding, options.transport_encoding, options.fallback, options.detect
    sniffed = sniff_bytes(data, *given)
    if more and len(data) < PRESCAN and not sniffed.certain and sniffed.evidence != META:
        return None  # a meta may come, which goes before all other evidence
    if more and not sniffed.certain and sniffed.evidence not in DECLARED:
        beginning = data[:HELD]
        first = len(data) if data.isascii() else _first_non_ascii(data)
        if len(beginning) < HELD or (first < len(data) < first + EXAMINED):
            return None
    return sniffed


def _may_cut_meta(data: bytes) -> bool:
    """Whether a meta that begins in the first 64 KiB may go on after `data`."""
    if not HELD <= len(data) < 16 * HELD:
        return False
    beginning = data[: HELD + len(META_TAG) - 1].lower()
    at = beginning.rfind(META_TAG)
    if at >= 0 and data.find(b">", at) < 0:
        return True
    return len(data) == len(beginning) and any(
        beginning.endswith(META_TAG[:size]) for size in range(1, len(META_TAG))
    )


def _first_non_ascii(data: bytes) -> int:
    """The offset of the first byte that is not ASCII."""
    try:
        data.decode("ascii")
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


class _Flow:
    """A run whose output leaves before the input has ended.

    Attributes:
        nothing: an empty piece, of the kind that is fed.
    """

    def __init__(self, options: Options, sniffed: Sniffed | None) -> None:
        self.nothing: str | bytes = "" if sniffed is None else b""
        self._options = options
        self._sniffed = sniffed
        self._has_begun = False
        self._since_final = 0
        self._sizes: NodeSizes | None = None
        self._reset(sniffed)

    def _reset(self, sniffed: Sniffed | None) -> None:
        """Begin with an encoding."""
        options = self._options
        self._sniffed = sniffed
        self._decoder: Decoder | None = None
        self._undecided: list[bytes] = []  # held until the encoding of more than ASCII is clear
        self._undecided_size = 0
        if sniffed is not None:
            self._decoder = decoder(sniffed.encoding, mark=options.on_finding is not None)
        self._is_start = True
        self._return = ""  # a CR that may be the first half of CR LF
        self._size = 0  # characters of the normalised text so far
        self._ends_badly = False  # whether its last one stands for bytes that mean nothing
        self._next_check = 0  # the size at which `buffer_limit` is seen to
        self._settled: list[str] = []  # what that has made final
        self._findings: list[Finding] | None = []
        self._report: Reporter | None = None
        if options.on_finding is not None:
            from xmlfix.finding import Reporter
            from xmlfix.positions import Positions

            self._report = Reporter(self._deliver, Positions())
            self._sizes = NodeSizes(self._report)
        self._pipeline = Pipeline(options, xml=False, report=self._report, stream=True)
        self._sieve = None
        if options.drop or options.body_only:
            self._sieve = Visible(wants_chosen=options.body_only)

    def _deliver(self, finding: Finding) -> None:
        """Give a finding to the caller, or hold it while the encoding may still change."""
        assert self._options.on_finding is not None
        if self._findings is None:
            self._options.on_finding(finding)
        else:
            self._findings.append(finding)

    # ── input ────────────────────────────────────────────────────────────────

    def first(self, data: str | bytes, *, more: bool) -> list[str] | None:
        """Take what was held back; a `<meta>` in its first 64 KiB may change the encoding.

        Returns None if one may still come, so that this flow must be given up for one that
        begins with more.
        """
        is_ascii = isinstance(data, bytes) and data.isascii()
        sniffed = self._sniffed
        if sniffed is not None and not sniffed.certain:
            assert isinstance(data, bytes)
            self._watch(data, sniffed)
        try:
            self._feed(data, more=more)
        except EncodingChanged as change:
            self._reset(Sniffed(change.encoding, "meta", True))
            self._feed(data, more=more)
        sniffed = self._sniffed
        if more and sniffed is not None and sniffed.evidence in DECLARED:
            assert isinstance(data, bytes)
            if not sniffed.certain and len(data) < HELD:
                return None  # what the search for a meta has found, the parser has not
        self._pipeline.repair.on_meta = None
        findings, self._findings = self._findings, None
        for finding in findings or ():
            self._deliver(finding)
        if is_ascii and self._sniffed == UNDECIDED and more:
            self._decoder = None  # the bytes so far are the same in UTF-8 and windows-1252
        return self._final(more=more)

    def _watch(self, data: bytes, sniffed: Sniffed) -> None:
        """Look out for a `<meta>` with another encoding [#change-the-encoding]."""
        repair, reader = self._pipeline.repair, self._pipeline.reader
        limit = len(decode_as(data[:HELD], sniffed.encoding))

        def heed(tag: Tag) -> None:
            name = declared_by(tag.attrs)
            if reader.start >= limit:
                repair.on_meta = None
            elif name is not None:
                if name != sniffed.encoding and sniffed.encoding not in UTF_16:
                    raise EncodingChanged(name)
                self._sniffed = Sniffed(sniffed.encoding, "meta", True)
                repair.on_meta = None

        repair.on_meta = heed

    def feed(self, data: str | bytes, *, more: bool) -> list[str]:
        """Take the next piece."""
        self._feed(data, more=more)
        return self._final(more=more)

    def _feed(self, data: str | bytes, *, more: bool) -> None:
        text = data if isinstance(data, str) else self._decoded(data, more=more)
        if self._is_start and text:
            self._is_start = False
            if text[0] == "\ufeff":
                text = text[1:]
                if self._report is not None:
                    self._report.positions.skip(1)
        text = self._return + text
        self._return = ""
        if more and text.endswith("\r"):
            text, self._return = text[:-1], "\r"
        if self._report is not None:
            self._report_errors(text)
        text = normalize_newlines(text)
        if isinstance(self.nothing, bytes) and MARK in text:
            text = text.replace(MARK, BAD)
        begin = self._size
        self._size += len(text)
        check_size(self._size, self._options)
        self._since_final += len(text)
        limit = self._options.buffer_limit
        if limit is not None:
            fed = 0
            while self._next_check < self._size:  # the places do not depend on the pieces
                self._pipeline.feed(text[fed : self._next_check - begin], True)
                fed = self._next_check - begin
                self._settle(limit)
            text = text[fed:]
        self._pipeline.feed(text, more)

    def _decoded(self, data: bytes, *, more: bool) -> str:
        """The text of the next bytes; once they are not ASCII, their encoding is guessed."""
        if self._decoder is None:
            if not self._undecided:
                first = _first_non_ascii(data)
                ascii_text = data[:first].decode("ascii")
                data = data[first:]
                if not data:
                    return ascii_text
            else:
                ascii_text = ""
            self._undecided.append(data)
            self._undecided_size += len(data)
            if more and self._undecided_size < EXAMINED:
                return ascii_text
            data = b"".join(self._undecided)
            self._undecided = []
            name = "utf-8" if looks_like_utf_8(data) else "windows-1252"
            self._decoder = decoder(name, mark=self._report is not None)
            return ascii_text + self._decoder.decode(data, not more)
        return self._decoder.decode(data, not more)

    def _report_errors(self, text: str) -> None:
        """Report what is wrong with the text itself."""
        assert self._report is not None
        self._report.positions.add(text)
        text = normalize_newlines(text)
        if isinstance(self.nothing, bytes):
            is_bad = self._ends_badly
            for offset, char in enumerate(text) if MARK in text else ():
                if char == MARK and not is_bad:
                    assert self._sniffed is not None
                    code = "xmlfix-malformed-bytes"
                    self._report(code, self._size + offset, self._sniffed.encoding)
                is_bad = char == MARK
            if text:
                self._ends_badly = text[-1] == MARK
            text = text.replace(MARK, BAD)
        for code, at, forbidden in input_errors(text):
            self._report(code, self._size + at, forbidden)

    # ── output ───────────────────────────────────────────────────────────────

    def _final(self, *, more: bool) -> list[str]:
        """The chunks that have become final."""
        repair = self._pipeline.repair
        assert isinstance(repair, BrowserRepair)
        if more and self._since_final * STACK_SHARE < len(repair.stack):
            return []  # on a deep stack looking costs more than a small piece
        self._since_final = 0
        if more:
            chunks = take_final(repair, final_end(repair))
        else:
            chunks = flat(repair.tape)
        if self._settled:
            chunks = self._settled + chunks
            self._settled = []
        if self._sieve is not None:
            chunks = self._sieve.feed(chunks)
            if not more:
                chunks += self._sieve.close()
        if self._options.meta_charset == "update":
            from xmlfix.write.metas import update_metas

            update_metas(chunks, "utf-8")
        if self._sizes is not None:
            self._sizes.feed(chunks, self._pipeline.reader.base)
        if chunks and not self._has_begun:
            self._has_begun = True
            if self._options.xml_declaration and self._options.fragment is None:
                chunks.insert(0, XML_DECLARATION)
        return chunks

    def _settle(self, limit: int) -> None:
        """Write the oldest of what is held back if that is more than `buffer_limit`."""
        repair = self._pipeline.repair
        assert isinstance(repair, BrowserRepair)
        step = max(limit // 4, len(repair.stack) // STACK_SHARE, 1)
        for _ in range(len(repair.stack) + 1):
            self._settled += take_final(repair, final_end(repair))
            pending = pending_size(repair.tape)
            if pending <= limit:
                break
            name = settle_oldest(repair)
            if not name:
                step = max(step, pending)  # it is not worth to look again before it has doubled
                break
            if self._report is not None:
                self._report("xmlfix-buffer-limit", self._next_check, name)
        self._next_check += step


def fix_stream(reader: Readable, writer: Writable, **options: Unpack[Settings]) -> None:
    """Turn what a reader gives into XML for a writer, in memory that the page bounds.

    Args:
        reader: a text or binary file, or anything with its `read(size)`.
        writer: a text file, or anything with its `write(text)`.
        **options: see `xmlfix.options.OPTIONS`, and `Fixer` for what differs.

    Raises:
        OptionError, InputError: as `Fixer`.
        OSError: whatever reader and writer raise.
        BlockingIOError: the reader does not wait for what comes, and has nothing now.

    >>> import io
    >>> out = io.StringIO()
    >>> fix_stream(io.BytesIO(b"<p>caf\\xc3\\xa9"), out, xml_declaration=False)
    >>> out.getvalue()
    '<html><head></head><body><p>café</p></body></html>'
    """
    with Fixer(**options) as fixer:
        while data := reader.read(PIECE):
            writer.write(fixer.feed(data))
        if data is None:
            from errno import EAGAIN

            raise BlockingIOError(EAGAIN, "the reader does not wait for more, and has nothing now")
        writer.write(fixer.close())
