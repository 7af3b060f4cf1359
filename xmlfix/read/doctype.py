"""The DOCTYPE states.

Source: WHATWG #doctype-state and after; the anchor of each state stands in brackets.
The states for the public and for the system identifier are the same states here:
`reader.key` says which of the two is being read.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late
from xmlfix.read.subset import Subset
from xmlfix.read.tokens import Doctype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State

NOT_SPACE = late(globals(), "NOT_SPACE", "search", r"[^\t\n\f ]")
NAME_END = late(globals(), "NAME_END", "search", r"[\t\n\f >]")

QUOTED = r"""("[^"\0]*"|'[^'\0]*')"""
WHOLE = late(
    globals(),
    "WHOLE",
    "fullmatch",
    r"!doctype[\t\n\f ]+([a-z0-9]+)"
    rf"(?:[\t\n\f ]+public[\t\n\f ]+{QUOTED}(?:[\t\n\f ]+{QUOTED})?"
    rf"|[\t\n\f ]+system[\t\n\f ]+{QUOTED})?[\t\n\f ]*",
    re.IGNORECASE | re.ASCII,
)

SPACE = frozenset("\t\n\f ")
ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def wholeDoctype(raw: str) -> Doctype | None:
    """The DOCTYPE whose source is `<raw>`, if it is like most; None if the states must tell."""
    if raw.lower() == "!doctype html":
        return Doctype("html")
    found = WHOLE(raw)
    if found is None:
        return None
    name, public, system, only_system = found.groups()
    system = system or only_system
    return Doctype(
        name.lower(),
        None if public is None else public[1:-1],
        None if system is None else system[1:-1],
    )


def current(r: Reader) -> Doctype:
    """The DOCTYPE under construction, made when it is first needed."""
    if r.doctype is None:
        r.doctype = Doctype()
    return r.doctype


def emit(r: Reader, end: int) -> State | None:
    """Deliver the DOCTYPE that ends at `end`."""
    doctype = current(r)
    r.doctype = None
    r.pos = end
    r.end = r.base + end
    r.sink.doctype(doctype)
    return r.home


def bogus(r: Reader, code: str, pos: int) -> State | None:
    """Report `code`, turn quirks on and skip to the end of the DOCTYPE."""
    r.error(code, pos)
    current(r).force_quirks = True
    return bogusDoctype


def skipSpace(r: Reader, src: str, pos: int) -> str:
    """Go to the next character that is no white space and return it, "" if there is none."""
    found = NOT_SPACE(src, pos)
    r.pos = found.start() if found else len(src)
    return found[0] if found else ""


def withoutNull(r: Reader, src: str, pos: int, end: int) -> str:
    """src[pos:end] with each NUL reported and replaced."""
    part = src[pos:end]
    if "\0" in part:
        for offset, char in enumerate(part):
            if char == "\0":
                r.error("unexpected-null-character", pos + offset)
        part = part.replace("\0", "\ufffd")
    return part


