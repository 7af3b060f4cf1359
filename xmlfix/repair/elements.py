"""The stack of open elements and the list of active formatting elements, over the tape.

Source: WHATWG #the-stack-of-open-elements, #the-list-of-active-formatting-elements,
#creating-and-inserting-nodes.
"""

from __future__ import annotations

from xmlfix.elements import BUTTON_SCOPE, IMPLIED_END, KEPT_AT_DEPTH, SCOPE, TABLE_LIKE
from xmlfix.read.tokens import Tag
from xmlfix.repair.vocabulary import NAMESPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from xmlfix.options import Options
    from xmlfix.read.reader import Reader
    from xmlfix.write.tape import Box
    from xmlfix.write.xml import Writer

HTML, SVG, MATHML = 0, 1, 2
# the start tags of elements that have none in the source
IMPLIED_TAGS = {name: Tag(name) for name in "body br colgroup head html p tbody tr".split()}
NO_NAMESPACE = -1  # of what is above the root
NO_SLOT = 1 << 62  # past any index of a tape
OUTPUT_ALLOWANCE = 1 << 20  # characters of formatting that may be repeated in any case


class Element:
    """An open element: its place on the tape, and what the rules ask of it.

    Attributes:
        name: the HTML name, or that of a foreign element after "svg " or "math ".
        tag: its start tag; formatting elements are made anew from it.
        namespace: HTML, SVG or MATHML.
        outer: the namespace of its parent.
        home: the box that has its start and end tag; the former at index `at`.
        box: the box that its content goes to, nearly always the same.
        end: its end tag; "" once that has been written early, at `max_depth`.
        depth: how many elements it is nested in, itself included; at least that.
        is_open: whether it is on the stack.
        is_listed: whether it is in the list of active formatting elements.
        waiting: end tags to write after its own, of elements taken from the stack below it.
        slot: of a table, where what is foster-parented goes; at the index `slot_at` of `home`.
        after: a box to write after its end tag.
        is_html_point: whether it is an HTML integration point.
        on_close: called with it when it has been closed.
    """

    __slots__ = (
        "after", "at", "box", "depth", "end", "home", "is_html_point", "is_listed",
        "is_open", "name", "namespace", "on_close", "outer", "slot", "slot_at", "tag", "waiting",
    )  # fmt: skip

    def __init__(
        self, name: str, tag: Tag, namespace: int, box: Box, at: int, end: str, depth: int
    ) -> None:
        self.name = name
        self.tag = tag
        self.namespace = namespace
        self.home = self.box = box
        self.at = at
        self.end = end
        self.depth = depth
        self.outer = HTML
        self.is_open = True
        self.is_listed = False
        self.is_html_point = False
        self.waiting: list[str] | None = None
        self.slot: Box | None = None
        self.slot_at = -1
        self.after: Box | None = None
        self.on_close: Callable[[Element], None] | None = None

    def __repr__(self) -> str:
        return f"<Element {self.name}>"


