"""Content and tag states of the reader.

The names are the project's; each docstring gives the standard's (WHATWG
#tokenization, anchors in brackets). `home`, in the diagram, is the state between two
tokens, which the repair may set to one of the raw text states.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late
from xmlfix.read.references import reference
from xmlfix.read.special import bogusComment, instruction, markupOpen
from xmlfix.read.subset import resolved
from xmlfix.read.tokens import is_declaration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State
    from xmlfix.read.tokens import Tag

# "<" and "&" that can begin nothing are characters like others.
CONTENT_END = late(
    globals(), "CONTENT_END", "search", r"<(?=[A-Za-z/!?]|\Z)|&(?=[A-Za-z0-9#]|\Z)|\0"
)
XML_AMPERSAND = r"&(?=[A-Za-z0-9#_:\x80-\U0010ffff]|\Z)"
XML_CONTENT_END = late(
    globals(),
    "XML_CONTENT_END",
    "search",
    rf"<(?=[A-Za-z_:/!?\x80-\U0010ffff]|\Z)|{XML_AMPERSAND}|\0",
)
# The same where references are resolved with the whole run.
XML_MARKUP = late(globals(), "XML_MARKUP", "search", r"<(?=[A-Za-z_:/!?\x80-\U0010ffff]|\Z)|\0")
XML_BARE = late(globals(), "XML_BARE", "finditer", r"[<&]|\]\]>")
BARE = re.compile("[<&]")
BARE_AMPERSAND = re.compile("&")
NAME_END = late(globals(), "NAME_END", "search", r"[\t\n\f />\0]")
ATTR_NAME_END = late(globals(), "ATTR_NAME_END", "search", r"[\t\n\f />=\0\"'<]")
NOT_SPACE = late(globals(), "NOT_SPACE", "search", r"[^\t\n\f ]")
VALUE_END = late(globals(), "VALUE_END", "search", r'"|&(?=[A-Za-z0-9#]|\Z)|\0')
VALUE_END_SINGLE = late(globals(), "VALUE_END_SINGLE", "search", r"'|&(?=[A-Za-z0-9#]|\Z)|\0")
XML_VALUE_END = late(globals(), "XML_VALUE_END", "search", rf'"|{XML_AMPERSAND}|\0')
XML_VALUE_END_SINGLE = late(globals(), "XML_VALUE_END_SINGLE", "search", rf"'|{XML_AMPERSAND}|\0")
VALUE_NQ_END = late(globals(), "VALUE_NQ_END", "search", r"[\t\n\f &>\0\"'<=`]")

LONGEST_WHOLE = 500  # characters of a tag that the memo is asked for
SPACE = frozenset("\t\n\f ")
ASCII_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
XML_VALUE_SPACE = {9: " ", 10: " ", 13: " "}


def ascii_lower(text: str) -> str:
    """`text` with A to Z in lower case and nothing else changed."""
    return text.lower() if text.isascii() else text.translate(ASCII_LOWER)


# ── content ──────────────────────────────────────────────────────────────────


def content(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Data state [#data-state]."""
    if r.xml:
        end = xmlText(r, src, pos, more=more)
    else:
        found = CONTENT_END(src, pos)
        end = found.start() if found else len(src)
        if end > pos:
            if r.on_error is not None:
                reportBare(r, src, pos, end, BARE)
            r.text(src[pos:end], pos, end)
    if end == len(src):
        r.pos = end
        return None if more else endOfInput
    r.pos = end + 1
    char = src[end]
    if char == "<":
        r.mark(end)
        return openBracket
    if char == "&":
        r.back = content
        return reference
    r.error("unexpected-null-character", end)
    r.text("\0", end, end + 1)
    return content


