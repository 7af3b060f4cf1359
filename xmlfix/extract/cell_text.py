"""What a cell says, as one str: lines kept apart, white space folded, markup left out."""

from __future__ import annotations

import re

from lxml import etree

from xmlfix.elements import LINES
from xmlfix.extract.grid import XHTML, local_name
from xmlfix.extract.hidden import is_hidden
from xmlfix.tree import local_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from xmlfix.tree import Element

# what browsers never show, and the text that stands in for media that they do show
UNSEEN: Final = frozenset(
    "audio canvas datalist iframe noembed noframes script style template video".split()
)
# the same in drawings and formulas, by the elements that it is in
UNSEEN_IN: Final = {
    "annotation": ("semantics",),
    "annotation-xml": ("semantics",),
    "defs": ("svg", "g"),
    "desc": ("svg", "g"),
    "metadata": ("svg", "g"),
    "title": ("svg", "g"),
    "script": ("svg", "g", "defs"),
    "style": ("svg", "g", "defs"),
}
VERBATIM: Final = frozenset("listing plaintext pre textarea xmp".split())

_WORDS = re.compile(r"[^ \t\n\f\r]+").findall
_DROPPED = re.compile(r"[\t\n\r]")  # by every reader of addresses: WHATWG URL #url-parsing
_UNFIT = re.compile(r"[\x00-\x20\x7f()<>\\]")
_ENDS = "".join(map(chr, range(0x21)))
_BRACKETS = re.compile(r"[\\\[\]]")


class TextReader:
    """Reads the text of cells.

    Args:
        br: what stands between two lines of a cell: where it has `<br>`, and where a block
            (paragraph, list item, row of an inner table) begins or ends.
        nested: "text": the text of an inner table is part of that of the outer cell;
            "drop": it is not.
        links: write a link as `[text](href)`, with a backslash before brackets and backslashes
            in its text.
        hidden: "drop": leave out what the markup itself hides (see `is_hidden`); "keep": do not.
        escape: what is done to all text, and to the addresses of links, but not to the brackets
            of a link.

    The text of each inner table is read once, however deep it is, and nothing recurses.

    >>> cell = etree.fromstring("<td>Tea<br/> <b>3.20</b>\\n a cup<p>hot</p></td>")
    >>> TextReader().read(cell)
    'Tea\\n3.20 a cup\\nhot'
    """

    def __init__(
        self,
        *,
        br: str = "\n",
        nested: str = "text",
        links: bool = False,
        hidden: str = "drop",
        escape: Callable[[str], str] | None = None,
    ) -> None:
        self._br = br
        self._nested = nested
        self._links = links
        self._hidden = hidden
        self._escape = escape
        self._tables: dict[Element, str] = {}

    def read(self, cell: Element) -> str:
        """The text of a cell, or of any other element."""
        if not len(cell) and local_name(cell) not in VERBATIM:
            words = " ".join(_WORDS(cell.text or "")).strip()
            return words if self._escape is None else self._escape(words)
        text = self._walk(cell)
        if text is None:  # there are inner tables that have not been read yet
            for table in reversed(_tables_in(cell)):  # the innermost come first
                if table not in self._tables:
                    self._tables[table] = self._walk(table) or ""
            text = self._walk(cell)
        return text or ""

    def links_of(self, cell: Element) -> list[tuple[str, str]]:
        """The text and the `href` of each link in a cell, but for those of inner tables.

        >>> cell = etree.fromstring('<td>see <a href="t">all <b>teas</b></a></td>')
        >>> TextReader().links_of(cell)
        [('all teas', 't')]
        """
        found = []
        plain = TextReader(br=" ", nested="drop", hidden=self._hidden)
        walk = etree.iterwalk(cell, events=("start",))
        for _, node in walk:
            name = local_name(node)
            if node is not cell and (name == "table" or self._skips(node, name)):
                walk.skip_subtree()
            elif name == "a" and node.get("href") is not None:
                found.append((plain.read(node), node.get("href") or ""))
        return found

    def escaping(self, escape: Callable[[str], str]) -> TextReader:
        """One that reads the same, but escapes the text."""
        return TextReader(
            br=escape(self._br),
            nested=self._nested,
            links=self._links,
            hidden=self._hidden,
            escape=escape,
        )

    @property
    def writes_links(self) -> bool:
        return self._links

    def leaves_out(self, element: Element) -> bool:
        """Whether an element is left out because the markup hides it."""
        return self._hidden == "drop" and is_hidden(element)

    def _skips(self, element: Element, name: str) -> bool:
        return name in UNSEEN or _is_unseen_part(element) or self.leaves_out(element)

    def _walk(self, root: Element) -> str | None:
        """The text of an element, given that of the tables in it; None if one is not known."""
        lines = _Lines(self._escape)
        verbatim = local_name(root) in VERBATIM
        depth = int(verbatim)  # elements that keep white space
        lines.add(root.text, depth)
        walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, node in walk:
            if node is root:
                continue
            if event in ("comment", "pi"):
                lines.add(node.tail, depth)
                continue
            name = local_name(node)
            if event == "start":
                if self._skips(node, name):
                    walk.skip_subtree()
                elif name == "table":
                    walk.skip_subtree()
                    lines.end()
                    if self._nested == "text":
                        if node not in self._tables:
                            return None
                        lines.whole(self._tables[node])
                elif name == "br":
                    lines.end(even_if_empty=True)
                else:
                    if name in LINES:
                        lines.end()
                    elif name in ("td", "th"):
                        lines.add(" ", 0)
                    depth += name in VERBATIM
                    if self._links and name == "a" and node.get("href") is not None:
                        lines.begin_link(node.get("href") or "")
                    lines.add(node.text, depth)
                continue
            if not self._skips(node, name) and name not in ("table", "br"):
                if self._links and name == "a" and node.get("href") is not None:
                    lines.end_link()
                depth -= name in VERBATIM
                if name in LINES:
                    lines.end()
            lines.add(node.tail, depth)
        return lines.joined(self._br)


