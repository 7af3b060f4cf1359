"""The common case in one loop: regular tags in body, cells and rows, right onto the tape.

The loop keeps the tags of the elements that it has opened in a list of its own. Nothing
else is needed as long as every end tag closes the last of them and no rule has to look
further; where one has to, the elements join the stack (`settle`) and the rule is asked,
with the tag as the memo has it. What is no regular tag is read by the states.

What the loop does with a token is what the rules do: a property test holds both equal.
"""

from __future__ import annotations

from xmlfix.read.lane import MEMO, EndTag, classify, decode_text, note
from xmlfix.read.states import content
from xmlfix.repair.elements import HTML, OUTPUT_ALLOWANCE, Element
from xmlfix.repair.modes import IN_BODY, IN_CELL, IN_HEAD, IN_ROW, IN_TABLE_BODY
from xmlfix.repair.vocabulary import (
    BLOCKS,
    BUTTON_SCOPE,
    FORMATTING,
    HEADINGS,
    KEPT_AT_DEPTH,
    SPACE,
    SPECIAL,
    TABLE_LIKE,
)
from xmlfix.write.characters import escape_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State
    from xmlfix.read.tokens import Tag
    from xmlfix.repair.browser import BrowserRepair

# What the loop knows of a tag, by name; SLOW is a matter for the rules.
(
    ROW, CELL, END_ROW, SLOW, ORDINARY, FORMAT, BLOCK, PARAGRAPH, HEADING, ITEM, EMPTY,
    EMPTY_IN_HEAD, EMPTY_BLOCK, FIELD, END_ORDINARY, END_FORMAT, END_PARAGRAPH, END_CELL,
) = range(18)  # fmt: skip

START_KINDS: dict[str, int] = {
    **dict.fromkeys(FORMATTING - {"nobr"}, FORMAT),
    **dict.fromkeys(BLOCKS, BLOCK),
    **dict.fromkeys(HEADINGS, HEADING),
    **dict.fromkeys("area br embed img keygen wbr".split(), EMPTY),
    **dict.fromkeys("param source track".split(), EMPTY),
    **dict.fromkeys("base basefont bgsound link meta".split(), EMPTY_IN_HEAD),
    "p": PARAGRAPH,
    "li": ITEM,
    "hr": EMPTY_BLOCK,
    "input": FIELD,
    "tr": ROW,
    "td": CELL,
    "th": CELL,
}
# names that have rules of their own, so that they are not ordinary
RULED = SPECIAL | KEPT_AT_DEPTH | FORMATTING | frozenset(
    "button frame head image math noscript optgroup option rb rp rt rtc selectedcontent svg"
    " textarea".split()
)  # fmt: skip
END_KINDS: dict[str, int] = {
    **dict.fromkeys(FORMATTING - {"nobr"}, END_FORMAT),
    **dict.fromkeys(BLOCKS | HEADINGS, END_ORDINARY),
    **dict.fromkeys("button dd dt li noscript optgroup option pre rp rt".split(), END_ORDINARY),
    "p": END_PARAGRAPH,
    "tr": END_ROW,
    "td": END_CELL,
    "th": END_CELL,
}
LIST_TOPS = frozenset(("ul", "ol", "menu", "li"))
SECTIONS = frozenset(("tbody", "tfoot", "thead"))
QUICK_MODES = frozenset((IN_BODY, IN_CELL, IN_ROW, IN_TABLE_BODY, IN_HEAD))
ENDS_NAME = frozenset("\t\n\f />")
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
ESCAPABLE = frozenset(("title", "textarea"))
FORBIDDEN_BYTES = bytes(code for code in range(32) if code not in (9, 10, 13))


def start_kind(name: str) -> int:
    """What the loop knows of a start tag."""
    if ":" in name:
        return SLOW
    return START_KINDS.get(name, SLOW if name in RULED else ORDINARY)


def end_kind(name: str) -> int:
    """What the loop knows of an end tag."""
    if ":" in name:
        return SLOW
    return END_KINDS.get(name, SLOW if name in RULED else END_ORDINARY)


note(start_kind, end_kind)