def xmlText(r: Reader, src: str, pos: int, *, more: bool) -> int:
    """Deliver a run of characters by XML's rules, and return the offset where it ends.

    Without a listener for findings, references are resolved with the whole run.
    """
    is_whole = r.on_error is None and not more
    found = XML_MARKUP(src, pos) if is_whole else XML_CONTENT_END(src, pos)
    end = found.start() if found else len(src)
    if end > pos:
        data = src[pos:end]
        if not is_whole:
            reportBareInXml(r, src, pos, end, in_value=False)
        elif "&" in data:
            data = resolved(r.subset, data, in_value=False)
        r.text(data, pos, end)
    return end


def reportBare(r: Reader, src: str, pos: int, end: int, bare: re.Pattern[str]) -> None:
    """Report "<" and "&" in a run of characters: tag open and character reference states."""
    for found in bare.finditer(src, pos, end):
        if found[0] == "<":
            r.error("invalid-first-character-of-tag-name", found.end())
        else:
            r.error("xmlfix-bare-ampersand", found.start())


def reportBareInXml(r: Reader, src: str, pos: int, end: int, *, in_value: bool) -> None:
    """Report what XML wants escaped: "&" and "<", and `]]>` in text."""
    if r.on_error is None:
        return
    for found in XML_BARE(src, pos, end):
        at = found.start()
        if found[0] == "&":
            r.error("xmlfix-bare-ampersand", at)
        elif found[0] == "<" and in_value:
            r.error("xmlfix-less-than-in-value", at)
        elif found[0] == "<":
            r.error("invalid-first-character-of-tag-name", at + 1)
        elif not in_value:
            r.error("xmlfix-cdata-end-in-text", at)


