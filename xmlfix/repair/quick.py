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

from xmlfix.elements import (
    BLOCKS,
    BUTTON_SCOPE,
    CELLS,
    HEADINGS,
    IMPLIED_END,
    ITEMS,
    SPECIAL,
    TABLE_LIKE,
)
from xmlfix.read.states import content
from xmlfix.repair.elements import HTML
from xmlfix.repair.kinds import (
    BLOCK,
    BUTTON,
    CELL,
    EMPTY,
    EMPTY_BLOCK,
    EMPTY_IN_HEAD,
    END_BUTTON,
    END_CELL,
    END_FORM,
    END_FORMAT,
    END_ORDINARY,
    END_PARAGRAPH,
    END_PREFIXED,
    END_ROW,
    END_SECTION,
    END_TABLE,
    FIELD,
    FOREIGN,
    FORM,
    FORMAT,
    HEADING,
    ITEM,
    NOSCRIPT,
    OPTION,
    ORDINARY,
    PARAGRAPH,
    PASSED,
    PREFIXED,
    RAW,
    ROW,
    RUBY,
    RUBY_PARTS,
    SECTION,
    TABLE,
    TITLE,
    UNREAD,
)
from xmlfix.repair.modes import (
    BODY_MODES,
    IN_CELL,
    IN_HEAD,
    IN_ROW,
    IN_TABLE,
    IN_TABLE_BODY,
)
from xmlfix.repair.on_stack import BASE, IN_PLACE, SECTIONS, OnStack
from xmlfix.repair.vocabulary import SPACE
from xmlfix.repair.window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xmlfix.repair.modes import Mode

WINDOW = 16_384  # characters
MOST_ALIKE = 3  # formatting elements with the same tag that may be active

# what a list item looks for below it: an item of its kind to close, or where to stop
ALIKE = {"li": frozenset(("li",)), **dict.fromkeys(("dd", "dt"), frozenset(("dd", "dt")))}
STOPS_ITEMS = SPECIAL - {"address", "div", "p"} - ITEMS
IMPLIED_IN_SELECT = IMPLIED_END - {"optgroup"}
OPTIONS = frozenset(("option",))
ROW_PARTS = CELLS | {"tr"}
TABLE_PARTS = ROW_PARTS | SECTIONS
IMPLIED = ITEMS | {"p"}  # whose end tags are implied by …
CLOSES_IMPLIED = BLOCKS | HEADINGS | CELLS | {"li", "form", "button"}  # … the end tags of these
QUICK_MODES = BODY_MODES | {IN_TABLE, IN_TABLE_BODY, IN_ROW, IN_HEAD}


