"""The common case in one loop: regular tags in body, cells and rows, right onto the tape.

The text is cut into windows, a window at "<" into pieces, a piece at its first ">" into a
tag and the characters after it. All tags of a window are looked up in the memo before the
loop sees them. Most pieces are XML as they stand; of the others the loop replaces what is
not, and what lies between two matters for the rules becomes one chunk, a *run*.

The loop knows of the elements that it has opened only where their tags are. Nothing else
is needed as long as every end tag closes the last of them and no rule has to look
further; where one has to, the elements join the stack (`settle`) and the rule is asked.
What is no regular tag is read by the states.

What the loop does with a token is what the rules do: a property test holds both equal.
"""

from __future__ import annotations

from xmlfix.read.lane import tag_of
from xmlfix.read.references import decode_text
from xmlfix.read.states import content
from xmlfix.repair.elements import HTML, OUTPUT_ALLOWANCE, Element
from xmlfix.repair.foreign import PREFIXES
from xmlfix.repair.kinds import (
    BLOCK,
    CELL,
    EMPTY,
    EMPTY_BLOCK,
    EMPTY_IN_HEAD,
    END_CELL,
    END_FORMAT,
    END_ORDINARY,
    END_PARAGRAPH,
    END_ROW,
    FIELD,
    FORMAT,
    HEADING,
    ITEM,
    NOSCRIPT,
    PARAGRAPH,
    RAW,
    ROW,
    TITLE,
    UNREAD,
)
from xmlfix.repair.modes import IN_BODY, IN_CELL, IN_HEAD, IN_ROW, IN_TABLE_BODY
from xmlfix.repair.vocabulary import BUTTON_SCOPE, HEADINGS, TABLE_LIKE
from xmlfix.repair.window import Window, has_forbidden, is_inert
from xmlfix.write.characters import escape_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.read.reader import Reader, State
    from xmlfix.repair.browser import BrowserRepair
    from xmlfix.write.tape import Box

WINDOW = 16_384  # characters
MOST_ALIKE = 3  # formatting elements with the same tag that may be active

LIST_TOPS = frozenset(("ul", "ol", "menu", "li"))
SECTIONS = frozenset(("tbody", "tfoot", "thead"))
CELLS = frozenset(("td", "th"))
QUICK_MODES = frozenset((IN_BODY, IN_CELL, IN_ROW, IN_TABLE_BODY, IN_HEAD))
ENDS_NAME = frozenset("\t\n\f />")
ESCAPABLE = frozenset(("title", "textarea"))