def endOfInput(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """An end-of-file token."""
    r.start = r.end = r.base + pos
    r.sink.end()
    return None


def openBracket(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Tag open state [#tag-open-state]; a tag that the shortcut knows is read at once."""
    char = src[pos : pos + 1]
    if (
        r.shortcut is not None
        and (char in ASCII_LETTERS or char == "/")
        and (end := src.find(">", pos, pos + LONGEST_WHOLE)) >= 0
    ):
        raw = src[pos:end]
        tag = r.shortcut(raw)
        if tag is not None:
            return wholeTag(r, raw, tag, end + 1)
    if char in ASCII_LETTERS or (r.xml and (char == ":" or char.isidentifier())):
        r.open_tag(closing=False)
        return openTagName
    if char == "/":
        r.pos = pos + 1
        return closeTagSlash
    if char == "!":
        r.pos = pos + 1
        return markupOpen
    if char == "?":
        if r.pi == "comment" and not r.xml:
            r.error("unexpected-question-mark-instead-of-tag-name", pos)
            r.buffer = []
            return bogusComment
        r.pos = pos + 1
        return instruction
    r.error("invalid-first-character-of-tag-name" if char else "eof-before-tag-name", pos)
    r.text("<", pos - 1, pos)
    return content


def wholeTag(r: Reader, raw: str, tag: Tag | str, end: int) -> State:
    """Deliver the start tag `<raw>`, or an end tag by its name, that ends at `end`.

    The states that would read it are not asked.
    """
    r.pos = end
    r.end = r.base + end
    if r.on_error is not None:
        r.whole = raw
        r.places = {}
    if isinstance(tag, str):
        r.home = content
        r.sink.end_tag(tag)
    else:
        r.sink.start_tag(tag)
    return r.home


def closeTagSlash(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """End tag open state [#end-tag-open-state]."""
    char = src[pos : pos + 1]
    if char in ASCII_LETTERS or (r.xml and (char == ":" or char.isidentifier())):
        r.open_tag(closing=True)
        return closeTagName
    if char == ">":
        r.error("missing-end-tag-name", pos)
        r.pos = pos + 1
        return content
    if char:
        r.error("invalid-first-character-of-tag-name", pos)
        r.buffer = []
        return bogusComment
    r.error("eof-before-tag-name", pos)
    r.text("</", pos - 2, pos)
    return content


# ── tags ─────────────────────────────────────────────────────────────────────


def readTagName(r: Reader, src: str, pos: int) -> bool:
    """Tag name state [#tag-name-state], for both kinds; False while the name goes on."""
    found = NAME_END(src, pos)
    end = found.start() if found else len(src)
    r.buffer.append(src[pos:end])
    r.pos = end
    if found is None:
        return False
    if src[end] == "\0":
        r.error("unexpected-null-character", end)
        r.buffer.append("\ufffd")
        r.pos = end + 1
        return False
    name = "".join(r.buffer)
    r.name = name if r.xml else ascii_lower(name)
    return True


def openTagName(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Tag name state of a start tag [#tag-name-state]."""
    if pos == len(src):
        return eofInTag
    return tagInner if readTagName(r, src, pos) else openTagName


def closeTagName(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Tag name state of an end tag [#tag-name-state]."""
    if pos == len(src):
        return eofInTag
    return waitEndTagClose if readTagName(r, src, pos) else closeTagName


def waitEndTagClose(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The rest of an end tag: mostly its `>`; attributes are read, then dropped."""
    if src[pos] == ">":
        return closeBracket
    return tagInner


def eofInTag(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """The input ends inside a tag: the tag is dropped."""
    r.error("eof-in-tag", pos)
    return endOfInput


def tagInner(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Before attribute name state [#before-attribute-name-state]."""
    found = NOT_SPACE(src, pos)
    if found is None:
        r.pos = len(src)
        return tagInner if more else eofInTag
    r.pos = pos = found.start()
    char = src[pos]
    if char == ">":
        return closeBracket
    if char == "/":
        r.pos = pos + 1
        return emptySlash
    r.buffer = []
    r.place = r.base + pos
    if char == "=":
        r.error("unexpected-equals-sign-before-attribute-name", pos)
        r.buffer.append("=")
        r.pos = pos + 1
    return attrName


def attrName(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Attribute name state [#attribute-name-state]."""
    found = ATTR_NAME_END(src, pos)
    end = found.start() if found else len(src)
    r.buffer.append(src[pos:end])
    r.pos = end
    if found is None:
        if more:
            return attrName
        endAttrName(r, end)
        return eofInTag
    char = src[end]
    if char in "\"'<":
        r.error("unexpected-character-in-attribute-name", end)
        r.buffer.append(char)
        r.pos = end + 1
        return attrName
    if char == "\0":
        r.error("unexpected-null-character", end)
        r.buffer.append("\ufffd")
        r.pos = end + 1
        return attrName
    endAttrName(r, end)
    if char == "=":
        r.pos = end + 1
        return equal
    return equalWait


def endAttrName(r: Reader, pos: int) -> None:
    """The attribute's name is complete: "the user agent must check …" for a duplicate."""
    name = "".join(r.buffer)
    if not r.xml:
        name = ascii_lower(name)
    if name in r.attrs:
        r.error("duplicate-attribute", pos)
        r.key = None
    elif is_declaration(name):
        r.declarations += 1
        addAttr(r, name)
    elif len(r.attrs) - r.declarations >= r.max_attributes:
        r.error("xmlfix-too-many-attributes", r.place - r.base)
        r.key = None
    else:
        addAttr(r, name)


def addAttr(r: Reader, name: str) -> None:
    """Begin a new attribute of the tag."""
    r.attrs[name] = name if r.bare is None else r.bare
    r.key = name
    if r.on_error is not None:
        r.places[name] = r.place


def equalWait(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After attribute name state [#after-attribute-name-state]."""
    found = NOT_SPACE(src, pos)
    if found is None:
        r.pos = len(src)
        return equalWait if more else eofInTag
    r.pos = pos = found.start()
    if src[pos] == "=":
        r.pos = pos + 1
        return equal
    if r.key is not None:
        r.error("xmlfix-attribute-without-value", r.place - r.base)
    return tagInner


def equal(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Before attribute value state [#before-attribute-value-state]."""
    found = NOT_SPACE(src, pos)
    if found is None:
        r.pos = len(src)
        return equal if more else eofInTag
    r.pos = pos = found.start()
    char = src[pos]
    r.value = []
    if char in "\"'":
        r.pos = pos + 1
        r.quote = char
        return attrValueQ
    if char == ">":
        r.error("missing-attribute-value", pos)
        endAttrValue(r)
        return closeBracket
    r.error("xmlfix-attribute-without-quotes", r.place - r.base)
    return attrValueNQ


def attrValueQ(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Attribute value states, quoted [#attribute-value-(double-quoted)-state]."""
    if r.xml:
        if r.on_error is None and (end := src.find(r.quote, pos)) >= 0 and not more:
            r.pos = end + 1
            value = src[pos:end].replace("\0", "\ufffd").translate(XML_VALUE_SPACE)
            assert r.value is not None
            r.value.append(resolved(r.subset, value, in_value=True) if "&" in value else value)
            endAttrValue(r)
            return afterValueQ
        found = XML_VALUE_END(src, pos) if r.quote == '"' else XML_VALUE_END_SINGLE(src, pos)
    else:
        found = VALUE_END(src, pos) if r.quote == '"' else VALUE_END_SINGLE(src, pos)
    end = found.start() if found else len(src)
    if r.on_error is not None:
        if r.xml:
            reportBareInXml(r, src, pos, end, in_value=True)
        else:
            reportBare(r, src, pos, end, BARE_AMPERSAND)
    takeValue(r, src[pos:end])
    r.pos = end + 1
    if found is None:
        r.pos = end
        return attrValueQ if more else eofInTag
    char = src[end]
    if char == "&":
        r.back = attrValueQ
        return reference
    if char == "\0":
        r.error("unexpected-null-character", end)
        takeValue(r, "\ufffd")
        return attrValueQ
    endAttrValue(r)
    return afterValueQ


def attrValueNQ(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Attribute value state, unquoted [#attribute-value-(unquoted)-state]."""
    found = VALUE_NQ_END(src, pos)
    end = found.start() if found else len(src)
    takeValue(r, src[pos:end])
    r.pos = end + 1
    if found is None:
        r.pos = end
        return attrValueNQ if more else eofInTag
    char = src[end]
    if char in SPACE:
        endAttrValue(r)
        return tagInner
    if char == ">":
        if r.xml and end > pos and src[end - 1] == "/" and r.value is not None:
            r.value[-1] = r.value[-1][:-1]
            r.self_closing = True
        endAttrValue(r)
        r.pos = end
        return closeBracket
    if char == "&":
        r.back = attrValueNQ
        return reference
    if char == "\0":
        r.error("unexpected-null-character", end)
        char = "\ufffd"
    else:
        r.error("unexpected-character-in-unquoted-attribute-value", end)
    takeValue(r, char)
    return attrValueNQ


def takeValue(r: Reader, chars: str) -> None:
    """Add literal characters to the value; XML's own rule makes white space a space.

    Source: XML 1.0 §3.3.3, for `xml` only.
    """
    if r.value is not None and chars:
        r.value.append(chars.translate(XML_VALUE_SPACE) if r.xml else chars)


def endAttrValue(r: Reader) -> None:
    """The attribute is complete."""
    if r.key is not None and r.value is not None:
        r.attrs[r.key] = "".join(r.value)
    r.value = None


def afterValueQ(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """After attribute value (quoted) state [#after-attribute-value-(quoted)-state]."""
    char = src[pos : pos + 1]
    if char == ">":
        return closeBracket
    if char in SPACE:
        r.pos = pos + 1
        return tagInner
    if char == "/":
        r.pos = pos + 1
        return emptySlash
    if not char:
        return eofInTag
    r.error("missing-whitespace-between-attributes", pos)
    return tagInner


def emptySlash(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Self-closing start tag state [#self-closing-start-tag-state]."""
    char = src[pos : pos + 1]
    if char == ">":
        r.self_closing = True
        return closeBracket
    if not char:
        return eofInTag
    r.error("unexpected-solidus-in-tag", pos)
    return tagInner


def closeBracket(r: Reader, src: str, pos: int, more: bool) -> State | None:
    """Emit the tag that ends with this `>`."""
    r.pos = pos + 1
    r.close_tag(pos + 1)
    return r.home
