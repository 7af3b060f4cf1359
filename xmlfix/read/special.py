"""Comments, processing instructions and CDATA: what begins with `<!` or `<?`.

Source: WHATWG #markup-declaration-open-state and after; the anchor of each state stands
in brackets.
"""

from __future__ import annotations

from xmlfix.patterns import late
from xmlfix.read.doctype import doctypeStart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State

COMMENT_MARK = late(globals(), "COMMENT_MARK", "search", r"-->|--!>|<!--|\0")
COMMENT_TAIL = late(globals(), "COMMENT_TAIL", "search", r"(?:--!|--|-)\Z")
COMMENT_HOLD = late(globals(), "COMMENT_HOLD", "search", r"(?:<!?-?-?|--?!?)\Z")
CDATA_HOLD = late(globals(), "CDATA_HOLD", "search", r"\]\]?\Z")

# "?" begins an instruction only before a target that is a plain name and not XML's own.
INSTRUCTION_TARGET = late(globals(), "INSTRUCTION_TARGET", "match", r"[A-Za-z_][A-Za-z0-9_-]*")
XML_TARGET = late(globals(), "XML_TARGET", "match", r"[^\t\n\f\r ]*")
INSTRUCTION_MARK = late(globals(), "INSTRUCTION_MARK", "search", r"\?>|<\?")
IS_DECLARATION = late(globals(), "IS_DECLARATION", "match", r"xml[\t\n\f\r ]")
XML_SPACE = "\t\n\f\r "
TARGET_END = frozenset("\t\n\f ?>")
RESERVED_TARGETS = frozenset(("xml", "xml-stylesheet"))
LONGEST_TARGET = 1_000  # characters; a longer one makes a comment