class Quick(OnStack):
    """Feeds a BrowserRepair as its reader would.

    Args:
        b: the repair, attached to its reader.
    """

    __slots__ = ()

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
        self._comment_end = -1
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
        most_formats = b.options.max_formatting
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
                in_body = mode in BODY_MODES
                can_be_quick = top.namespace == HTML and (
                    top.name not in TABLE_LIKE
                    if in_body
                    else top.name == "tr"
                    if mode is IN_ROW
                    else top.name == "head"
                    if mode is IN_HEAD
                    else top.name == "table"
                    if mode is IN_TABLE
                    else top.name in SECTIONS
                )
            if text:
                if (
                    not can_be_quick
                    or "\0" in text
                    or not (in_body or (not text.strip(SPACE) and window.ends_run(index - 1)))
                ):
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
                    self.settle(run, index, opened, {})
                    if index == last:
                        return end
                following = self.slow_tag(index)
                if following < 0 or following > end:
                    return following
                text, index = window.rest(following)
                continue

            box = top.box
            depth = top.depth
            at = BASE  # which piece has opened the current node, if the loop has
            name = ""  # of the current node, likewise
            run = index  # where the run begins
            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
            formats = b.open_formatting() if b.formatting else []
            has_form = b.form is not None or b.open_templates > 0
            in_select = b.selects.are_open or b.context_name == "select"
            outside: list[tuple[bool, list[str]]] = []  # has_p, formats outside a cell, a button
            buttons = 0  # that the loop has opened
            tables: list[tuple[bool, list[str], Mode]] = []  # and the mode, outside a table
            made: dict[int, int] = {}  # by depth: the piece after which a tbody was made
            for index in range(run, last):
                shape = shapes[index]
                kind = shape.kind
                xml = shape.xml
                if xml is not None and kind < RAW:
                    out[index] = f"{xml or window.written(shape)}{texts[index]}"
                if in_body:
                    if kind <= END_CELL:
                        if name is not shape.name:
                            if at == BASE:
                                if not self.pop_plain(shape.name, kind, box):
                                    break
                                depth = b.stack[-1].depth
                                has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                                formats = b.open_formatting() if b.formatting else []
                                if kind != END_CELL:
                                    has_form = b.form is not None or b.open_templates > 0
                                    continue
                                outside.append((has_p, formats))
                            elif (
                                name in IMPLIED
                                and shape.name in CLOSES_IMPLIED
                                and shapes[tops[depth - 1]].name is shape.name
                            ):
                                out[index - 1] += f"</{name}>"
                                if name == "p":
                                    has_p = self.has_outer_p(outside, tables)
                                depth -= 2
                                at = tops[depth]
                                name = shapes[at].name
                            else:
                                break
                        else:
                            # "the current node is an HTML element with the same tag name"
                            depth -= 1
                            at = tops[depth]
                            name = shapes[at].name
                        if kind <= END_PREFIXED:
                            continue
                        if kind == END_FORMAT:
                            formats.pop()
                            continue
                        if kind == END_PARAGRAPH:
                            has_p = b.open_p > 0 and self.has_outer_p(outside, tables)
                            continue
                        if kind == END_FORM:
                            has_form = False
                            continue
                        has_p, formats = outside.pop()
                        if kind == END_BUTTON:
                            buttons -= 1
                            continue
                        in_body = False
                        mode = IN_ROW
                        text = texts[index]
                        if text and (
                            text.strip(SPACE)
                            or (shapes[index + 1].kind >= UNREAD and not window.ends_run(index))
                        ):
                            break
                        text = ""
                        continue
                    if kind <= FORMAT:
                        if kind <= HEADING:
                            if kind == FORM and has_form:
                                break
                            if has_p:
                                closed = self.close("p", END_PARAGRAPH, at, depth, index, run)
                                if closed is None:
                                    break
                                depth, at, name = closed
                                has_p = self.has_outer_p(outside, tables)
                            if kind == BLOCK:
                                pass
                            elif kind == PARAGRAPH:
                                has_p = has_p or depth < deepest
                            elif kind == FORM:
                                has_form = True
                            elif (name or b.stack[-1].name) in HEADINGS:
                                break
                        elif kind == FORMAT:
                            if (
                                depth == deepest
                                or len(formats) >= most_formats
                                or (
                                    shape.name in formats
                                    and (
                                        shape.name == "a" or formats.count(shape.name) >= MOST_ALIKE
                                    )
                                )
                            ):
                                break
                            formats.append(shape.name)
                        elif kind == ORDINARY:
                            pass
                        elif kind == BUTTON:
                            if depth == deepest or buttons or b.in_scope("button"):
                                break
                            buttons += 1
                            outside.append((has_p, formats))
                            has_p = False
                        elif kind == NOSCRIPT:
                            if b.options.scripting:
                                break
                        elif kind == PREFIXED and not b.writer.can_use(shape.name):
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
                    if kind <= RUBY:
                        current = name or b.stack[-1].name
                        if kind == ITEM:
                            alike = ALIKE[shape.name]
                            if has_p:
                                parent = self.below(at, depth)
                                if parent not in STOPS_ITEMS and parent not in alike:
                                    break
                                closed = self.close("p", END_PARAGRAPH, at, depth, index, run)
                                if closed is None:
                                    break
                                depth, at, name = closed
                                has_p = self.has_outer_p(outside, tables)
                                current = name or b.stack[-1].name
                            if current not in alike and current not in STOPS_ITEMS:
                                break
                        elif kind == OPTION:
                            if in_select and not self.options_are_plain():
                                break
                            alike = OPTIONS
                            parent = current if current != "option" else self.below(at, depth)
                            if parent in IMPLIED_IN_SELECT:
                                break
                        else:
                            alike = RUBY_PARTS
                            parent = current if current not in alike else self.below(at, depth)
                            if parent != "ruby":
                                break
                        if current in alike:
                            closed = self.close(current, END_ORDINARY, at, depth, index, run)
                            if closed is None:
                                break
                            depth, at, name = closed
                        if depth == deepest:
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = shape.name
                        continue
                    if kind <= END_ROW:
                        if mode is not IN_CELL:
                            break
                        if name in IMPLIED and shapes[tops[depth - 1]].name in CELLS:
                            out[index - 1] += f"</{name}>"
                            depth -= 1
                            at = tops[depth]
                            name = shapes[at].name
                        current = name or b.stack[-1].name
                        if current not in CELLS:
                            break
                        closed = self.close(current, END_CELL, at, depth, index, run)
                        if closed is None:
                            break
                        if at == BASE:
                            has_p = b.open_p > 0 and b.in_scope("p", BUTTON_SCOPE)
                            formats = b.open_formatting()
                        else:
                            has_p, formats = outside.pop()
                        depth, at, name = closed
                        in_body = False
                        mode = IN_ROW
                    elif kind <= END_TABLE or TITLE <= kind <= RAW:
                        pass  # see below
                    elif kind == TABLE:
                        if has_p and not b.quirks:
                            closed = self.close("p", END_PARAGRAPH, at, depth, index, run)
                            if closed is None:
                                break
                            depth, at, name = closed
                            has_p = self.has_outer_p(outside, tables)
                        if depth == deepest:
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = "table"
                        tables.append((has_p, formats, mode))
                        has_p = in_body = False
                        mode = IN_TABLE
                        kind = PASSED  # what is left to see to is the text after it
                    elif kind == FOREIGN:
                        from xmlfix.repair.quick_foreign import pass_whole

                        if not pass_whole(b, window, index, deepest - depth):
                            break
                        continue
                    elif kind == UNREAD and (xml := window.comment(index)):
                        out[index] = xml + window.in_xml(texts[index])
                        continue
                    elif kind == PASSED:
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
                        if kind == ROW:
                            closed = self.close("tr", END_ROW, at, depth, index, run)
                            if closed is None:
                                break
                            depth, at, name = closed
                        elif at != BASE:
                            depth -= 1
                            at = tops[depth]
                            name = shapes[at].name
                        elif self.pop_plain("tr", kind, box):
                            depth = b.stack[-1].depth
                        else:
                            break
                        mode = IN_TABLE_BODY
                    elif kind == END_ROW:
                        break
                    if kind == ROW:
                        if mode is IN_TABLE and index > run and depth < deepest:
                            out[index - 1] += "<tbody>"
                            tops[depth] = at
                            depth += 1
                            at = IN_PLACE
                            made[depth] = index - 1
                            name = "tbody"
                            mode = IN_TABLE_BODY
                        if mode is not IN_TABLE_BODY or depth == deepest:
                            break
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = "tr"
                        mode = IN_ROW
                elif SECTION <= kind <= END_TABLE:
                    # down to the table, or to the section that ends
                    parts = TABLE_PARTS if kind != END_SECTION else ROW_PARTS
                    wanted = "table" if kind != END_SECTION else shape.name
                    below, lower, ends = depth, name, ""
                    while lower in parts:
                        ends += f"</{lower}>"
                        below -= 1
                        lower = shapes[tops[below]].name
                    if lower != wanted or depth == deepest:
                        break
                    if ends:
                        out[index - 1] += ends
                        depth = below
                        at = tops[depth]
                        name = lower
                    if in_body:  # a cell has been closed
                        has_p, formats = outside.pop()
                        in_body = False
                    if kind == SECTION:
                        tops[depth] = at
                        depth += 1
                        at = index
                        name = shape.name
                        mode = IN_TABLE_BODY
                    else:
                        depth -= 1
                        at = tops[depth]
                        name = shapes[at].name
                        mode = IN_TABLE
                        if kind == END_TABLE:
                            has_p, formats, mode = tables.pop()
                            in_body = True
                            continue
                elif kind == EMPTY_IN_HEAD and mode is IN_HEAD and b.on_meta is None:
                    if xml is None:
                        out[index] = f"{raws[index]}/>{texts[index]}"
                elif kind == END_ORDINARY and name is shape.name:  # script, style or title
                    depth -= 1
                    at = tops[depth]
                    name = shapes[at].name
                elif kind == RAW or (kind == TITLE and (in_body or mode is IN_HEAD)):
                    if depth == deepest:
                        break
                    if kind == RAW:
                        xml = window.raw_element(index)
                        if not xml:
                            break
                        out[index] = xml
                    elif not window.holds_text(index):
                        break
                    tops[depth] = at
                    depth += 1
                    at = index
                    name = shape.name
                    continue
                elif kind == UNREAD and (xml := window.comment(index)):
                    texts[index] = window.in_xml(texts[index])
                    out[index] = xml + texts[index]
                elif kind != PASSED:
                    break
                text = texts[index]
                if text and (
                    text.strip(SPACE)
                    or (shapes[index + 1].kind >= UNREAD and not window.ends_run(index))
                ):
                    break
                text = ""
            else:
                index = last

            if text:  # it is a matter for the rules, unlike the tag before it
                out[index] = out[index][: -len(text)]
                text = window.text_after(index)
                index += 1
            opened = [] if at == BASE else [*tops[b.stack[-1].depth + 1 : depth], at]
            if opened or index > run:
                self.settle(run, index, opened, made)
            b.mode = mode
            if text:
                self.slow_text(text, index)
                text = ""
            elif index < last:
                following = self.slow_tag(index)
                if following < 0 or following > end:
                    return following
                text, index = window.rest(following)