def doctypeStart(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """DOCTYPE state [#doctype-state]."""
    char = src[pos : pos + 1]
    if not char:
        return eofInDoctype
    if char not in SPACE and char != ">":
        r.error("missing-whitespace-before-doctype-name", pos)
    return doctypeNameWait


def eofInDoctype(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The input ends inside a DOCTYPE."""
    r.error("eof-in-doctype", pos)
    current(r).force_quirks = True
    return emit(r, pos)


def doctypeNameWait(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Before DOCTYPE name state [#before-doctype-name-state]."""
    char = skipSpace(r, src, pos)
    if not char:
        return doctypeNameWait if more else eofInDoctype
    if char == ">":
        r.error("missing-doctype-name", r.pos)
        current(r).force_quirks = True
        return emit(r, r.pos + 1)
    current(r).name = ""
    return doctypeName


def doctypeName(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """DOCTYPE name state [#doctype-name-state]."""
    found = NAME_END(src, pos)
    end = found.start() if found else len(src)
    part = withoutNull(r, src, pos, end)
    doctype = current(r)
    doctype.name = (doctype.name or "") + (part if r.xml else part.translate(ASCII_LOWER))
    r.pos = end
    if found is None:
        return doctypeName if more else eofInDoctype
    return emit(r, end + 1) if found[0] == ">" else doctypeKeywordWait


def doctypeKeywordWait(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After DOCTYPE name state [#after-doctype-name-state]."""
    char = skipSpace(r, src, pos)
    pos = r.pos
    if not char:
        return doctypeKeywordWait if more else eofInDoctype
    if char == ">":
        return emit(r, pos + 1)
    if char == "[" and r.xml:
        r.pos = pos + 1
        return internalSubset
    word = src[pos : pos + 6].lower()
    if word in ("public", "system"):
        r.key = word
        r.pos = pos + 6
        return identifierStart
    if more and ("public".startswith(word) or "system".startswith(word)):
        return None
    return bogus(r, "invalid-character-sequence-after-doctype-name", pos)


def identifierStart(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After DOCTYPE public/system keyword states [#after-doctype-public-keyword-state]."""
    char = src[pos : pos + 1]
    if char and char in "\"'":
        r.error(f"missing-whitespace-after-doctype-{r.key}-keyword", pos)
    return identifierWait


def identifierWait(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Before DOCTYPE public/system identifier states.

    [#before-doctype-public-identifier-state]
    """
    char = skipSpace(r, src, pos)
    if not char:
        return identifierWait if more else eofInDoctype
    if char in "\"'":
        r.pos += 1
        return openIdentifier(r, char)
    if char == ">":
        r.error(f"missing-doctype-{r.key}-identifier", r.pos)
        current(r).force_quirks = True
        return emit(r, r.pos + 1)
    return bogus(r, f"missing-quote-before-doctype-{r.key}-identifier", r.pos)


def openIdentifier(r: Reader, quote: str) -> State | None:
    """The identifier is the empty string from here on, no longer missing."""
    r.quote = quote
    r.buffer = []
    return identifier


def endIdentifier(r: Reader) -> None:
    """Give the doctype the identifier that has been read."""
    if r.key == "public":
        current(r).public_id = "".join(r.buffer)
    else:
        current(r).system_id = "".join(r.buffer)


def identifier(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """DOCTYPE public/system identifier states, both quotes.

    [#doctype-public-identifier-(double-quoted)-state]
    """
    end = src.find(r.quote, pos)
    if not r.xml:
        bracket = src.find(">", pos, end if end >= 0 else len(src))
        end = bracket if bracket >= 0 else end
    is_cut_off = end < 0
    end = len(src) if is_cut_off else end
    r.buffer.append(withoutNull(r, src, pos, end))
    r.pos = end
    if is_cut_off and more:
        return identifier
    endIdentifier(r)
    if is_cut_off:
        return eofInDoctype
    if src[end] == ">":
        r.error(f"abrupt-doctype-{r.key}-identifier", end)
        current(r).force_quirks = True
        return emit(r, end + 1)
    r.pos = end + 1
    return publicIdentifierEnd if r.key == "public" else systemIdentifierEnd


def publicIdentifierEnd(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After DOCTYPE public identifier state [#after-doctype-public-identifier-state]."""
    char = src[pos : pos + 1]
    if char and char in "\"'":
        r.error("missing-whitespace-between-doctype-public-and-system-identifiers", pos)
    return betweenIdentifiers


def betweenIdentifiers(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Between DOCTYPE public and system identifiers state.

    [#between-doctype-public-and-system-identifiers-state]
    """
    char = skipSpace(r, src, pos)
    if not char:
        return betweenIdentifiers if more else eofInDoctype
    if char == ">":
        return emit(r, r.pos + 1)
    r.key = "system"
    if char in "\"'":
        r.pos += 1
        return openIdentifier(r, char)
    return bogus(r, "missing-quote-before-doctype-system-identifier", r.pos)


def systemIdentifierEnd(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After DOCTYPE system identifier state [#after-doctype-system-identifier-state]."""
    char = skipSpace(r, src, pos)
    if not char:
        return systemIdentifierEnd if more else eofInDoctype
    if char == ">":
        return emit(r, r.pos + 1)
    if char == "[" and r.xml:
        r.pos += 1
        return internalSubset
    r.error("unexpected-character-after-doctype-system-identifier", r.pos)
    return bogusDoctype


def bogusDoctype(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Bogus DOCTYPE state [#bogus-doctype-state]."""
    end = src.find(">", pos)
    r.pos = end if end >= 0 else len(src)
    withoutNull(r, src, pos, r.pos)
    if end < 0:
        return None if more else emit(r, r.pos)
    return emit(r, end + 1)


# ── the internal subset, with XML manners only ───────────────────────────────


def internalSubset(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """A DOCTYPE's internal subset [XML 1.0 §2.8]; XML is read as a whole."""
    if more:
        return None
    r.subset = subset = Subset(r.base + len(src))
    subset.read(src, pos)
    for offset in subset.refused:
        r.error("xmlfix-entity-refused", offset)
    r.pos = subset.end
    if subset.is_closed:
        r.error("xmlfix-internal-subset-dropped", subset.end - 1)
        return systemIdentifierEnd
    r.error("eof-in-doctype", subset.end)
    return emit(r, subset.end)
