"""The plain stack repair: the tags in source order, nothing invented.

An end tag on top of the stack closes; one that is open further down closes what lies
above it first; one that is not open at all is dropped; at the end what is left is
closed. With HTML manners void elements close at once and a start tag ends what HTML
lets it end; with XML manners `<x/>` empties any element, an end tag may differ in case from its
start tag, and nothing else is known, but for a page of XHTML that is not well-formed: void
elements close at once there, too, and script and style hold text.
"""

from __future__ import annotations

from xmlfix.elements import BUTTON_SCOPE, CLOSES_P, RAW_TEXT, VOID
from xmlfix.repair.foreign import with_namespaces
from xmlfix.repair.vocabulary import STACK_ENDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.options import Options
    from xmlfix.read.reader import Reader
    from xmlfix.read.tokens import Doctype, Tag
    from xmlfix.write.tape import Box
    from xmlfix.write.xml import Writer

FOREIGN_ROOTS = frozenset(("svg", "math"))
CLOSES_P_HERE = CLOSES_P | {"table"}
ONLY_P = frozenset(("p",))
RAW_IN_XHTML = frozenset(("script", "style"))


class StackRepair:
    """A sink that writes what it is given, with every element closed.

    Args:
        options: `max_depth` matters here.
        writer: makes the chunks.
        xml: XML manners.
        well_formed: the source is well-formed XML.
    """

    __slots__ = (
        "_foreign",
        "_is_page",
        "_lower",
        "_open",
        "_stack",
        "_writer",
        "_xml",
        "_has_begun",
        "_has_root",
        "_well_formed",
        "max_depth",
        "on_meta",
        "reader",
        "tape",
    )

    reader: Reader

    def __init__(
        self, options: Options, writer: Writer, *, xml: bool, well_formed: bool = False
    ) -> None:
        self.max_depth = options.max_depth
        self._writer = writer
        self._xml = xml
        self._well_formed = well_formed
        self._is_page = False  # XML manners, for a page that is not well-formed
        self._lower: dict[str, int] = {}  # XML manners: how often each name is open in any case
        self._stack: list[str] = []
        self._open: dict[str, int] = {}  # how often each name stands on the stack
        self._foreign = 0  # how many svg and math elements are open
        self.tape: Box = []
        self.on_meta: Callable[[Tag], None] | None = None  # called with each meta start tag
        self._has_begun = False
        self._has_root = False

    def attach(self, reader: Reader) -> None:
        """Take the reader that delivers here."""
        self.reader = reader
        reader.cdata = True

    def start_tag(self, tag: Tag) -> None:
        name = tag.name
        if self._xml:
            if not self._has_root:
                self._is_page = not self._well_formed and name.lower() == "html"
            is_void = self._is_page and not self._foreign and name.lower() in VOID
            is_empty = tag.self_closing or is_void
            if is_void and not tag.self_closing:
                self._writer.say("xmlfix-void-element", name)
        else:
            is_empty = name in VOID or (
                tag.self_closing and (self._foreign > 0 or name in FOREIGN_ROOTS)
            )
            if tag.self_closing and not is_empty:
                self._writer.say("non-void-html-element-start-tag-with-trailing-solidus", name)
            elif is_empty and not tag.self_closing:
                self._writer.say("xmlfix-void-element", name)
            if not self._foreign:
                self.end_implied(name)
            if self._foreign or name in FOREIGN_ROOTS:
                tag = with_namespaces(tag)
        self._has_begun = self._has_root = True
        if len(self._stack) >= self.max_depth:
            self._writer.say("xmlfix-depth-flattened", name)
            while len(self._stack) >= self.max_depth:
                self.close()
        if is_empty:
            self.tape.append(self._writer.empty(tag))
            if self.on_meta is not None and name == "meta":
                self.on_meta(tag)
            return
        self.tape.append(self._writer.start(tag))
        self._stack.append(name)
        self._open[name] = self._open.get(name, 0) + 1
        if self._xml:
            lower = name.lower()
            self._lower[lower] = self._lower.get(lower, 0) + 1
            if self._is_page and lower in RAW_IN_XHTML and not self._foreign:
                self.reader.raw(lower)
        if name in FOREIGN_ROOTS:
            self._foreign += 1
        elif name in RAW_TEXT and not self._foreign and not self._xml:
            self.reader.raw(name)

    def end_tag(self, name: str) -> None:
        if not self._open.get(name):
            if not self._lower.get(name.lower()):
                self._writer.say("xmlfix-end-tag-without-start", name)
                return
            self._writer.say("xmlfix-end-tag-in-other-case", name)
            lower = name.lower()
            name = next(
                open_name for open_name in reversed(self._stack) if open_name.lower() == lower
            )
        while self._stack[-1] != name:
            self._writer.say("xmlfix-missing-end-tag", self._stack[-1])
            self.close()
        self.close()

    def text(self, data: str) -> None:
        self.tape.append(self._writer.text(data))

    def comment(self, data: str) -> None:
        self.tape.append(self._writer.comment(data))

    def instruction(self, target: str, data: str) -> None:
        if target == "xml":
            if self.tape:
                self._writer.say("xmlfix-xml-declaration-dropped", "")
            return
        self.tape.append(self._writer.instruction(target, data))

    def doctype(self, doctype: Doctype) -> None:
        if self._has_begun:
            self._writer.say("xmlfix-doctype-dropped", doctype.name or "")
        else:
            self._has_begun = True  # no second DOCTYPE either
            self.tape.append(self._writer.doctype(doctype))

    def end(self) -> None:
        while self._stack:
            self._writer.say("xmlfix-missing-end-tag", self._stack[-1])
            self.close()

    def close(self) -> None:
        """Close the element on top of the stack."""
        name = self._stack.pop()
        self._open[name] -= 1
        if self._xml:
            self._lower[name.lower()] -= 1
        self.tape.append(self._writer.end(name))
        if name in FOREIGN_ROOTS:
            self._foreign -= 1

    def end_implied(self, name: str) -> None:
        """Close what HTML lets the start tag `name` end."""
        if name in CLOSES_P_HERE and self._open.get("p"):
            self.end_up_to(ONLY_P, BUTTON_SCOPE)
        if name in STACK_ENDS:
            self.end_up_to(*STACK_ENDS[name])

    def end_up_to(self, names: frozenset[str], barriers: frozenset[str]) -> None:
        """Close down to the lowest element of `names` that lies above all `barriers`."""
        if not any(self._open.get(name) for name in names):
            return
        lowest = len(self._stack)
        for index in range(len(self._stack) - 1, -1, -1):
            if self._stack[index] in barriers:
                break
            if self._stack[index] in names:
                lowest = index
        while len(self._stack) > lowest:
            self._writer.say("xmlfix-missing-end-tag", self._stack[-1])
            self.close()
