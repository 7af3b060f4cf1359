"""Raw text: script, style, textarea, title and their kin, plaintext.

Source: WHATWG #rcdata-state, #rawtext-state, #script-data-state, #plaintext-state and
after; the anchor of each state stands in brackets. The less-than, end tag open and end
tag name states of the standard are one scan here: an end tag of the element, followed
by white space, "/" or ">", is found as a whole ("appropriate end tag token").
"""

from __future__ import annotations

import re
from itertools import pairwise

from xmlfix.patterns import late
from xmlfix.read.references import reference
from xmlfix.read.special import cdataText
from xmlfix.read.states import content, endOfInput, waitEndTagClose
from xmlfix.read.subset import resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.read.reader import Reader, State

# A piece may end inside what a scan looks for: this much is held back.
SCRIPT_HOLD = late(globals(), "SCRIPT_HOLD", "search", r"(?:<[/!]?-?[A-Za-z]{0,6}|--?)\Z")
NUL = late(globals(), "NUL", "search", r"\0")

END_OF_NAME = r"(?=[\t\n\f />])"
SCRIPT = "[sS][cC][rR][iI][pP][tT]"
SCANS = {  # what each kind of raw text scans for, besides the end tag of its element
    "raw": r"\0",
    "escapable": r"[&\0]",
    "script": r"<!--|\0",
    "xml": r"<!\[CDATA\[",
    "escaped": rf"-->|<{SCRIPT}{END_OF_NAME}|\0",
}
BARE_AMPERSAND = late(
    globals(),
    "BARE_AMPERSAND",
    "search",
    "&(?!(?:#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);)",
)
DOUBLE_MARK = late(globals(), "DOUBLE_MARK", "search", rf"-->|</{SCRIPT}{END_OF_NAME}|\0")

_scans: dict[tuple[str, str], Callable[[str, int], re.Match[str] | None]] = {}


def scanFor(kind: str, name: str) -> Callable[[str, int], re.Match[str] | None]:
    """The scan of `kind` in the text of an element `name`, compiled once."""
    if (kind, name) not in _scans:
        letters = "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in name)
        end_tag = f"</{letters}{END_OF_NAME}|" if name else ""
        _scans[kind, name] = re.compile(end_tag + SCANS[kind]).search
    return _scans[kind, name]


def holdEndTag(src: str, pos: int, name: str) -> int:
    """Where the part begins that may be the start of an end tag of `name`."""
    start = src.rfind("<", max(pos, len(src) - len(name) - 2))
    if start >= 0 and f"</{name}".startswith(src[start:].lower()):
        return start
    return len(src)


def plainEnd(r: Reader, src: str, pos: int, end: int, more: bool) -> State | None:
    """No mark was found: deliver what is certain, up to `end`."""
    if end > pos:
        r.text(src[pos:end], pos, end)
    r.pos = end
    return None if more else endOfInput


def nulInText(r: Reader, pos: int, home: State) -> State:
    """A NUL in raw text: U+FFFD."""
    r.error("unexpected-null-character", pos)
    r.text("\ufffd", pos, pos + 1)
    return home


def openEndTag(r: Reader, src: str, pos: int, end: int) -> State | None:
    """The end tag of the raw text element has been found at src[pos:end]."""
    r.mark(pos)
    r.open_tag(closing=True)
    r.name = r.raw_name
    r.pos = end
    r.home = content
    return waitEndTagClose