class Quick:
    """Feeds a BrowserRepair as its reader would.

    Args:
        b: the repair, attached to its reader.
    """

    __slots__ = ("_at", "_b", "_careful", "_end", "_more", "_pieces", "_reader", "_src")

    def __init__(self, b: BrowserRepair) -> None:
        self._b = b
        self._reader: Reader = b.reader
        self._src = ""
        self._more = False
        self._careful = False  # whether the text has characters that XML forbids
        self._pieces: list[str] = []
        self._at = 0  # the index of a piece …
        self._end = 0  # … and where it ends in the source

    def feed(self, text: str, more: bool) -> None:
        """Read and repair the next piece of the input; see `Reader.feed`."""
        reader = self._reader
        if "\0" in text:
            reader.feed(text, more)
            return
        self._take(text)
        self._more = more
        if reader.state is not content:
            if self.states(reader.state) < 0:
                return
            self._take("")
        self._careful = has_forbidden(self._src)
        self._pieces = pieces = self._src.split("<")
        self._at = 0
        self._end = len(pieces[0])
        # The last piece may go on in the next feed, and at the end it may be no tag at all.
        last = len(pieces) - 1
        resume = self.loop(pieces[0], last) if last else 0
        if resume >= 0:
            reader.pos = resume
            reader.feed("", more)

    def _take(self, text: str) -> None:
        """Add `text` to what the reader has not read yet."""
        reader = self._reader
        self._src = reader.src[reader.pos :] + text
        reader.base += reader.pos
        reader.src = self._src
        reader.pos = 0

    def start(self, index: int) -> int:
        """Where pieces[index], after its "<", begins in the source."""
        between = self._pieces[self._at + 1 : index]
        self._end += sum(map(len, between)) + len(between)
        self._at = index - 1
        return self._end + 1

    def loop(self, text: str, last: int) -> int:
        """Go through the pieces before the last.

        Returns where the states are to go on in the source, -1 if they have taken over.

        Args:
            text: the characters before the first "<".
            last: the index of the last piece.
        """
        b, pieces, memo = self._b, self._pieces, MEMO
        careful = self._careful
        writer = b.writer
        writer_text = writer.text
        index = 1  # of the next piece
        while True:
            # what the loop needs to know of the stack, if it can do anything here
            mode = b.mode
            can_be_quick = (
                mode in QUICK_MODES
                and (not b.frameset_ok or mode is IN_HEAD)
                and not b.skip_line_feed
                and not b.must_reopen()
            )
            if can_be_quick:
                top = b.stack[-1]
                in_body = mode is IN_BODY or mode is IN_CELL
                can_be_quick = top.namespace == HTML and (
                    top.name not in TABLE_LIKE
                    if in_body
                    else top.name == "tr"
                    if mode is IN_ROW
                    else top.name == "head"
                    if mode is IN_HEAD
                    else top.name in SECTIONS
                )
            if not can_be_quick:
                if text:
                    self.slow_text(text, index)
                    text = ""
                    continue
                if index == last:
                    return self.start(last) - 1
                following = self.slow_tag(index)
                if following < 0:
                    return -1
                text, index = self.rest(following)
                if index > last:
                    return following
                continue

            box = top.box
            tags = [top.tag]  # of the top of the stack, and of what the loop has opened
            starts = [-1]  # the indices of their start chunks
            room = b.max_depth - top.depth
            has_p: bool | None = None  # whether a p is in button scope; None: not asked yet
            formats: list[str] | None = None  # what is open of the list, since its last marker
            in_select = b.selects.are_open or b.context_name == "select"
            outside: list[
                tuple[bool | None, list[str] | None]
            ] = []  # has_p and formats outside a cell
            reload = False  # whether the stack has changed, but not by a matter for the rules
            while True:
                if text:
                    if in_body:
                        if "&" in text:
                            text = writer_text(decode_text(text))
                        elif careful:
                            text = writer_text(text)
                        elif ">" in text:
                            text = text.replace(">", "&gt;")
                        box.append(text)
                    elif text.strip(SPACE) or not begins_tag(pieces[index]):
                        break
                    else:
                        box.append(writer_text(text) if careful else text)
                    text = ""
                if index == last:
                    break
                raw, bracket, after = pieces[index].partition(">")
                tag = memo.get(raw) or classify(raw, careful)
                if tag is None or not bracket:
                    if bracket and raw[:3] == "!--" and raw[-2:] == "--" and len(raw) > 4:
                        box.append(writer.comment(raw[3:-2]))
                        index += 1
                        text = after
                        continue
                    break
                kind = tag.kind
                if in_body:
                    if kind >= END_ORDINARY:
                        # "the current node is an HTML element with the same tag name"
                        if tags[-1].name != tag.name:
                            break
                        if len(tags) == 1:
                            if kind in (END_ORDINARY, END_PARAGRAPH):
                                b.pop()
                                index += 1
                                text = after
                                reload = True
                            break
                        tags.pop()
                        starts.pop()
                        box.append(tag.xml)
                        if kind == END_FORMAT:
                            assert formats is not None  # it has been asked to open the element
                            formats.pop()
                        elif kind == END_PARAGRAPH:
                            has_p = False
                        elif kind == END_CELL:
                            has_p, formats = outside.pop()
                            in_body = False
                            mode = IN_ROW
                        index += 1
                        text = after
                        continue
                    if kind <= END_ROW:
                        if len(tags) == 1 or tags[-1].kind != CELL:
                            break
                        box.append(f"</{tags.pop().name}>")
                        starts.pop()
                        has_p, formats = outside.pop()
                        in_body = False
                        mode = IN_ROW
                        continue  # with the same tag
                    if kind == SLOW or len(tags) > room:
                        break
                    if kind == FORMAT:
                        if formats is None:
                            formats = b.open_formatting()
                        if tag.name in formats:
                            break
                        formats.append(tag.name)
                    elif BLOCK <= kind <= HEADING:
                        if has_p is None:
                            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                        if has_p:
                            if tags[-1].name != "p" or len(tags) == 1:
                                break
                            tags.pop()
                            starts.pop()
                            box.append("</p>")
                            has_p = False
                        if kind == PARAGRAPH:
                            has_p = True
                        elif kind == HEADING and tags[-1].name in HEADINGS:
                            break
                    elif kind == ITEM:
                        name = tags[-1].name
                        if has_p is None:
                            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                        if has_p or name not in LIST_TOPS:
                            break
                        if name == "li":
                            if len(tags) == 1:
                                break
                            tags.pop()
                            starts.pop()
                            box.append("</li>")
                    elif kind >= EMPTY:
                        if kind == EMPTY_IN_HEAD and b.on_meta is not None:
                            break
                        if kind == EMPTY_BLOCK and has_p is None:
                            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                        if kind >= EMPTY_BLOCK and (in_select or (kind == EMPTY_BLOCK and has_p)):
                            break
                        box.append(tag.xml or self.write(tag))
                        index += 1
                        text = after
                        continue
                elif kind == EMPTY_IN_HEAD and mode is IN_HEAD and b.on_meta is None:
                    box.append(tag.xml or self.write(tag))
                    index += 1
                    text = after
                    continue
                elif kind == CELL and mode is IN_ROW and len(tags) <= room:
                    outside.append((has_p, formats))
                    has_p, formats = False, []
                    in_body = True
                    mode = IN_CELL
                elif kind == ROW and mode is IN_TABLE_BODY and len(tags) <= room:
                    mode = IN_ROW
                elif kind in (ROW, END_ROW) and mode is IN_ROW and len(tags) > 1:
                    tags.pop()
                    starts.pop()
                    box.append("</tr>")
                    mode = IN_TABLE_BODY
                    if kind == END_ROW:
                        index += 1
                        text = after
                    continue  # a tr start tag comes again, for the section
                else:
                    break
                following_piece = pieces[index + 1]
                if following_piece.startswith(tag.closing) and kind != ROW and index + 1 < last:
                    # the element holds no more than text: it need not be opened
                    box.append(tag.xml or self.write(tag))
                    if after:
                        if "&" in after:
                            after = writer_text(decode_text(after))
                        elif careful:
                            after = writer_text(after)
                        elif ">" in after:
                            after = after.replace(">", "&gt;")
                        box.append(after)
                    box.append("<" + tag.closing)
                    if kind == FORMAT:
                        assert formats is not None  # it has just been asked
                        formats.pop()
                    elif kind == PARAGRAPH:
                        has_p = False
                    elif kind == CELL:
                        has_p, formats = outside.pop()
                        in_body = False
                        mode = IN_ROW
                    index += 2
                    text = following_piece[len(tag.closing) :]
                    continue
                tags.append(tag)
                starts.append(len(box))
                box.append(tag.xml or self.write(tag))
                index += 1
                text = after

            self.settle(tags, starts, top)
            b.mode = mode
            if reload:
                continue
            if text:
                self.slow_text(text, index)
                text = ""
                continue
            if index == last:
                return self.start(last) - 1
            following = self.slow_tag(index)
            if following < 0:
                return -1
            text, index = self.rest(following)
            if index > last:
                return following

    def settle(self, tags: list[Tag], starts: list[int], top: Element) -> None:
        """Put the elements that the loop has opened onto the stack and the list."""
        b = self._b
        depth = top.depth
        for tag, at in zip(tags[1:], starts[1:], strict=True):
            depth += 1
            name = tag.name
            element = Element(name, tag, HTML, top.box, at, f"</{name}>", depth)
            b.stack.append(element)
            if name == "p":
                b.open_p += 1
            elif tag.kind == FORMAT:
                b.formatting.append(element)
                element.is_listed = True
            elif tag.kind == CELL:
                b.formatting.append(None)

    def write(self, tag: Tag) -> str:
        """The XML of a start tag that does not have it yet, or must not keep it."""
        writer = self._b.writer
        return writer.empty(tag) if EMPTY <= tag.kind <= FIELD else writer.start(tag)

    # ── by the rules ─────────────────────────────────────────────────────────

    def slow_text(self, text: str, index: int) -> None:
        """Give the characters before pieces[index] to the rules."""
        b, reader = self._b, self._reader
        if b.repeated > OUTPUT_ALLOWANCE:  # only then the place matters
            reader.start = reader.base + self.start(index) - 1 - len(text)
        b.text(decode_text(text) if "&" in text else text)

    def slow_tag(self, index: int) -> int:
        """Give pieces[index] to the rules, or to the states if it is no regular tag.

        Returns where what comes next begins in the source, -1 if the states have come to
        the end or need more.
        """
        b, reader = self._b, self._reader
        raw, bracket, _ = self._pieces[index].partition(">")
        tag = MEMO.get(raw) or classify(raw, self._careful)
        if tag is None or not bracket:
            reader.pos = self.start(index) - 1
            return self.states(content)
        if b.repeated > OUTPUT_ALLOWANCE or b.on_meta is not None:
            reader.start = reader.base + self.start(index) - 1
        if isinstance(tag, EndTag):
            b.end_tag(tag.name)
        else:
            b.start_tag(tag)
            if reader.home is not content:
                return self.raw_text(tag.name, self.start(index) + len(raw) + 1)
        return self.start(index) + len(raw) + 1

    def raw_text(self, name: str, pos: int) -> int:
        """The text of the raw text element `name` from `pos`, and its end tag.

        What is more than text up to `</name>` is left to the states; returns as `slow_tag`.
        """
        b, reader, src = self._b, self._reader, self._src
        size = len(name)
        end = src.find("</", pos)
        while end >= 0 and not (
            src[end + 2 : end + 2 + size].lower() == name
            and src[end + 2 + size : end + 3 + size] in ENDS_NAME
        ):
            end = src.find("</", end + 2)
        close = end + 2 + size
        if (
            end < 0
            or src[close] != ">"
            or name == "plaintext"
            or (name == "script" and src.find("<!--", pos, end) >= 0)
        ):
            reader.pos = pos
            return self.states(reader.home)
        data = src[pos:end]
        if name in ESCAPABLE:
            if data:
                b.text(decode_text(data))
        elif data:
            b.stack[-1].box.append(b.writer.text(data) if self._careful else escape_markup(data))
        reader.home = content
        b.end_tag(name)
        return close + 1

    def states(self, state: State) -> int:
        """Let the states read until they are between two tokens; returns as `slow_tag`."""
        reader, src = self._reader, self._src
        while reader.pos < len(src) or not self._more:
            following = state(reader, src, reader.pos, self._more)
            if following is content:
                reader.state = content
                return reader.pos
            if following is None:
                break
            state = following
        reader.state = state
        return -1

    def rest(self, pos: int) -> tuple[str, int]:
        """The characters from `pos` to the next "<", and the index of the piece after it."""
        while self._end < pos:
            self._at += 1
            self._end += 1 + len(self._pieces[self._at])
        return self._src[pos : self._end], self._at + 1


def begins_tag(piece: str) -> bool:
    """Whether a real token begins with "<" and this piece, which ends a run of characters."""
    char = piece[:1]
    return char in LETTERS or (char == "/" and piece[1:2] in LETTERS)


def has_forbidden(text: str) -> bool:
    """Whether `text` has characters that XML forbids, or form feeds."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        return True  # lone surrogates
    return (
        len(data.translate(None, FORBIDDEN_BYTES)) < len(data)
        or "\ufffe" in text
        or "\uffff" in text
    )
