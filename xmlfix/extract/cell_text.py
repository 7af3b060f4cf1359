"""What a cell says, as one str: lines kept apart, white space folded, markup left out."""

from __future__ import annotations

import re

from lxml import etree

from xmlfix.extract.grid import XHTML, local_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from xmlfix.tree import Element

UNSEEN: Final = frozenset("script style template".split())
BLOCKS: Final = frozenset(
    "address article aside blockquote caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main"
    " menu nav ol optgroup option p plaintext pre search section summary table tbody tfoot"
    " thead tr ul xmp".split()
)
VERBATIM: Final = frozenset("listing plaintext pre textarea xmp".split())

_WORDS = re.compile(r"[^ \t\n\f\r]+").findall
_HIDING = re.compile(r"display\s*:\s*none\b", re.IGNORECASE).search


class TextReader:
    """Reads the text of cells.

    Args:
        br: what stands between two lines of a cell: where it has `<br>`, and where a block
            (paragraph, list item, row of an inner table) begins or ends.
        nested: "text": the text of an inner table is part of that of the outer cell;
            "drop": it is not.
        links: write a link as `[text](href)`.
        hidden: "drop": leave out what the markup itself hides, by the attribute `hidden` or
            `style="display: none"`; "text": keep it.

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
    ) -> None:
        self._br = br
        self._nested = nested
        self._links = links
        self._hidden = hidden
        self._tables: dict[Element, str] = {}

    def read(self, cell: Element) -> str:
        """The text of a cell, or of any other element."""
        if not len(cell) and local_name(cell) not in VERBATIM:
            return " ".join(_WORDS(cell.text or "")).strip()
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

    def _skips(self, element: Element, name: str) -> bool:
        if name in UNSEEN:
            return True
        return self._hidden == "drop" and (
            element.get("hidden") is not None or _HIDING(element.get("style") or "") is not None
        )

    def _walk(self, root: Element) -> str | None:
        """The text of an element, given that of the tables in it; None if one is not known."""
        lines = _Lines()
        verbatim = local_name(root) in VERBATIM
        depth = int(verbatim)  # elements that keep white space
        lines.add(root.text, depth)
        links: list[str] = []
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
                    if name in BLOCKS:
                        lines.end()
                    elif name in ("td", "th"):
                        lines.add(" ", 0)
                    depth += name in VERBATIM
                    if self._links and name == "a" and node.get("href") is not None:
                        lines.mark("[")
                        links.append(_target(node.get("href") or ""))
                    lines.add(node.text, depth)
                continue
            if not self._skips(node, name) and name not in ("table", "br"):
                if self._links and name == "a" and node.get("href") is not None:
                    lines.mark(f"]({links.pop()})")
                depth -= name in VERBATIM
                if name in BLOCKS:
                    lines.end()
            lines.add(node.tail, depth)
        return lines.joined(self._br)


class _Lines:
    """Lines of text as they come together."""

    __slots__ = ("_keep", "_line", "_lines")

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._keep = False  # whether the line has white space to keep

    def add(self, text: str | None, verbatim: int) -> None:
        if not text:
            return
        if not verbatim:
            self._line.append(text)
            return
        first, *more = text.split("\n")
        self._line.append(first)
        self._keep = True
        for line in more:
            self.end(even_if_empty=True)
            self._line.append(line)
            self._keep = True

    def mark(self, text: str) -> None:
        self._line.append(text)

    def whole(self, text: str) -> None:
        if text:
            self._lines.append(text)

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


def _tables_in(element: Element) -> list[Element]:
    """All tables below an element, in document order."""
    return [table for table in element.iter("table", f"{XHTML}table") if table is not element]


def _target(href: str) -> str:
    """An address as the target of a link in Markdown."""
    for char, escaped in ((" ", "%20"), ("(", "%28"), (")", "%29"), ("\n", ""), ("\t", "")):
        href = href.replace(char, escaped)
    return href