class Quick:
    """Feeds a BrowserRepair as its reader would.

    Args:
        b: the repair, attached to its reader.
    """

    __slots__ = ("_b", "_more", "_reader", "_src", "_tops", "_window")

    _window: Window

    def __init__(self, b: BrowserRepair) -> None:
        self._b = b
        self._reader: Reader = b.reader
        self._src = ""
        self._more = False
        self._tops = [-1] * b.max_depth  # by depth: which piece opened what lies below

    def feed(self, text: str, more: bool) -> None:
        """Read and repair the next piece of the input; see `Reader.feed`."""
        reader = self._reader
        self._take(text)
        self._more = more
        if reader.state is not content:
            if self.states(reader.state) < 0:
                return
            self._take("")
        src = self._src
        # The last piece may go on in the next feed, and at the end it may be no tag at all.
        last = src.rfind("<")
        pos = 0
        while 0 <= pos < last:
            end = last if pos + WINDOW >= last else src.rfind("<", pos + 1, pos + WINDOW)
            if end < 0:
                end = src.find("<", pos + WINDOW)
            pos = self.go_through(pos, end)
        if pos >= 0:
            reader.pos = pos
            reader.feed("", more)

    def _take(self, text: str) -> None:
        """Add `text` to what the reader has not read yet."""
        reader = self._reader
        self._src = reader.src[reader.pos :] + text
        reader.base += reader.pos
        reader.src = self._src
        reader.pos = 0

    # ── the loop ─────────────────────────────────────────────────────────────

    def go_through(self, begin: int, end: int) -> int:
        """Go through a part of the source that ends before a "<".

        Returns where what comes next begins in the source, -1 if the states have come to
        the end or need more.
        """
        b, tops, deepest = self._b, self._tops, self._b.max_depth
        self._window = window = Window(self._src, begin, end, b.writer)
        raws, shapes, texts, out = window.raws, window.shapes, window.texts, window.out
        last = len(out)
        index = 1  # of the next piece
        text = out[0]  # the characters before it, as in the source
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
            if text:
                if not can_be_quick or "\0" in text or not (in_body or is_inert(text, raws[index])):
                    self.slow_text(text, index)
                    text = ""
                    continue
                top.box.append(window.in_xml(text))
                text = ""
            if index == last:
                return end
            if not can_be_quick:
                if b.stack and b.stack[-1].namespace > HTML:
                    from xmlfix.repair.quick_foreign import pass_inert

                    run = index
                    index, opened = pass_inert(b, window, run)
                    self.settle(run, index, opened)
                    if index == last:
                        return end
                following = self.slow_tag(index)
                if following < 0 or following > end:
                    return following
                text, index = window.rest(following)
                continue

            box = top.box
            depth = base = top.depth
            at = -1  # which piece has opened the current node, if the loop has
            name = ""  # of the current node, likewise
            run = index  # where the run begins
            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
            formats = b.open_formatting() if b.formatting else []
            in_select = b.selects.are_open or b.context_name == "select"
            outside: list[tuple[bool, list[str]]] = []  # has_p and formats outside a cell
            for index in range(run, last):
                shape = shapes[index]
                kind = shape.kind
                xml = shape.xml
                if xml is not None and kind < RAW:
                    out[index] = f"{xml or window.written(shape)}{texts[index]}"
                if in_body:
                    if kind <= END_CELL:
                        # "the current node is an HTML element with the same tag name"
                        if name is shape.name:
                            depth -= 1
                            at = tops[depth]
                            name = shapes[at].name
                            if kind == END_ORDINARY:
                                continue
                            if kind == END_FORMAT:
                                formats.pop()
                                continue
                            if kind == END_PARAGRAPH:
                                has_p = False
                                continue
                            has_p, formats = outside.pop()
                            in_body = False
                            mode = IN_ROW
                            text = texts[index]
                            if text and not is_inert(text, raws[index + 1]):
                                break
                            text = ""
                            continue
                        if at >= 0 or not self.pop_plain(shape.name, kind, box):
                            break
                        depth = base = b.stack[-1].depth
                        has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                        if kind == END_FORMAT:
                            formats = b.open_formatting()
                        elif kind == END_CELL:
                            formats = b.open_formatting()
                            in_body = False
                            mode = IN_ROW
                            text = texts[index]
                            if text and not is_inert(text, raws[index + 1]):
                                break
                            text = ""
                        continue
                    if kind <= FORMAT:
                        if kind <= HEADING:
                            if has_p:
                                if name != "p":
                                    break
                                out[index - 1] += "</p>"
                                depth -= 1
                                at = tops[depth]
                                name = shapes[at].name
                                has_p = False
                            if kind == BLOCK:
                                pass
                            elif kind == PARAGRAPH:
                                has_p = depth < deepest
                            elif (name or b.stack[-1].name) in HEADINGS:
                                break
                        elif kind == FORMAT:
                            if shape.name in formats and (
                                shape.name == "a" or formats.count(shape.name) >= MOST_ALIKE
                            ):
                                break
                            if depth < deepest:
                                formats.append(shape.name)
                        elif kind == NOSCRIPT and b.options.scripting:
                            break
                        if depth == deepest:
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = shape.name
                        continue
                    if kind <= FIELD:
                        if depth == deepest:
                            break
                        if kind != EMPTY and (
                            (kind == EMPTY_IN_HEAD and b.on_meta is not None)
                            or (kind >= EMPTY_BLOCK and in_select)
                            or (kind == EMPTY_BLOCK and has_p)
                        ):
                            break
                        if xml is None:
                            out[index] = f"{raws[index]}/>{texts[index]}"
                        continue
                    if kind == ITEM:
                        if has_p or (name or b.stack[-1].name) not in LIST_TOPS:
                            break
                        if name == "li":
                            out[index - 1] += "</li>"
                            depth -= 1
                            at = tops[depth]
                        elif depth == deepest or (at < 0 and b.stack[-1].name == "li"):
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = "li"
                        continue
                    if kind <= END_ROW:
                        if name not in CELLS:
                            break
                        out[index - 1] += f"</{name}>"
                        depth -= 1
                        at = tops[depth]
                        name = shapes[at].name
                        has_p, formats = outside.pop()
                        in_body = False
                        mode = IN_ROW
                    elif kind <= RAW:
                        if depth == deepest or not window.holds_text(index):
                            break
                        if kind == RAW:
                            out[index] = window.raw_element(index)
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = shape.name
                        continue
                    elif kind == UNREAD and (xml := window.comment(index)):
                        out[index] = xml + window.in_xml(texts[index])
                        continue
                    else:
                        break
                if kind == CELL and mode is IN_ROW and depth < deepest:
                    tops[depth] = at
                    depth += 1
                    at = index
                    name = shape.name
                    outside.append((has_p, formats))
                    has_p, formats = False, []
                    in_body = True
                    mode = IN_CELL
                    continue
                if ROW <= kind <= END_ROW:
                    if mode is IN_ROW:
                        if at >= 0:
                            if kind == ROW:
                                out[index - 1] += "</tr>"
                            depth -= 1
                            at = tops[depth]
                            name = shapes[at].name
                        elif kind == END_ROW and self.pop_plain("tr", kind, box):
                            depth = base = b.stack[-1].depth
                        else:
                            break
                        mode = IN_TABLE_BODY
                    elif kind == END_ROW:
                        break
                    if kind == ROW:
                        if mode is not IN_TABLE_BODY or depth == deepest:
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = "tr"
                        mode = IN_ROW
                elif kind == EMPTY_IN_HEAD and mode is IN_HEAD and b.on_meta is None:
                    if xml is None:
                        out[index] = f"{raws[index]}/>{texts[index]}"
                elif kind == END_ORDINARY and name is shape.name:  # script, style or title
                    depth -= 1
                    at = tops[depth]
                    name = shapes[at].name
                elif kind == RAW or (kind == TITLE and mode is IN_HEAD):
                    if depth == deepest or not window.holds_text(index):
                        break
                    if kind == RAW:
                        out[index] = window.raw_element(index)
                    tops[depth] = at
                    depth += 1
                    at = index
                    name = shape.name
                    continue
                elif kind == UNREAD and (xml := window.comment(index)):
                    texts[index] = window.in_xml(texts[index])
                    out[index] = xml + texts[index]
                else:
                    break
                text = texts[index]
                if text and not is_inert(text, raws[index + 1]):
                    break
                text = ""
            else:
                index = last

            if text:  # it is a matter for the rules, unlike the tag before it
                out[index] = out[index][: -len(text)]
                text = window.pieces[index].partition(">")[2]
                index += 1
            opened = [*tops[base + 1 : depth], at] if depth > base else []
            self.settle(run, index, opened)
            b.mode = mode
            if text:
                self.slow_text(text, index)
                text = ""
            elif index < last:
                following = self.slow_tag(index)
                if following < 0 or following > end:
                    return following
                text, index = window.rest(following)

    def pop_plain(self, name: str, kind: int, box: Box) -> bool:
        """Pop the current node, whose end tag is in the run; False if there is more to do.

        Args:
            name, kind: of the end tag.
            box: that the run goes to.
        """
        b = self._b
        element, below = b.stack[-1], b.stack[-2]
        if kind == END_CELL:
            is_usual = below.name == "tr"
        elif kind == END_ROW:
            is_usual = below.name in SECTIONS
        else:
            is_usual = below.name not in TABLE_LIKE
        if (
            not is_usual
            or element.name != name
            or element.home is not box
            or below.box is not box
            or below.namespace != HTML
            or not element.end
            or element.waiting
            or element.after is not None
            or element.on_close is not None
        ):
            return False
        if element.is_listed:
            if b.formatting[-1] is not element:
                return False
            b.formatting.pop()
            element.is_listed = False
        elif kind == END_CELL:
            if not b.formatting or b.formatting[-1] is not None:
                return False
            b.formatting.pop()
        b.stack.pop()
        element.is_open = False
        b.forget(element)
        return True

    def settle(self, run: int, end: int, opened: list[int]) -> None:
        """Put the run on the tape, and what it leaves open on the stack and the list.

        Args:
            run, end: where the run begins and ends among the pieces.
            opened: which of them have opened an element that is still open.
        """
        b, window = self._b, self._window
        out = window.out
        top = b.stack[-1]
        box, depth, namespace = top.box, top.depth, top.namespace
        text = ""  # after the last start tag
        for at in opened:
            if at > run:
                box.append(f"{text}<{'<'.join(out[run:at])}")
            elif text:
                box.append(text)
            start = f"<{window.start_tag(at)}"
            text = out[at][len(start) - 1 :]
            run = at + 1
            depth += 1
            shape = window.shapes[at]
            name = shape.name
            tag = tag_of(window.raws[at], shape)
            end_tag = f"</{name}>"
            element = Element(name, tag, namespace, box, len(box), end_tag, depth)
            box.append(start)
            b.stack.append(element)
            if namespace != HTML:
                element.name = PREFIXES[namespace] + name
                element.outer = namespace
                b.open_foreign[name] = b.open_foreign.get(name, 0) + 1
            elif name == "p":
                b.open_p += 1
            elif shape.kind == FORMAT:
                b.formatting.append(element)
                element.is_listed = True
            elif shape.kind == CELL:
                b.formatting.append(None)
        if end > run:
            box.append(f"{text}<{'<'.join(out[run:end])}")
        elif text:
            box.append(text)

    # ── by the rules ─────────────────────────────────────────────────────────

    def slow_text(self, text: str, index: int) -> None:
        """Give the characters before pieces[index] to the rules."""
        b, reader = self._b, self._reader
        if b.repeated > OUTPUT_ALLOWANCE:  # only then the place matters
            reader.start = reader.base + self._window.start(index) - 1 - len(text)
        b.text(decode_text(text) if "&" in text else text)

    def slow_tag(self, index: int) -> int:
        """Give pieces[index] to the rules, or to the states if it is no regular tag.

        Returns where what comes next begins in the source, -1 if the states have come to
        the end or need more.
        """
        b, reader = self._b, self._reader
        raw, shape = self._window.raws[index], self._window.shapes[index]
        begin = self._window.start(index)
        if shape.kind == UNREAD:
            return self.irregular(begin)
        if b.repeated > OUTPUT_ALLOWANCE or b.on_meta is not None:
            reader.start = reader.base + begin - 1
        end = begin + len(raw) + 1
        if raw[0] == "/":
            b.end_tag(shape.name)
        else:
            b.start_tag(tag_of(raw, shape))
            if reader.home is not content:
                return self.raw_text(shape.name, end)
        return end

    def irregular(self, begin: int) -> int:
        """Read what begins with "<" before src[begin]; returns as `slow_tag`."""
        src = self._src
        if src.startswith("!--", begin) and not src.startswith((">", "->"), begin + 3):
            end = src.find("-->", begin + 3)
            if end >= 0 and src.find("--!>", begin + 3, end) < 0:
                data = src[begin + 3 : end]
                if "\0" not in data:
                    self._b.comment(data)
                    return end + 3
        self._reader.pos = begin - 1
        return self.states(content)

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
            or src[close : close + 1] != ">"
            or name == "plaintext"
            or "\0" in src[pos:end]
            or (name == "script" and src.find("<!--", pos, end) >= 0)
        ):
            reader.pos = pos
            return self.states(reader.home)
        data = src[pos:end]
        if name in ESCAPABLE:
            if data:
                b.text(decode_text(data))
        elif data:
            b.stack[-1].box.append(
                b.writer.text(data) if has_forbidden(data) else escape_markup(data)
            )
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