class _Lines:
    """Lines of text as they come together.

    The bracket that begins a link waits for text, and the one that ends it stands right after
    text, so that neither is on a line without any.
    """

    __slots__ = ("_escape", "_keep", "_line", "_lines", "_links", "_waiting")

    def __init__(self, escape: Callable[[str], str] | None) -> None:
        self._escape = escape
        self._lines: list[str] = []
        self._line: list[str] = []
        self._keep = False  # whether the line has white space to keep
        self._links: list[str] = []  # the addresses of the links that are open
        self._waiting = 0  # how many of them have had no text

    def add(self, text: str | None, verbatim: int) -> None:
        if not text:
            return
        if not verbatim:
            self._line.append(self._part(text))
            return
        first, *more = text.split("\n")
        self._line.append(self._part(first))
        self._keep = True
        for line in more:
            self.end(even_if_empty=True)
            self._line.append(self._part(line))
            self._keep = True

    def _part(self, text: str) -> str:
        """A part of a line, with the brackets that have waited for it."""
        if self._escape is not None:
            text = self._escape(text)
        elif self._links:
            text = _BRACKETS.sub(r"\\\g<0>", text)
        if self._waiting and text.strip():
            start = len(text) - len(text.lstrip())
            text = text[:start] + "[" * self._waiting + text[start:]
            self._waiting = 0
        return text

    def begin_link(self, href: str) -> None:
        self._links.append(href)
        self._waiting += 1

    def end_link(self) -> None:
        target = _target(self._links.pop())
        mark = f"]({target if self._escape is None else self._escape(target)})"
        if self._waiting:  # the link has no text
            self._line.append("[" * self._waiting + mark)
            self._waiting = 0
        elif any(part.strip() for part in self._line) or not self._lines:
            spaces: list[str] = []
            while self._line and not self._line[-1].strip():
                spaces.append(self._line.pop())
            text = self._line.pop() if self._line else ""
            end = len(text.rstrip())
            self._line += [text[:end] + mark, text[end:], *reversed(spaces)]
        else:  # a block has ended with the text
            at = len(self._lines) - 1
            while at > 0 and not self._lines[at]:
                at -= 1
            self._lines[at] += mark

    def whole(self, text: str) -> None:
        if not text:
            return
        if self._links and self._escape is None:
            text = _BRACKETS.sub(r"\\\g<0>", text)
        self._lines.append("[" * self._waiting + text)
        self._waiting = 0

    def end(self, *, even_if_empty: bool = False) -> None:
        if not self._line and not even_if_empty:
            return
        text = "".join(self._line)
        text = text.rstrip() if self._keep else " ".join(_WORDS(text)).strip()
        if text or even_if_empty:
            self._lines.append(text)
        self._line = []
        self._keep = False

    def joined(self, br: str) -> str:
        self.end()
        lines = self._lines
        start = 0
        end = len(lines)
        while start < end and not lines[start]:
            start += 1
        while end > start and not lines[end - 1]:
            end -= 1
        return br.join(lines[start:end])


def _is_unseen_part(element: Element) -> bool:
    """Whether it is a part of a drawing or a formula that is not shown."""
    around = UNSEEN_IN.get(local_part(element))
    parent = element.getparent()
    return around is not None and parent is not None and local_part(parent) in around


def _tables_in(element: Element) -> list[Element]:
    """All tables below an element, in document order."""
    return [table for table in element.iter("table", f"{XHTML}table") if table is not element]


def _target(href: str) -> str:
    """An address as the target of a link in Markdown (CommonMark §6.3)."""
    return _UNFIT.sub(lambda found: f"%{ord(found[0]):02X}", _DROPPED.sub("", href.strip(_ENDS)))
