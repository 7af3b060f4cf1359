"""The tape: the output in document order, edited in place where the algorithm moves things.

A box is a list of chunks, each the text of one tag, comment, instruction or run of
characters, or of a run of several that nothing will move (see `parted`), or another box.
There are three edits besides appending:

- a *slot* is an empty box put where something may come later;
- a *splice* puts end tags and start tags around the start chunk of an element;
- a *patch* replaces a start chunk.

No edit shifts an index, so an open element finds its start chunk by box and index.
A chunk that begins with HIDDEN opens or closes a part that is left out at the end, one
that begins with CHOSEN the part that alone is kept.
"""

from __future__ import annotations

import re

from xmlfix.patterns import late
from xmlfix.read.tokens import is_declaration
from xmlfix.write.characters import escape_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    Box: TypeAlias = list[Any]  # of str and Box

LONGEST_NODE = 10_000_000  # bytes: libxml2's XML_MAX_TEXT_LENGTH
# A tag with all its attributes is held in one buffer of that size, and 80 bytes before it too.
LONGEST_TAG = LONGEST_NODE - 100

HIDDEN = "\0"
CHOSEN = "\1"

SPACE = "\t\n\r "
NODES = late(
    globals(),
    "NODES",
    "findall",
    # comment, instruction, DOCTYPE, tag, text
    r"""<!--.*?-->|<\?.*?\?>|<![^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>"""
    r"""|<[^>"]*(?:"[^"]*"[^>"]*)*>|[^<]+""",
    re.DOTALL,
)
# From a tag's start only: a value can hold what looks like the beginning of an attribute.
ATTRIBUTES = late(globals(), "ATTRIBUTES", "findall", r' ([^ ="]+)="([^"]*)"')
TAG_NAME = late(globals(), "TAG_NAME", "match", r"<[^ />]+")


def slot(box: Box) -> Box:
    """Put an empty box at the end of `box` and return it."""
    empty: Box = []
    box.append(empty)
    return empty


def splice(box: Box, at: int, before: Box, after: str) -> None:
    """Put chunks before the start chunk box[at], and one right after it.

    What earlier splices put before it stays before the new chunks; what they put after
    it stays after the new one.
    """
    cell = box[at]
    if isinstance(cell, str):
        cell = box[at] = [[], cell, []]
    ahead, _, behind = cell
    assert isinstance(ahead, list)
    assert isinstance(behind, list)
    ahead.extend(before)
    behind.insert(0, after)


def patch(box: Box, at: int, start: str) -> None:
    """Replace the start chunk box[at]."""
    cell = box[at]
    if isinstance(cell, str):
        box[at] = start
    else:
        cell[1] = start


def flatten(box: Box) -> Iterator[str]:
    """The chunks of `box` in order, without recursion."""
    pending = [iter(box)]
    while pending:
        for item in pending[-1]:
            if isinstance(item, str):
                yield item
            else:
                pending.append(iter(item))
                break
        else:
            pending.pop()


def flat(box: Box) -> list[str]:
    """The chunks of `box` in order; quick where few boxes are in it."""
    boxes = [index for index, item in enumerate(box) if type(item) is list]
    if not boxes:
        return box
    chunks: list[str] = []
    begin = 0
    for index in boxes:
        chunks.extend(box[begin:index])
        chunks.extend(flatten(box[index]))
        begin = index + 1
    chunks.extend(box[begin:])
    return chunks


def parted(chunks: Iterable[str]) -> list[str]:
    """`chunks` with each run cut into the nodes that it is made of."""
    out: list[str] = []
    for chunk in chunks:
        if chunk.rfind("<") < 1 and (chunk[:1] != "<" or chunk[-1] == ">"):
            out.append(chunk)  # text or a tag
        elif chunk[0] in (HIDDEN, CHOSEN):
            out.append(chunk)  # never a run
        else:
            out.extend(NODES(chunk))
    return out


class Visible:
    """Lets chunks through without the hidden parts; of chosen parts only the first.

    Whether there is a chosen part is known when it begins, so with `wants_chosen` all that
    comes before is held back until then, and let through at the end if there is none.
    """

    __slots__ = ("_chosen", "_has_ended", "_hidden", "_held", "_wants_chosen")

    def __init__(self, *, wants_chosen: bool) -> None:
        self._wants_chosen = wants_chosen
        self._held: list[str] = []
        self._hidden = 0  # how many open hidden parts
        self._chosen = 0  # how many open chosen parts
        self._has_ended = False  # whether the first chosen part is complete

    def feed(self, chunks: Iterable[str]) -> list[str]:
        """Take the next chunks; returns those that are let through."""
        shown: list[str] = []
        for chunk in chunks:
            if chunk[:1] == HIDDEN:
                self._hidden += -1 if chunk[2:3] == "/" else 1
                continue
            if self._hidden or self._has_ended:
                continue
            if chunk[:1] == CHOSEN:
                chunk = chunk[1:]
                if chunk[1] != "/":
                    self._chosen += 1
                if chunk[1] == "/" or chunk[-2] == "/":
                    self._chosen -= 1
                    self._has_ended = not self._chosen
                self._held.clear()
                shown.append(chunk)
            elif self._wants_chosen and not self._chosen:
                self._held.append(chunk)
            else:
                shown.append(chunk)
        return shown

    def close(self) -> list[str]:
        """What was held back for a chosen part that has not come."""
        return self._held