def rawText(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """RAWTEXT state and its end tag states [#rawtext-state]."""
    found = scanFor("raw", r.raw_name)(src, pos)
    if found is None:
        return plainEnd(r, src, pos, holdEndTag(src, pos, r.raw_name) if more else len(src), more)
    end = found.start()
    if end > pos:
        r.text(src[pos:end], pos, end)
    if src[end] == "<":
        return openEndTag(r, src, end, found.end())
    r.pos = end + 1
    return nulInText(r, end, rawText)


def escapableText(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """RCDATA state and its end tag states [#rcdata-state]."""
    found = scanFor("escapable", r.raw_name)(src, pos)
    if found is None:
        return plainEnd(r, src, pos, holdEndTag(src, pos, r.raw_name) if more else len(src), more)
    end = found.start()
    if end > pos:
        r.text(src[pos:end], pos, end)
    if src[end] == "<":
        return openEndTag(r, src, end, found.end())
    r.pos = end + 1
    if src[end] == "&":
        r.back = escapableText
        return reference
    return nulInText(r, end, escapableText)


def plainText(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """PLAINTEXT state [#plaintext-state]."""
    found = NUL(src, pos)
    if found is None:
        return plainEnd(r, src, pos, len(src), more)
    end = found.start()
    if end > pos:
        r.text(src[pos:end], pos, end)
    r.pos = end + 1
    return nulInText(r, end, plainText)


def scriptData(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Script data state [#script-data-state], with its less-than and escape start states."""
    found = scanFor("script", r.raw_name)(src, pos)
    if found is None:
        return plainEnd(r, src, pos, holdScript(src, pos, more), more)
    end = found.start()
    mark = found[0]
    if mark == "<!--":
        end += 2  # the dashes may be the first of `-->`
        r.text(src[pos:end], pos, end)
        r.pos = end
        return scriptEscaped
    if end > pos:
        r.text(src[pos:end], pos, end)
    if mark == "\0":
        r.pos = end + 1
        return nulInText(r, end, scriptData)
    return openEndTag(r, src, end, found.end())


def scriptEscaped(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Script data escaped states [#script-data-escaped-state], double escape start included."""
    found = scanFor("escaped", r.raw_name)(src, pos)
    if found is None:
        if not more:
            r.error("eof-in-script-html-comment-like-text", len(src))
        return plainEnd(r, src, pos, holdScript(src, pos, more), more)
    end = found.start()
    mark = found[0]
    if mark[:2] == "</":
        if end > pos:
            r.text(src[pos:end], pos, end)
        return openEndTag(r, src, end, found.end())
    if mark == "\0":
        if end > pos:
            r.text(src[pos:end], pos, end)
        r.pos = end + 1
        return nulInText(r, end, scriptEscaped)
    r.pos = found.end()
    r.text(src[pos : r.pos], pos, r.pos)
    return scriptData if mark == "-->" else scriptDoubleEscaped


def scriptDoubleEscaped(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Script data double escaped states [#script-data-double-escaped-state]."""
    found = DOUBLE_MARK(src, pos)
    if found is None:
        if not more:
            r.error("eof-in-script-html-comment-like-text", len(src))
        return plainEnd(r, src, pos, holdScript(src, pos, more), more)
    end = found.start()
    mark = found[0]
    if mark == "\0":
        if end > pos:
            r.text(src[pos:end], pos, end)
        r.pos = end + 1
        return nulInText(r, end, scriptDoubleEscaped)
    r.pos = found.end()
    r.text(src[pos : r.pos], pos, r.pos)
    return scriptData if mark == "-->" else scriptEscaped


def holdScript(src: str, pos: int, more: bool) -> int:
    """Where the part begins that may be the start of a mark in a script."""
    held = SCRIPT_HOLD(src, max(pos, len(src) - 10)) if more else None
    return held.start() if held else len(src)


# ── script and style in a broken page of XHTML ───────────────────────────────


def xmlRawText(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Text up to the end tag, CDATA sections as such; XML is read as a whole.

    Text that is in order as XML's is read as that: `a &lt; b`. Without an end tag it is content
    like other.
    """
    if more:
        return None
    r.home = content
    found = None if r.raw_name in r.absent else scanFor("xml", r.raw_name)(src, pos)
    parts = [pos]  # where text and sections begin, in turn
    while found is not None and found[0] == "<![CDATA[":
        close = -1 if "]]>" in r.absent else src.find("]]>", found.end())
        if close >= 0:
            parts += [found.start(), close + 3]
        else:
            r.absent.add("]]>")
        found = scanFor("xml", r.raw_name)(src, close + 3 if close >= 0 else found.end())
    if found is None:
        r.absent.add(r.raw_name)
        return content
    parts.append(found.start())
    texts = [src[start:end] for start, end in zip(parts[::2], parts[1::2], strict=True)]
    in_order = all(is_text_of_xml(text) for text in texts)
    for index, (start, end) in enumerate(pairwise(parts)):
        if index % 2:
            cdataText(r, src, start + len("<![CDATA["), end - len("]]>"))
        elif end > start:
            xmlRawPart(r, src, start, end, in_order)
    r.pos = found.start()
    return content


def xmlRawPart(r: Reader, src: str, start: int, end: int, in_order: bool) -> None:
    """Deliver text of a script or style outside its CDATA sections."""
    text = src[start:end]
    null = text.find("\0")
    while null >= 0:
        r.error("unexpected-null-character", start + null)
        null = text.find("\0", null + 1)
    text = text.replace("\0", "\ufffd")
    r.text(resolved(r.subset, text, in_value=False) if in_order else text, start, end)


def is_text_of_xml(text: str) -> bool:
    """Whether a script or style is text in XML too, each "&" beginning one of XML's references."""
    return "<" not in text and not BARE_AMPERSAND(text)


RAW_HOMES: dict[str, State] = {
    "iframe": rawText,
    "noembed": rawText,
    "noframes": rawText,
    "noscript": rawText,
    "plaintext": plainText,
    "script": scriptData,
    "style": rawText,
    "textarea": escapableText,
    "title": escapableText,
    "xmp": rawText,
}
