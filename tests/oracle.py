"""A slow parser that builds the standard's tree, to hold the fast one against.

xmlfix repairs without a DOM; this builds one, as a literal transcription of the chapter
"Tree construction" (WHATWG #tree-construction): here the document tree, the state of the
parser and the algorithms that the rules share, in oracle_rules.py, oracle_body.py and
oracle_table.py the rules of each insertion mode. Of xmlfix it uses the reader, as the source
of tokens, and nothing else.

Where the standard allows for scripts, none is run. Beyond the tree it keeps `counts`: how
often the rarer rules were applied, so that a test can prove what its input has reached.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from oracle_body import any_other_end_tag_in_body
from oracle_dom import Comment, Doctype, Element, Instruction, Node, Place, Text, Token
from oracle_facts import (
    BUTTON_SCOPE,
    FOREIGN_ATTRIBUTES,
    HTML,
    IMPLIED_END,
    IMPLIED_END_THOROUGHLY,
    MATHML,
    MATHML_TEXT_INTEGRATION_POINTS,
    SCOPE,
    SPECIAL,
    SVG,
    SVG_ATTRIBUTES,
    SVG_HTML_INTEGRATION_POINTS,
    ascii_lower,
)
from oracle_rules import RULES, in_foreign_content
from oracle_select import SelectedContent, nearest_select, settle

from xmlfix.read.rawtext import RAW_HOMES
from xmlfix.read.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.read.tokens import Doctype as DoctypeToken
    from xmlfix.read.tokens import Tag

CHARACTER_KINDS = dict.fromkeys("\t\n\f\r ", "space") | {"\0": "null"}


def parse(
    html: str, *, fragment: str | None = None, scripting: bool = False, pi: str = "comment"
) -> Node:
    """The tree of a document, or of a fragment.

    Args:
        html: the source text.
        fragment: the context element of a fragment ("td", "svg path"); None: a document.
        scripting: the scripting flag, which only decides what a noscript element holds.
        pi: what becomes of `<?target data?>`: "comment", "keep" or "drop".

    Returns:
        The document; for a fragment the root element that holds its nodes.
    """
    return Oracle(fragment=fragment, scripting=scripting, pi=pi).run(html)


# -- the parser ------------------------------------------------------------------------


class Oracle(SelectedContent):
    """A parser for one document or fragment.

    `counts` tells how often each of these happened: "adoption" (the agency moved nodes),
    "foster-element", "foster-text", "reconstruct", "noah", "implied-p-closed" and whatever
    else the algorithms below and the rules in oracle_rules.py count.
    """

    def __init__(
        self, *, fragment: str | None = None, scripting: bool = False, pi: str = "comment"
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.scripting = scripting
        self.document = Node()
        self.quirks = False
        self.mode = "initial"
        self.original_mode = ""
        self.template_modes: list[str] = []
        self.stack: list[Element] = []
        self.formatting: list[Element | None] = []  # None is a marker
        self.head: Element | None = None
        self.form: Element | None = None
        self.frameset_ok = True
        self.foster_parenting = False
        self.pending_table_characters: list[Token] = []
        self.skip_newline = False
        self.context: Element | None = None
        self.reader = Reader(self, pi=pi)
        if fragment is not None:
            self._start_fragment(fragment)

    def run(self, html: str) -> Node:
        """Parse the whole text (#concept-frag-parse for a fragment)."""
        self._tell_reader_about_cdata()
        self.reader.feed(html.replace("\r\n", "\n").replace("\r", "\n"), more=False)
        return self.document if self.context is None else self.document.children[0]

    def _start_fragment(self, context: str) -> None:
        """The steps of #parsing-html-fragments before the input is read."""
        namespace, _, name = context.rpartition(" ")
        self.context = self._create_element(Token("start", name), namespace)
        self.insert_root(self.start_tag_without_attributes("html"))
        if self.context.tag == "template":
            self.template_modes.append("in template")
        self.reset_insertion_mode()
        if self.context.tag == "form":
            self.form = self.context
        if context in RAW_HOMES and (context != "noscript" or self.scripting):
            # "there is no appropriate end tag token in the fragment case": no name is set
            self.reader.state = self.reader.home = RAW_HOMES[context]

    # -- what the reader says ----------------------------------------------------------

    def start_tag(self, tag: Tag) -> None:
        self.process(Token("start", tag.name, dict(tag.attrs), tag.self_closing))

    def end_tag(self, name: str) -> None:
        self.process(Token("end", name))

    def text(self, data: str) -> None:
        for char in data:
            self.process(Token(CHARACTER_KINDS.get(char, "char"), data=char))

    def comment(self, data: str) -> None:
        self.process(Token("comment", data=data))

    def instruction(self, target: str, data: str) -> None:
        self.process(Token("instruction", target, data=data))

    def doctype(self, doctype: DoctypeToken) -> None:
        self.process(
            Token(
                "doctype",
                doctype.name or "",
                public_id=doctype.public_id,
                system_id=doctype.system_id,
                force_quirks=doctype.force_quirks,
            )
        )

    def end(self) -> None:
        self.process(Token("eof"))

    def process(self, token: Token) -> None:
        """Take the next token, unless it is a newline that a start tag asked to ignore."""
        skip_newline, self.skip_newline = self.skip_newline, False
        if skip_newline and token.kind == "space" and token.data == "\n":
            self.counts["newline-skipped"] += 1
            return
        self.dispatch(token)
        self._tell_reader_about_cdata()

    def switch_tokenizer(self, name: str) -> None:
        """Switch the tokenizer to the state in which the text of such an element is read."""
        self.reader.raw(name)

    def _tell_reader_about_cdata(self) -> None:
        """#markup-declaration-open-state: "if there is an adjusted current node and …"."""
        node = self.adjusted_current
        self.reader.cdata = node is not None and node.namespace != HTML

    # -- #tree-construction-dispatcher -------------------------------------------------

    def dispatch(self, token: Token) -> None:
        """The tree construction dispatcher."""
        node = self.adjusted_current
        if (
            node is None
            or node.namespace == HTML
            or (
                self.is_mathml_text_integration_point(node)
                and token.kind == "start"
                and token.name not in ("mglyph", "malignmark")
            )
            or (self.is_mathml_text_integration_point(node) and token.is_character)
            or (node.tag == "math annotation-xml" and token.kind == "start" and token.name == "svg")
            or (self.is_html_integration_point(node) and token.kind == "start")
            or (self.is_html_integration_point(node) and token.is_character)
            or token.kind == "eof"
        ):
            self.use(self.mode, token)
        else:
            in_foreign_content(self, token)

    reprocess = dispatch

    def use(self, mode: str, token: Token) -> None:
        """Process the token using the rules for the insertion mode `mode`."""
        RULES[mode](self, token)

    def is_mathml_text_integration_point(self, node: Element) -> bool:
        """#mathml-text-integration-point."""
        return node.tag in MATHML_TEXT_INTEGRATION_POINTS

    def is_html_integration_point(self, node: Element) -> bool:
        """#html-integration-point."""
        if node.tag == "math annotation-xml":
            encoding = ascii_lower(node.token.attrs.get("encoding", ""))
            return encoding in ("text/html", "application/xhtml+xml")
        return node.tag in SVG_HTML_INTEGRATION_POINTS

    # -- #reset-the-insertion-mode-appropriately ---------------------------------------

    def reset_insertion_mode(self) -> None:
        """Reset the insertion mode appropriately."""
        self.mode = self._appropriate_mode()

    def _appropriate_mode(self) -> str:
        for node in reversed(self.stack):
            last = node is self.stack[0]
            if last and self.context is not None:
                node = self.context
            match node.tag:
                case "td" | "th" if not last:
                    return "in cell"
                case "tr":
                    return "in row"
                case "tbody" | "thead" | "tfoot":
                    return "in table body"
                case "caption":
                    return "in caption"
                case "colgroup":
                    return "in column group"
                case "table":
                    return "in table"
                case "template":
                    return self.template_modes[-1]
                case "head" if not last:
                    return "in head"
                case "body":
                    return "in body"
                case "frameset":
                    return "in frameset"
                case "html":
                    return "before head" if self.head is None else "after head"
            if last:
                return "in body"
        raise AssertionError("the stack of open elements is empty")

    # -- #the-stack-of-open-elements ---------------------------------------------------

    @property
    def current(self) -> Element:
        """The current node."""
        return self.stack[-1]

    @property
    def adjusted_current(self) -> Element | None:
        """The adjusted current node; None while the stack is empty."""
        if self.context is not None and len(self.stack) == 1:
            return self.context
        return self.stack[-1] if self.stack else None

    def has_open(self, tag: str) -> bool:
        """Whether there is such an element on the stack of open elements."""
        return any(node.tag == tag for node in self.stack)

    def in_scope(self, *tags: str, scope: frozenset[str] = SCOPE) -> bool:
        """#has-an-element-in-the-specific-scope, for an element with one of these tags."""
        return self._has_in_scope(lambda node: node.tag in tags, scope)

    def element_in_scope(self, element: Element) -> bool:
        """#has-an-element-in-the-specific-scope, for this element."""
        return self._has_in_scope(lambda node: node is element, SCOPE)

    def _has_in_scope(self, is_target: Callable[[Element], bool], scope: frozenset[str]) -> bool:
        for node in reversed(self.stack):
            if is_target(node):
                return True
            if node.tag in scope:
                return False
        return False

    def pop(self) -> Element:
        """Pop the current node."""
        node = self.stack.pop()
        if node.tag == "option":
            self.option_left_stack(node)
        return node

    def remove_from_stack(self, element: Element) -> None:
        """Remove an element from anywhere in the stack."""
        self.stack.remove(element)
        if element.tag == "option":
            self.option_left_stack(element)

    def pop_until(self, *tags: str) -> None:
        """Pop elements until one with one of these tags has been popped."""
        while self.pop().tag not in tags:
            pass

    def pop_until_element(self, element: Element) -> None:
        """Pop elements until this one has been popped."""
        while self.pop() is not element:
            pass

    def generate_implied_end_tags(self, excluded: str = "") -> None:
        """#generate-implied-end-tags, except for elements with the tag `excluded`."""
        while self.current.tag in IMPLIED_END and self.current.tag != excluded:
            self.pop()

    def generate_all_implied_end_tags_thoroughly(self) -> None:
        """#generate-all-implied-end-tags-thoroughly."""
        while self.current.tag in IMPLIED_END_THOROUGHLY:
            self.pop()

    def close_p_in_button_scope(self) -> None:
        """If the stack has a p element in button scope, then close a p element."""
        if self.in_scope("p", scope=BUTTON_SCOPE):
            self.counts["implied-p-closed"] += 1
            self.close_p()

    def close_p(self) -> None:
        """#close-a-p-element."""
        self.generate_implied_end_tags(excluded="p")
        self.pop_until("p")

    def stop_parsing(self) -> None:
        """#stop-parsing: pop all the nodes off the stack of open elements."""
        while self.stack:
            self.pop()

    # -- #the-list-of-active-formatting-elements ---------------------------------------

    def insert_marker(self) -> None:
        """Insert a marker at the end of the list of active formatting elements."""
        self.formatting.append(None)

    def clear_formatting_to_marker(self) -> None:
        """#clear-the-list-of-active-formatting-elements-up-to-the-last-marker."""
        while self.formatting and self.formatting.pop() is not None:
            pass

    def _formatting_after_last_marker(self) -> list[Element]:
        """The elements between the last marker, or the start of the list, and its end."""
        elements: list[Element] = []
        for entry in self.formatting:
            if entry is None:
                elements.clear()
            else:
                elements.append(entry)
        return elements

    def last_formatting_element(self, tag: str) -> Element | None:
        """The last such element between the end of the list and the last marker."""
        for element in reversed(self._formatting_after_last_marker()):
            if element.tag == tag:
                return element
        return None

    def push_formatting(self, element: Element) -> None:
        """#push-onto-the-list-of-active-formatting-elements, with the Noah's Ark clause."""
        family = [
            entry
            for entry in self._formatting_after_last_marker()
            if entry.tag == element.tag and entry.token.attrs == element.token.attrs
        ]
        if len(family) >= 3:
            self.counts["noah"] += 1
            self.formatting.remove(family[0])
        self.formatting.append(element)

    def reconstruct_formatting(self) -> None:
        """#reconstruct-the-active-formatting-elements."""
        if not self.formatting or self._is_marker_or_open(self.formatting[-1]):
            return
        index = len(self.formatting) - 1
        while index > 0 and not self._is_marker_or_open(self.formatting[index - 1]):  # "rewind"
            index -= 1
        while index < len(self.formatting):  # "advance", "create"
            entry = self.formatting[index]
            assert entry is not None
            self.counts["reconstruct"] += 1
            self.formatting[index] = self.insert_html(entry.token)
            index += 1

    def _is_marker_or_open(self, entry: Element | None) -> bool:
        return entry is None or entry in self.stack

    # -- #adoption-agency-algorithm ----------------------------------------------------

    def run_adoption_agency(self, token: Token) -> None:
        """Close a formatting element, moving what was opened in it where it is misnested."""
        subject = token.name
        if self.current.tag == subject and self.current not in self.formatting:
            self.pop()
            return
        for _ in range(8):  # "outer loop counter"
            formatting_element = self.last_formatting_element(subject)
            if formatting_element is None:
                any_other_end_tag_in_body(self, token)
                return
            if formatting_element not in self.stack:
                self.formatting.remove(formatting_element)
                return
            if not self.element_in_scope(formatting_element):
                self.counts["adoption-out-of-scope"] += 1
                return
            below = self.stack[self.stack.index(formatting_element) + 1 :]
            furthest_block = next((node for node in below if node.tag in SPECIAL), None)
            if furthest_block is None:
                self.pop_until_element(formatting_element)
                self.formatting.remove(formatting_element)
                return
            self.counts["adoption"] += 1
            self._adopt(formatting_element, furthest_block)
        self.counts["adoption-limit"] += 1

    def _adopt(self, formatting_element: Element, furthest_block: Element) -> None:
        """One turn of the outer loop, from "let common ancestor be …" on."""
        common_ancestor = self.stack[self.stack.index(formatting_element) - 1]
        bookmark = self.formatting.index(formatting_element)
        last_node = furthest_block
        position = self.stack.index(furthest_block)
        inner_loop_counter = 0
        while True:
            inner_loop_counter += 1
            position -= 1  # whether or not the node at `position` has been removed
            node = self.stack[position]
            if node is formatting_element:
                break
            if inner_loop_counter > 3 and node in self.formatting:
                self.counts["adoption-inner-limit"] += 1
                if self.formatting.index(node) < bookmark:
                    bookmark -= 1
                self.formatting.remove(node)
            if node not in self.formatting:
                self.remove_from_stack(node)
                continue
            new = self._create_element(node.token, HTML)
            self.formatting[self.formatting.index(node)] = new
            self.stack[position] = new
            node = new
            if last_node is furthest_block:
                bookmark = self.formatting.index(node) + 1
            node.insert(last_node)
            last_node = node
        place = self.appropriate_place(common_ancestor)
        if place.fostered:
            self.counts["foster-adopted"] += 1
        place.parent.insert(last_node, place.before)
        new = self._create_element(formatting_element.token, HTML)
        for child in list(furthest_block.children):
            new.insert(child)
        furthest_block.insert(new)
        if self.formatting.index(formatting_element) < bookmark:
            bookmark -= 1
        self.formatting.remove(formatting_element)
        self.formatting.insert(bookmark, new)
        self.stack.remove(formatting_element)
        self.stack.insert(self.stack.index(furthest_block) + 1, new)
        for select in self.stack:
            if select.tag == "select":
                settle(select)

    # -- #creating-and-inserting-nodes -------------------------------------------------

    def appropriate_place(self, override: Element | None = None) -> Place:
        """#appropriate-place-for-inserting-a-node."""
        target = self.current if override is None else override
        place = Place(target)
        if self.foster_parenting and target.tag in ("table", "tbody", "tfoot", "thead", "tr"):
            place = self._foster_place()
        if isinstance(place.parent, Element) and place.parent.content is not None:
            place = place._replace(parent=place.parent.content, before=None)
        return place

    def _foster_place(self) -> Place:
        """The place for what is misnested in a table."""
        opened = range(len(self.stack) - 1, -1, -1)
        last_template = next((i for i in opened if self.stack[i].tag == "template"), None)
        last_table = next((i for i in opened if self.stack[i].tag == "table"), None)
        if last_template is not None and (last_table is None or last_template > last_table):
            self.counts["foster-in-template"] += 1
            return Place(self.stack[last_template], fostered=True)
        if last_table is None:
            self.counts["foster-in-root"] += 1
            return Place(self.stack[0], fostered=True)
        table = self.stack[last_table]
        if table.parent is not None:
            return Place(table.parent, table, fostered=True)
        return Place(self.stack[last_table - 1], fostered=True)

    def start_tag_without_attributes(self, name: str) -> Token:
        """A start tag token that is not in the source."""
        return Token("start", name)

    def _create_element(
        self, token: Token, namespace: str, attrs: dict[str, str] | None = None
    ) -> Element:
        """#create-an-element-for-the-token."""
        return Element(token, namespace, token.attrs if attrs is None else attrs)

    def insert_html(self, token: Token) -> Element:
        """#insert-an-html-element."""
        return self._insert_element(self._create_element(token, HTML))

    def insert_implied(self, name: str) -> Element:
        """Insert an HTML element for a start tag token with no attributes."""
        return self.insert_html(self.start_tag_without_attributes(name))

    def insert_void(self, token: Token) -> None:
        """Insert an HTML element and immediately pop it; acknowledge the self-closing flag."""
        self.insert_html(token)
        self.pop()

    def insert_foreign(self, token: Token, namespace: str) -> Element:
        """#insert-a-foreign-element, after the adjustments that the rules ask for."""
        self.counts["foreign"] += 1
        attrs = {}
        for name, value in token.attrs.items():
            if namespace == MATHML and name == "definitionurl":  # #adjust-mathml-attributes
                name = "definitionURL"
            if namespace == SVG:
                name = SVG_ATTRIBUTES.get(name, name)
            attrs[FOREIGN_ATTRIBUTES.get(name, name)] = value
        return self._insert_element(self._create_element(token, namespace, attrs))

    def _insert_element(self, element: Element) -> Element:
        place = self.appropriate_place()
        if place.fostered:
            self.counts["foster-element"] += 1
        place.parent.insert(element, place.before)
        self.stack.append(element)
        if element.tag == "selectedcontent":
            self.selectedcontent_inserted(element)
        elif element.tag == "option":
            select = nearest_select(element)
            if select is not None:
                settle(select)
        return element

    def insert_root(self, token: Token) -> None:
        """Create an html element, append it to the Document and put it on the stack."""
        element = self._create_element(token, HTML)
        self.document.insert(element)
        self.stack.append(element)

    def insert_character(self, data: str) -> None:
        """#insert-a-character."""
        place = self.appropriate_place()
        if place.fostered:
            self.counts["foster-text"] += 1
        previous = place.previous()
        if isinstance(previous, Text):
            previous.characters.append(data)
        else:
            place.parent.insert(Text(data), place.before)

    def insert_comment(self, token: Token, parent: Node | None = None) -> None:
        """#insert-a-comment, as the last child of `parent` if that is given."""
        place = self.appropriate_place() if parent is None else Place(parent)
        if token.kind == "instruction":
            place.parent.insert(Instruction(token.name, token.data), place.before)
        else:
            place.parent.insert(Comment(token.data), place.before)

    def insert_doctype(self, token: Token) -> None:
        """Append a DocumentType node to the Document node."""
        self.document.insert(Doctype(token.name, token.public_id or "", token.system_id or ""))

    def parse_text_only(self, token: Token) -> None:
        """#parsing-elements-that-contain-only-text, RCDATA, raw text and script alike."""
        self.insert_html(token)
        self.switch_tokenizer(token.name)
        self.original_mode = self.mode
        self.mode = "text"