def markupOpen(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Markup declaration open state [#markup-declaration-open-state]."""
    word = src[pos : pos + 7]
    r.buffer = []
    if word.startswith("--"):
        r.pos = pos + 2
        return commentStart
    if word.lower() == "doctype":
        r.pos = pos + 7
        return doctypeStart
    if word == "[CDATA[":
        if r.cdata:
            r.pos = pos + 7
            r.mark(pos + 7)
            return cdata
        r.error("cdata-in-html-content", pos + 6)
        r.buffer.append("[CDATA[")
        r.pos = pos + 7
        return bogusComment
    if more and any(start.startswith(word.lower()) for start in ("--", "doctype", "[cdata[")):
        return None
    r.error("incorrectly-opened-comment", pos)
    return bogusComment


# ── comments ─────────────────────────────────────────────────────────────────


def commentStart(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Comment start and comment start dash states [#comment-start-state]."""
    if src.startswith(">", pos) or src.startswith("->", pos):
        end = src.index(">", pos)
        r.error("abrupt-closing-of-empty-comment", end)
        r.pos = end + 1
        r.comment("", end + 1)
        return r.home
    if more and src[pos:] == "-":
        return None
    return comment


def comment(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Comment state and those for its `<`, `!` and `-` [#comment-state]."""
    found = COMMENT_MARK(src, pos)
    if found is None:
        held = COMMENT_HOLD(src, pos) if more else None
        r.pos = held.start() if held else len(src)
        r.buffer.append(src[pos : r.pos])
        return None if more else eofInComment
    end = found.start()
    mark = found[0]
    r.buffer.append(src[pos:end])
    if mark == "\0":
        r.error("unexpected-null-character", end)
        r.buffer.append("\ufffd")
        r.pos = end + 1
        return comment
    if mark == "<!--":
        following = src[end + 4 : end + 5]
        if more and not following:
            r.pos = end
            return None
        if following and following != ">":
            r.error("nested-comment", end + 4)
        r.buffer.append("<!")
        r.pos = end + 2  # its dashes may be the first of `-->`
        return comment
    r.pos = found.end()
    if mark == "--!>":
        r.error("incorrectly-closed-comment", r.pos - 1)
    r.comment("".join(r.buffer), r.pos)
    return r.home


def eofInComment(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The input ends inside a comment: dashes that might have closed it are not data."""
    r.error("eof-in-comment", pos)
    data = "".join(r.buffer)
    tail = COMMENT_TAIL(data)
    r.comment(data[: tail.start()] if tail else data, pos)
    return r.home


def bogusComment(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Bogus comment state [#bogus-comment-state]."""
    end = src.find(">", pos)
    r.pos = end if end >= 0 else len(src)
    data = src[pos : r.pos]
    if "\0" in data:
        for offset, char in enumerate(data):
            if char == "\0":
                r.error("unexpected-null-character", pos + offset)
        data = data.replace("\0", "\ufffd")
    r.buffer.append(data)
    if end < 0 and more:
        return None
    r.pos += end >= 0
    r.comment("".join(r.buffer), r.pos)
    return r.home


# ── processing instructions ──────────────────────────────────────────────────


def instruction(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The character after `<?`: an instruction if a target follows, else a comment.

    Source: the rule for processing instructions of 2026; with `xml`, XML 1.0 §2.6.
    """
    r.buffer = []
    if r.xml:
        return xmlInstruction
    found = INSTRUCTION_TARGET(src, pos)
    end = found.end() if found else pos
    if more and end == len(src) and end - pos < LONGEST_TARGET:
        return None
    target = src[pos:end]
    if (
        not target
        or len(target) > LONGEST_TARGET
        or (end < len(src) and src[end] not in TARGET_END)
        or target.lower() in RESERVED_TARGETS
    ):
        r.error("unexpected-question-mark-instead-of-tag-name", pos - 1)
        r.buffer.append("?")
        return bogusComment
    return instructionData


def instructionData(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """An instruction's target and data, up to the first `>`, less one final `?`."""
    end = src.find(">", pos)
    r.pos = end + 1 if end >= 0 else len(src)
    r.buffer.append(src[pos : end if end >= 0 else r.pos])
    if end < 0:
        return None if more else eofInInstruction
    body = "".join(r.buffer)
    if not body.endswith("?"):
        r.error("xmlfix-instruction-without-question-mark", end)
    return endInstruction(r, body.removesuffix("?"))


def xmlInstruction(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """An instruction by XML's rules; XML is read as a whole."""
    if more:
        return None
    end, r.pos = instruction_end(src, pos, well_formed=r.well_formed)
    if end < 0:
        return eofInInstruction
    if not src.startswith("?>", end):
        r.error("xmlfix-instruction-without-question-mark", r.pos - 1)
    return endInstruction(r, src[pos:end])


def has_own_end(src: str, pos: int) -> bool:
    """Whether the end of an instruction of XML is the same, whatever may follow `src`."""
    first = src.find(">", pos)
    if first < 0:
        return False
    is_own = first > pos and src[first - 1] == "?"
    return is_own or bool(IS_DECLARATION(src, pos) or INSTRUCTION_MARK(src, first))


def instruction_end(src: str, pos: int, *, well_formed: bool = False) -> tuple[int, int]:
    """Where the data of an instruction of XML ends, and where what follows it begins.

    It ends at its `?>`. If the source is not well-formed, it ends at its first `>` where no `?>`
    can be its own: another instruction begins before that, or it is an XML declaration, which
    has no `>` inside. The first offset is -1 if the input ends first.
    """
    if well_formed:
        end = src.find("?>", pos)
        return end, end + 2 if end >= 0 else len(src)
    first = src.find(">", pos)
    if first < 0:
        return -1, len(src)
    if src[first - 1] == "?" and first > pos:
        return first - 1, first + 1
    if not IS_DECLARATION(src, pos):
        mark = INSTRUCTION_MARK(src, first)
        if mark is not None and mark[0] == "?>":
            return mark.start(), mark.end()
    data = src[pos:first].rstrip(XML_SPACE)
    return pos + len(data.removesuffix("?")), first + 1


def endInstruction(r: Reader, body: str) -> State | None:
    """Deliver target and data."""
    r.end = r.base + r.pos
    if r.pi != "drop":
        found = (XML_TARGET if r.xml else INSTRUCTION_TARGET)(body)
        target = found[0] if found else ""
        r.sink.instruction(target, body[len(target) :].lstrip(XML_SPACE).replace("\0", "\ufffd"))
    return r.home


def eofInInstruction(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The input ends inside an instruction: it vanishes."""
    r.error("xmlfix-eof-in-instruction", pos)
    return r.home


# ── CDATA ────────────────────────────────────────────────────────────────────


def cdata(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """CDATA section, bracket and end states [#cdata-section-state]."""
    end = src.find("]]>", pos)
    if end >= 0:
        r.pos = end + 3
        cdataText(r, src, pos, end)
        return r.home
    held = CDATA_HOLD(src, pos) if more else None
    end = held.start() if held else len(src)
    cdataText(r, src, pos, end)
    r.pos = end
    if more:
        return None
    r.error("eof-in-cdata", end)
    return r.home


def cdataText(r: Reader, src: str, pos: int, end: int) -> None:
    """Deliver characters of a CDATA section; to the standard's tokenizer NUL is no error there."""
    if end > pos:
        null = src.find("\0", pos, end)
        while null >= 0:
            r.error("xmlfix-null-in-cdata", null)
            null = src.find("\0", null + 1, end)
        r.text(src[pos:end], pos, end)
