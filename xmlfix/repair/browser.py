"""The browser's tree: the tree construction algorithm as one pass over the tape.

The rules stand in body.py, table.py, outer.py and foreign.py, by insertion mode; this
is the driver that takes tokens from the reader and finds the rule.

Source: WHATWG #tree-construction.
"""

from __future__ import annotations

from xmlfix.elements import RAW_TEXT
from xmlfix.read.tokens import Tag, is_declaration
from xmlfix.repair import outer, table
from xmlfix.repair.elements import (
    HTML,
    IMPLIED_TAGS,
    MATHML,
    NO_NAMESPACE,
    SVG,
    Element,
    OpenElements,
)
from xmlfix.repair.foreign import (
    PREFIXES,
    endInForeign,
    is_html_point,
    startInForeign,
    takes_html_start,
    takes_html_text,
    textInForeign,
)
from xmlfix.repair.modes import (
    AFTER_HEAD,
    BEFORE_HEAD,
    BEFORE_HTML,
    IN_BODY,
    IN_CAPTION,
    IN_CELL,
    IN_COLUMN_GROUP,
    IN_FRAMESET,
    IN_HEAD,
    IN_ROW,
    IN_TABLE,
    IN_TABLE_BODY,
    IN_TABLE_TEXT,
    IN_TEMPLATE,
    INITIAL,
    Mode,
)
from xmlfix.repair.quirks import is_quirky
from xmlfix.repair.select import Selects
from xmlfix.repair.vocabulary import SPACE
from xmlfix.write.tape import patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.options import Options
    from xmlfix.read.reader import Reader
    from xmlfix.read.tokens import Doctype
    from xmlfix.write.tape import Box
    from xmlfix.write.xml import Writer

RESET_MODES = {
    "tr": IN_ROW,
    "tbody": IN_TABLE_BODY,
    "thead": IN_TABLE_BODY,
    "tfoot": IN_TABLE_BODY,
    "caption": IN_CAPTION,
    "colgroup": IN_COLUMN_GROUP,
    "table": IN_TABLE,
    "body": IN_BODY,
    "frameset": IN_FRAMESET,
}


BODY_TAG_LIMIT = 65_536  # characters from the beginning of the input