def visible(chunks: Iterable[str], *, wants_chosen: bool) -> list[str]:
    """All that `Visible` lets through of a whole document."""
    sieve = Visible(wants_chosen=wants_chosen)
    return sieve.feed(chunks) + sieve.close()


class NodeSizes:
    """Reports text, whole tags and other nodes that libxml2 refuses with its default limits.

    Args:
        report: called with (code, offset, detail).
    """

    __slots__ = ("_report", "_run")

    def __init__(self, report: Callable[[str, int, str], object]) -> None:
        self._report = report
        self._run = 0  # bytes of the text that may go on

    def feed(self, chunks: list[str], at: int) -> None:
        """Take the next chunks; findings are reported at the offset `at`."""
        if self._run + 4 * sum(map(len, chunks)) <= LONGEST_TAG:  # 4 bytes a character at most
            # no node is too long; only the text at the end may go on
            tagged = (index for index in range(len(chunks) - 1, -1, -1) if "<" in chunks[index])
            chunks = chunks[next(tagged, 0) :]
        for node in parted(chunks):
            is_text = node[:1] != "<"
            before = self._run if is_text else 0
            size = before + (len(node) if node.isascii() else len(node.encode("utf-8")))
            longest = LONGEST_NODE if is_text else LONGEST_TAG
            if before <= longest < size:
                self._report("xmlfix-huge-node", at, "text" if is_text else node[:40])
            self._run = size if is_text else 0


def is_document(chunks: list[str]) -> bool:
    """Whether `chunks`, each a node, have exactly one root element and no text outside it."""
    depth = roots = 0
    for chunk in chunks:
        if chunk[:1] != "<":
            if depth == 0 and chunk.strip(SPACE):
                return False
        elif chunk[1] == "/":
            depth -= 1
        elif chunk[1] not in "!?":
            roots += depth == 0
            depth += chunk[-2] != "/"
    return roots == 1


def wrap(chunks: list[str], root: str, max_depth: int, start: str = "") -> list[str]:
    """`chunks`, each a node, inside an element `root`, still no deeper than `max_depth`.

    `start` is its start tag, "" for one without attributes.
    An element past `max_depth` takes the place of the deepest open one, as everywhere.
    """
    out = [chunk for chunk in chunks if chunk.startswith("<!DOCTYPE")]
    chunks = [chunk for chunk in chunks if not chunk.startswith("<!DOCTYPE")]
    return [*out, start or f"<{root}>", *flattened(chunks, max_depth - 1), f"</{root}>"]


def flattened(chunks: list[str], max_depth: int) -> list[str]:
    """The nodes `chunks`, which are well-formed, nested in no more than `max_depth` elements.

    An element past it takes the place of the deepest open one; where there is room for none,
    the rest stays.
    """
    if max_depth < 1:
        return [chunk for chunk in chunks if chunk[:1] != "<" or chunk[1] in "!?"]
    out: list[str] = []
    ends: list[str] = []  # of the open elements; "" for one that is closed already
    scopes: list[dict[str, str]] = [{}]  # the declarations on the open elements
    for chunk in chunks:
        if chunk[:1] == "<" and chunk[1] not in "!?":
            if chunk[1] == "/":
                chunk = ends.pop()
                scopes.pop()
            else:
                found = TAG_NAME(chunk)
                assert found is not None  # a start tag has a name
                own = declarations(chunk) if " xmlns" in chunk else {}
                if len(ends) >= max_depth:
                    out.append(ends[-1])
                    ends[-1] = ""
                    missing = "".join(  # the element leaves the scope of the other
                        f' {name}="{value}"'
                        for name, value in scopes[-1].items()
                        if name not in own
                    )
                    own = {**scopes[-1], **own}
                    chunk = found[0] + missing + chunk[found.end() :]
                if chunk[-2] != "/":
                    ends.append(f"</{found[0][1:]}>")
                    scopes.append(own)
        out.append(chunk)
    return out


def declarations(tag: str) -> dict[str, str]:
    """The namespace declarations of a start tag: name of the attribute, and its value."""
    return {name: value for name, value in ATTRIBUTES(tag) if is_declaration(name)}


def declare(chunks: list[str], bindings: dict[str, str], *, only_first: bool) -> None:
    """Declare prefixes in the outermost start tags of `chunks`, but for those declared there."""
    if not bindings:
        return
    depth = 0
    for index, chunk in enumerate(chunks):
        nodes = parted([chunk])
        for place, node in enumerate(nodes):
            if node[:1] != "<" or node[1] in "!?":
                continue
            if node[1] == "/":
                depth -= 1
                continue
            if depth == 0:
                nodes[place] = declaring(node, bindings)
                chunks[index] = "".join(nodes)
                if only_first:
                    return
            depth += node[-2] != "/"


def declaring(tag: str, bindings: dict[str, str]) -> str:
    """A start tag that declares prefixes, but for those that it has declared already."""
    found = TAG_NAME(tag)
    assert found is not None  # a start tag has a name
    there = declarations(tag)
    added = "".join(
        f' xmlns:{prefix}="{escape_value(uri)}"'
        for prefix, uri in bindings.items()
        if f"xmlns:{prefix}" not in there
    )
    return str(found[0]) + added + tag[found.end() :]