class OpenElements:
    """The stack and the list, and the few ways in which they write on the tape.

    Args:
        options: the limits and `xhtml` matter here.
        writer: makes the chunks.
        tape: the outermost box.
    """

    reader: Reader

    def __init__(self, options: Options, writer: Writer, tape: Box) -> None:
        self.options = options
        self.writer = writer
        self.tape = tape
        self.max_depth = options.max_depth
        self.stack: list[Element] = []
        self.formatting: list[Element | None] = []  # None is a marker
        # how many of those since the last marker are alike, by `Tag.key`; None if not known
        self.alike: dict[Any, int] | None = None
        self.fostering = False
        self.open_p = 0  # how many p elements are on the stack
        self.open_templates = 0
        self.told: set[Element] = set()  # open elements whose missing end tags are reported
        self.open_foreign: dict[str, int] = {}  # foreign elements by name in lower case
        self.repeated = 0  # characters of formatting tags that were written again

    def say(self, code: str, detail: str = "", attribute: str = "") -> None:
        """Report a repair, if anyone listens; `attribute` is the name of what it is about."""
        self.writer.say(code, detail, attribute)

    # ── where things go ──────────────────────────────────────────────────────

    def place(self) -> tuple[Box, int, int]:
        """The appropriate place for inserting a node: box, depth and namespace of the parent.

        Source: WHATWG #appropriate-place-for-inserting-a-node.
        """
        parent = self.stack[-1]
        if self.fostering and parent.name in TABLE_LIKE:
            return self.foster_place()
        return parent.box, parent.depth, parent.namespace

    def foster_place(self) -> tuple[Box, int, int]:
        """Where foster parenting puts a node [#foster-parent].

        Before the table; where a template or nothing is nearer than any table, after the
        last child of the template or of the fragment's root.
        """
        stack = self.stack
        index = len(stack) - 1
        while index > 0 and stack[index].name != "table" and stack[index].name != "template":
            index -= 1
        target = stack[index]
        if target.slot is not None:
            if self.has_no_parent(index):  # then the place is in the element above
                above = stack[index - 1]
                return above.box, above.depth, above.namespace
            if target.slot is target.box:  # a stream could not wait: nothing is moved
                parent = stack[-1]
                return parent.box, parent.depth, parent.namespace
            return target.slot, target.depth - 1, target.outer
        last_child = stack[index + 1]
        if last_child.after is None:
            last_child.after = []
        return last_child.after, target.depth, target.namespace

    def has_no_parent(self, index: int) -> bool:
        """Whether stack[index] has been removed from the document, and not what contains it."""
        return False

    def can_carry(self, moved: list[Element]) -> bool:
        """Whether the adoption agency can move elements that are not all in one box."""
        return False

    def carry(self, position: int, furthest: int) -> Box:
        """What the adoption agency writes before stack[furthest] to end what is around it.

        Args:
            position: of the formatting element.
        """
        before: Box = list(self.stack[furthest].waiting or ())
        for element in reversed(self.stack[position:furthest]):
            before.append(element.end)
            before.extend(element.waiting or ())
        return before

    def make_room(self) -> None:
        """Let the next element take the place of the deepest open one.

        Ordinary elements are closed. One that the rules rely on stays on the stack, but
        its end tag is written now.
        """
        self.say("xmlfix-depth-flattened", self.stack[-1].name)
        while self.stack[-1].depth >= self.max_depth:
            deepest = self.stack[-1]
            if deepest.name in KEPT_AT_DEPTH:
                if deepest.end:
                    deepest.home.append(deepest.end)
                    deepest.end = ""
                return
            self.unlist(deepest)
            self.pop()

    # ── inserting ────────────────────────────────────────────────────────────

    def insert(self, tag: Tag, namespace: int = HTML, prefix: str = "") -> Element:
        """Insert an element and make it the current node [#insert-a-foreign-element]."""
        if tag.self_closing and namespace == HTML:
            self.say("non-void-html-element-start-tag-with-trailing-solidus", tag.name)
        box, depth, outer = self.place()
        if depth >= self.max_depth and box is self.stack[-1].box:
            self.make_room()
            box, depth, outer = self.place()
        start = self.writer.start(tag, self.declaration(namespace, outer))
        element = Element(
            prefix + tag.name,
            tag,
            namespace,
            box,
            len(box),
            self.writer.end(tag.name),
            min(depth + 1, self.max_depth),
        )
        element.outer = outer
        box.append(start)
        self.stack.append(element)
        if element.name == "p":
            self.open_p += 1
        elif element.name == "template":
            self.open_templates += 1
        elif namespace > HTML:
            lower = tag.name.lower()
            self.open_foreign[lower] = self.open_foreign.get(lower, 0) + 1
        return element

    def insert_empty(self, tag: Tag) -> None:
        """Insert an element and immediately pop it."""
        if not tag.self_closing:
            self.say("xmlfix-void-element", tag.name)
        box, depth, outer = self.place()
        if depth >= self.max_depth and box is self.stack[-1].box:
            self.make_room()
            box, depth, outer = self.place()
        box.append(self.writer.empty(tag, self.declaration(HTML, outer)))

    def declaration(self, namespace: int, outer: int) -> str:
        """The namespace to declare on an element with that of its parent, "" for none."""
        return NAMESPACES[namespace] if self.options.xhtml and namespace != outer else ""

    def insert_text(self, data: str) -> None:
        """Insert characters [#insert-a-character]."""
        parent = self.stack[-1]
        if self.fostering and parent.name in TABLE_LIKE:
            self.foster_place()[0].append(self.writer.text(data))
        else:
            parent.box.append(self.writer.text(data))

    def insert_comment(self, chunk: str) -> None:
        """Insert a comment, as the writer has made it [#insert-a-comment]."""
        self.place()[0].append(chunk)

    # ── popping ──────────────────────────────────────────────────────────────

    def pop(self) -> Element:
        """Pop the current node and write what closes it."""
        element = self.stack.pop()
        element.is_open = False
        home = element.home
        home.append(element.end)
        if element.waiting:
            home.extend(element.waiting)
        if element.after is not None:
            home.append(element.after)
        self.forget(element)
        if element.on_close is not None:
            element.on_close(element)
        return element

    def forget(self, element: Element) -> None:
        """Keep the counts of an element that has left the stack."""
        if element.name == "p":
            self.open_p -= 1
        elif element.name == "template":
            self.open_templates -= 1
        elif element.namespace > HTML:
            self.open_foreign[element.tag.name.lower()] -= 1

    def pop_unclosed(self) -> None:
        """Pop an element that has no end tag of its own."""
        if self.writer.report is not None:
            self.say_unclosed(self.stack[-1])
        self.pop()

    def say_unclosed(self, element: Element) -> None:
        """Report an element without an end tag, unless it has no start tag either."""
        if element.tag is not IMPLIED_TAGS.get(element.tag.name) and element not in self.told:
            self.say("xmlfix-missing-end-tag", element.tag.name)

    def pop_until(self, name: str, *, has_end_tag: bool = True) -> None:
        """Pop until an element `name` has been popped; `has_end_tag` says if by its own."""
        while self.stack[-1].name != name:
            self.pop_unclosed()
        if has_end_tag:
            self.pop()
        else:
            self.pop_unclosed()

    def pop_until_one_of(self, names: frozenset[str]) -> None:
        """Pop until an element of `names` has been popped."""
        while self.stack[-1].name not in names:
            self.pop_unclosed()
        self.pop()

    def clear_back_to(self, names: frozenset[str]) -> None:
        """Pop while the current node is none of `names`.

        Source: WHATWG #clear-the-stack-back-to-a-table-context.
        """
        while self.stack[-1].name not in names:
            self.pop_unclosed()

    def remove(self, element: Element) -> None:
        """Take an element from the stack, wherever it is there.

        Its end tag waits for the element above it, which is inside it on the tape.
        """
        if self.stack[-1] is element:
            self.pop()
            return
        index = len(self.stack) - 1
        while self.stack[index] is not element:
            index -= 1
        above = self.stack[index + 1]
        above.waiting = [*(above.waiting or ()), element.end, *(element.waiting or ())]
        del self.stack[index]
        element.is_open = False
        self.forget(element)

    # ── asking ───────────────────────────────────────────────────────────────

    def in_scope(self, name: str, markers: frozenset[str] = SCOPE) -> bool:
        """Whether an element `name` is in a scope [#has-an-element-in-the-specific-scope]."""
        for element in reversed(self.stack):
            if element.name == name:
                return True
            if element.name in markers:
                return False
        return False

    def one_in_scope(self, names: frozenset[str], markers: frozenset[str] = SCOPE) -> bool:
        """Whether one of `names` is in a scope."""
        for element in reversed(self.stack):
            if element.name in names:
                return True
            if element.name in markers:
                return False
        return False

    def is_in_scope(self, wanted: Element) -> bool:
        """Whether this very element is in scope."""
        for element in reversed(self.stack):
            if element is wanted:
                return True
            if element.name in SCOPE:
                return False
        return False

    # ── implied end tags ─────────────────────────────────────────────────────

    def generate_implied_end_tags(self, but: str = "", names: frozenset[str] = IMPLIED_END) -> None:
        """Generate implied end tags, except for `but` [#generate-implied-end-tags]."""
        while self.stack[-1].name in names and self.stack[-1].name != but:
            self.pop_unclosed()

    def close_p(self, *, has_end_tag: bool = False) -> None:
        """Close a p element if one is in button scope [#close-a-p-element]."""
        if self.open_p and self.in_scope("p", BUTTON_SCOPE):
            self.generate_implied_end_tags("p")
            self.pop_until("p", has_end_tag=has_end_tag)

    # ── active formatting elements ───────────────────────────────────────────

    def push_formatting(self, element: Element) -> None:
        """Push onto the list of active formatting elements.

        Source: WHATWG #push-onto-the-list-of-active-formatting-elements.
        """
        key = element.tag.key
        alike = self.count_alike()
        index = -1  # of one that has to go
        if alike.get(key, 0) >= 3:  # the Noah's Ark clause
            index = self.earliest_alike(key)
        elif len(self.formatting) >= self.options.max_formatting:
            count = sum(alike.values())
            if count >= self.options.max_formatting:
                self.say("xmlfix-too-much-formatting", element.name)
                index = len(self.formatting) - count
        if index >= 0:
            self.alike = None
            alike[self.unlist_at(index).tag.key] -= 1
            self.alike = alike  # it stood after the last marker
        self.list_formatting(element)

    def list_formatting(self, element: Element) -> None:
        """Put an element at the end of the list of active formatting elements."""
        self.formatting.append(element)
        element.is_listed = True
        if self.alike is not None:
            key = element.tag.key
            self.alike[key] = self.alike.get(key, 0) + 1

    def push_marker(self) -> None:
        """Put a marker at the end of the list of active formatting elements."""
        self.formatting.append(None)
        self.alike = {}

    def count_alike(self) -> dict[Any, int]:
        """How many of the active formatting elements since the last marker have each key."""
        if self.alike is None:
            self.alike = {}
            for entry in reversed(self.formatting):
                if entry is None:
                    break
                key = entry.tag.key
                self.alike[key] = self.alike.get(key, 0) + 1
        return self.alike

    def earliest_alike(self, key: object) -> int:
        """The index of the first entry with a key after the last marker; there is one."""
        found = -1
        for index in range(len(self.formatting) - 1, -1, -1):
            entry = self.formatting[index]
            if entry is None:
                break
            if entry.tag.key == key:
                found = index
        return found

    def unlist(self, element: Element) -> None:
        """Remove an element from the list of active formatting elements, if it is there."""
        if element.is_listed:
            index = len(self.formatting) - 1
            while self.formatting[index] is not element:
                index -= 1
            self.unlist_at(index)

    def unlist_at(self, index: int) -> Element:
        """Remove the entry at `index` from the list of active formatting elements."""
        is_last = index == len(self.formatting) - 1
        entry = self.formatting.pop(index)
        assert entry is not None  # markers only go when the list is cleared
        entry.is_listed = False
        if not is_last:
            self.alike = None  # it may have stood before the last marker
        elif self.alike is not None:
            self.alike[entry.tag.key] -= 1
        return entry

    def reconstruct(self) -> None:
        """Reconstruct the active formatting elements.

        Source: WHATWG #reconstruct-the-active-formatting-elements.
        """
        if not self.must_reopen():
            return
        formatting = self.formatting
        if self.stack[-1].depth >= self.max_depth:
            return
        first = len(formatting) - 1
        while first > 0:
            before = formatting[first - 1]
            if before is None or before.is_open:
                break
            first -= 1
        limit = self.options.max_repetition * self.reader.start + OUTPUT_ALLOWANCE
        if self.repeated > limit:
            self.say("xmlfix-formatting-limit")
            while len(formatting) > first:
                self.unlist_at(first)
            return
        for index in range(first, len(formatting)):
            entry = formatting[index]
            assert entry is not None  # the walk back stopped at a marker
            if self.stack[-1].depth >= self.max_depth:
                return
            self.say("xmlfix-formatting-reopened", entry.name)
            entry.is_listed = False
            report, self.writer.report = self.writer.report, None  # all about it has been said
            formatting[index] = copy = self.insert(entry.tag)
            self.writer.report = report
            copy.is_listed = True
            self.repeated += len(entry.tag.name) * 2 + len(str(copy.home[copy.at]))

    def must_reopen(self) -> bool:
        """Whether formatting elements are active that are no longer open."""
        last = self.formatting[-1] if self.formatting else None
        return last is not None and not last.is_open

    def open_formatting(self) -> list[str]:
        """The names of the active formatting elements since the last marker, in order."""
        names = []
        for entry in reversed(self.formatting):
            if entry is None:
                break
            names.append(entry.name)
        return names[::-1]

    def clear_to_marker(self) -> None:
        """Clear the list of active formatting elements up to the last marker."""
        self.alike = None
        while self.formatting:
            entry = self.formatting.pop()
            if entry is None:
                return
            entry.is_listed = False