class BrowserRepair(OpenElements):
    """A sink that writes the tree of the HTML standard on the tape.

    Args:
        options: `scripting`, `fragment`, `xhtml` and `max_depth` matter here.
        writer: makes the chunks.
    """

    def __init__(self, options: Options, writer: Writer) -> None:
        tape: Box = []
        super().__init__(options, writer, tape)
        self.mode: Mode = INITIAL
        self.original_mode: Mode = INITIAL
        self.template_modes: list[Mode] = []
        self.head: Element | None = None
        # the index of the slot for late head elements; NO_SLOT once a frameset has begun
        self.head_slot_at = 0
        self.form: Element | None = None
        self.frameset_ok = True
        self.quirks = False
        self.skip_line_feed = False
        self.pending: list[str] = []  # the characters of "in table text"
        self.rest = ""  # of a run of characters whose beginning a rule has used
        self.epilogue: Box = []  # what comes after the html element
        self.late: dict[Element, dict[str, str]] = {}  # all attributes of html and body
        self.late_places: dict[Element, dict[str, int]] = {}  # where those that came late stand
        self.dropped_end = -1  # where the run of characters ends that was reported last
        self.is_stream = False  # whether start tags go out before the end of the input
        self.body_tag_limit = BODY_TAG_LIMIT  # offset up to which it waits for that of body
        self.selects = Selects(self)
        self.context: Element | None = None
        self.context_name = ""
        self.on_meta: Callable[[Tag], None] | None = None  # called with each meta start tag

    def attach(self, reader: Reader) -> None:
        """Take the reader that delivers here; in a fragment, set both to its context.

        Source: WHATWG #html-fragment-parsing-algorithm.
        """
        self.reader = reader
        name = self.options.fragment
        if name is None:
            return
        namespace = SVG if name[:4] == "svg " else MATHML if name[:5] == "math " else HTML
        tag = Tag(name[len(PREFIXES[namespace]) :])
        self.context = context = Element(name, tag, namespace, self.tape, -1, "", 0)
        context.is_html_point = is_html_point(name, tag)
        self.context_name = name
        root = Element("html", outer.HTML_TAG, NO_NAMESPACE, self.tape, -1, "", 0)
        self.stack.append(root)
        if name in RAW_TEXT or (name == "noscript" and self.options.scripting):
            reader.begin_raw(name)
        if name == "template":
            self.template_modes.append(IN_TEMPLATE)
        elif name == "form":
            self.form = context
        self.reset_mode()
        reader.cdata = namespace > HTML

    # ── tokens ───────────────────────────────────────────────────────────────

    def start_tag(self, tag: Tag) -> None:
        self.skip_line_feed = False
        name = tag.name
        mode: Mode | None = self.mode
        if self.stack:
            current = self.current()
            if current.namespace > HTML and not takes_html_start(current, name):
                mode = startInForeign(self, tag)
        while mode is not None:
            mode = mode.start.get(name, mode.any_start)(self, tag)
        self.reader.cdata = bool(self.stack) and self.current().namespace > HTML

    def end_tag(self, name: str) -> None:
        self.skip_line_feed = False
        mode: Mode | None = self.mode
        if self.stack and self.current().namespace > HTML:
            mode = endInForeign(self, name)
        while mode is not None:
            mode = mode.end.get(name, mode.any_end)(self, name)
        self.reader.cdata = bool(self.stack) and self.current().namespace > HTML

    def text(self, data: str) -> None:
        if self.skip_line_feed:
            self.skip_line_feed = False
            if data[0] == "\n":
                data = data[1:]
                self.reader.start += 1
                if not data:
                    return
        if self.stack:
            current = self.current()
            if current.namespace > HTML and not takes_html_text(current):
                textInForeign(self, data)
                return
        if self.dropped_end == self.reader.start and not data.strip(SPACE):
            self.dropped_end = self.reader.end  # the run goes on with white space
        mode = self.mode.text(self, data)
        while mode is not None:
            mode = mode.text(self, self.rest)
        if self.reader.cdata:  # formatting may have been reopened inside foreign content
            self.reader.cdata = self.current().namespace > HTML

    def comment(self, data: str) -> None:
        self.node(self.writer.comment(data))

    def instruction(self, target: str, data: str) -> None:
        self.node(self.writer.instruction(target, data))

    def node(self, chunk: str) -> None:
        """A comment or processing instruction, ready to be put where a comment goes."""
        self.skip_line_feed = False
        mode: Mode | None = self.mode
        if self.stack and self.current().namespace > HTML:
            self.insert_comment(chunk)
            return
        while mode is not None:
            mode = mode.comment(self, chunk)

    def doctype(self, doctype: Doctype) -> None:
        self.skip_line_feed = False
        if self.mode is IN_TABLE_TEXT:
            table.settleText(self)
        if self.mode is not INITIAL:
            self.say("xmlfix-doctype-dropped", doctype.name or "")
            return
        self.tape.append(self.writer.doctype(doctype))
        self.quirks = is_quirky(doctype)
        self.mode = BEFORE_HTML

    def end(self) -> None:
        mode: Mode | None = self.mode
        while mode is not None:
            mode = mode.eof(self)
        self.report_open()
        self.place_late_attributes()
        while self.stack:
            self.pop()
        self.tape.append(self.epilogue)

    def waits_for_body_tag(self, end: int) -> bool:
        """Whether a stream waits for a start tag of body that ends at the offset `end`.

        Content often comes before that tag. So where there was none a stream waits, for a
        time that does not depend on how the input is cut.
        """
        if end > self.body_tag_limit or len(self.stack) < 2:
            return False
        body = self.stack[1]
        return body.tag is IMPLIED_TAGS["body"] and body.at >= 0

    def take_late_attributes(self, element: Element, tag: Tag) -> None:
        """Take note of the attributes of `tag` that html or body lacks."""
        late = self.late.setdefault(element, dict(element.tag.attrs))
        for name, value in tag.attrs:
            if name in late:
                if late[name] != value:
                    self.say("xmlfix-attribute-collision", name, name)
            elif is_declaration(name) or len(late) < self.reader.max_attributes:
                late[name] = value
                self.late_places.setdefault(element, {})[name] = self.reader.place_of(name)
            else:
                self.say("xmlfix-too-many-attributes", "", name)

    def place_late_attributes(self) -> None:
        """Patch the start tags of html and body that have come again."""
        for element, attributes in self.late.items():
            if element.at >= 0 and element.is_open:
                tag = Tag(element.tag.name, tuple(attributes.items()))
                declaration = self.declaration(element.namespace, element.outer)
                is_root = element is self.stack[0]
                write = self.writer.root_start if is_root else self.writer.start
                self.reader.places = self.late_places.get(element, {})
                self.writer.told = {name for name, _ in element.tag.attrs}
                patch(element.home, element.at, write(tag, declaration))
                self.writer.told = ()

    # ── what the rules share ─────────────────────────────────────────────────

    def current(self) -> Element:
        """The adjusted current node [#adjusted-current-node]."""
        if self.context is not None and len(self.stack) == 1:
            return self.context
        return self.stack[-1]

    def insert_html(self, tag: Tag) -> None:
        """Create the html element."""
        start = self.writer.root_start(tag, self.declaration(HTML, NO_NAMESPACE))
        html = Element("html", tag, HTML, self.tape, len(self.tape), self.writer.end("html"), 1)
        html.outer = NO_NAMESPACE
        self.tape.append(start)
        self.stack.append(html)

    def insert_foreign(self, tag: Tag, namespace: int) -> None:
        """Insert a foreign element, and pop it if its tag closes itself."""
        element = self.insert(tag, namespace, PREFIXES[namespace])
        element.is_html_point = is_html_point(element.name, tag)
        if tag.self_closing:
            self.pop()

    def ignore_start(self, tag: Tag) -> Mode | None:
        """Report a start tag that the algorithm ignores."""
        self.say("xmlfix-start-tag-ignored", tag.name)
        return None

    def ignore_end(self, name: str) -> Mode | None:
        """Report an end tag that the algorithm ignores."""
        self.say("xmlfix-end-tag-without-start", name)
        return None

    def use_text(self, data: str, count: int) -> None:
        """A rule has used the first `count` characters of `data`: what follows is the token."""
        self.rest = data[count:]
        reader = self.reader
        if reader.end - reader.start == len(data):  # no reference
            reader.start += count

    def drop_text(self, data: str) -> None:
        """Report that the algorithm ignores what is not white space in `data`.

        One finding is for a whole run of characters, at the first that is ignored, however
        the run is cut.
        """
        if self.writer.report is None:
            return
        reader = self.reader
        start, end = reader.start, reader.end
        if start != self.dropped_end:
            if end - start == len(data):  # no reference
                reader.start += len(data) - len(data.lstrip(SPACE))
            self.say("xmlfix-text-dropped")
            reader.start = start
        self.dropped_end = end

    def report_open(self) -> None:
        """Report the open elements that have no end tag, but for html and body."""
        if self.writer.report is not None:
            for element in reversed(self.stack):
                if element.name not in ("html", "body"):
                    self.say_unclosed(element)
                    self.told.add(element)

    def note_select(self, element: Element) -> None:
        """Take note of a select that has been inserted."""
        self.selects.open(element)

    def note_option(self, element: Element) -> None:
        """Take note of an option that has been inserted."""
        self.selects.option(element, self.stack)

    def note_selectedcontent(self, element: Element) -> None:
        """Take note of a selectedcontent that has been inserted."""
        self.selects.content(element, self.stack)

    def has_no_parent(self, index: int) -> bool:
        is_gone = self.selects.is_gone
        return (
            not self.stack[index].waiting  # else its parent has left the stack before it
            and is_gone(self.stack[index].home)
            and not is_gone(self.stack[index - 1].home)
        )

    def can_carry(self, moved: list[Element]) -> bool:
        if not self.selects.are_open:
            return False
        from xmlfix.repair.carry import can_carry  # which few documents need

        return can_carry(self.selects, moved)

    def carry(self, position: int, furthest: int) -> Box:
        if not self.selects.are_open:
            return super().carry(position, furthest)
        from xmlfix.repair.carry import carry, close_options  # which few documents need

        close_options(self.selects, self.stack, position, furthest)
        return carry(self.selects, self.stack, position, furthest)

    def reset_mode(self) -> None:
        """Reset the insertion mode appropriately [#reset-the-insertion-mode-appropriately]."""
        for index in range(len(self.stack) - 1, -1, -1):
            node = self.stack[index]
            is_last = index == 0
            if is_last and self.context is not None:
                node = self.context
            name = node.name
            if name in RESET_MODES:
                self.mode = RESET_MODES[name]
                return
            if name in ("td", "th") and not is_last:
                self.mode = IN_CELL
                return
            if name == "template":
                self.mode = self.template_modes[-1]
                return
            if name == "head" and not is_last:
                self.mode = IN_HEAD
                return
            if name == "html":
                self.mode = BEFORE_HEAD if self.head is None else AFTER_HEAD
                return
        self.mode = IN_BODY
