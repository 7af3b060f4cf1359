"""The outline of a page: its element tree with ids, classes and counts of repeated siblings."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from xmlfix.errors import OptionError
from xmlfix.extract.query import element_of
from xmlfix.extract.records import attribute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final, TypeAlias

    from xmlfix.extract.query import Source
    from xmlfix.tree import Element

    Likeness: TypeAlias = tuple[str, str | None, tuple[str, ...], int, tuple[str | None, ...]]

ROW: Final = "tr"  # told apart by the number of its cells, not only by id and classes
INDENT: Final = "  "
LONGEST_TEXT: Final = 40  # characters of a sample
LONGEST_VALUE: Final = 60  # characters of an attribute's value that is shown

_LEADING_DIGIT = re.compile("(-?)([0-9])").match
_DIGITS = re.compile("[0-9]+")
_NOT_NAME = re.compile(r"[^A-Za-z0-9_\u0080-\U0010ffff-]")


class Line(NamedTuple):
    """A group of like siblings.

    Attributes:
        depth: of the elements, 0 for the root.
        selector: what they are, as a CSS selector.
        fewest: how many there are at least in each parent of the group above.
        most: how many at most.
        sample: the own text of the first of them that has any, "" if none has.
    """

    depth: int
    selector: str
    fewest: int
    most: int
    sample: str

    def __str__(self) -> str:
        count = f" ×{self.fewest}–{self.most}" if self.fewest < self.most else f" ×{self.most}"
        sample = f" {self.sample!r}" if self.sample else ""
        return f"{INDENT * self.depth}{self.selector}{'' if count == ' ×1' else count}{sample}"


def outline(
    root: Source,
    *,
    depth: int | None = None,
    attributes: Sequence[str] = (),
    samples: bool = False,
) -> Iterator[Line]:
    """The outline of a page, line by line.

    Siblings with the same name, id and classes are one line, and so are their children; digits
    in ids and classes do not count. Table rows are alike only if they have equally many cells,
    which `:has-n-children` tells. Lines come in the order in which their first element does.

    Args:
        root: where the outline begins: an element, or a tree with its root; or markup, or a
            path-like or reader to take it from.
        depth: how many levels to show; None for all.
        attributes: names of more attributes that tell elements apart.
        samples: show some text of each group.

    Raises:
        OptionError: `depth` is no number above 0, or `attributes` is one str.
        QueryError, TypeError: as `xmlfix.xpath` for `tree`.

    >>> page = etree.fromstring("<ul><li id='n1' class='a'><b/></li><li id='n2' class='a'/></ul>")
    >>> print(*outline(page), sep="\\n")
    ul
      li[id^="n"].a ×2
        b ×0–1
    """
    if depth is not None and (not isinstance(depth, int) or depth < 1):
        raise OptionError(f"depth takes a number of levels from 1, not {depth!r}")
    if isinstance(attributes, str):
        raise OptionError(f"attributes takes a list of names, not the str {attributes!r}")
    return _lines(element_of(root), depth, attributes, samples=samples)


def _lines(
    root: Element, depth: int | None, attributes: Sequence[str], *, samples: bool
) -> Iterator[Line]:
    """The outline of an element."""
    waiting = [(0, [root], 1, 1)]
    while waiting:
        level, group, fewest, most = waiting.pop()
        sample = first_text(group) if samples else ""
        yield Line(level, label(group, attributes), fewest, most, sample)
        if depth is None or level + 1 < depth:
            below = [(level + 1, *found) for found in like_children(group, attributes)]
            waiting.extend(reversed(below))


def like_children(
    parents: Sequence[Element], attributes: Sequence[str]
) -> list[tuple[list[Element], int, int]]:
    """The children of all parents in groups, each with its fewest and most in one parent."""
    groups: dict[Likeness, list[list[Element]]] = {}
    for parent in parents:
        here: dict[Likeness, list[Element]] = {}
        for child in parent.iterchildren("*"):
            here.setdefault(likeness(child, attributes), []).append(child)
        for like, children in here.items():
            groups.setdefault(like, []).append(children)
    found = []
    for shares in groups.values():
        counts = [len(share) for share in shares]
        fewest = min(counts) if len(shares) == len(parents) else 0
        found.append(([child for share in shares for child in share], fewest, max(counts)))
    return found


def likeness(element: Element, attributes: Sequence[str]) -> Likeness:
    """What like siblings have in common."""
    identity = element.get("id")
    classes = [_DIGITS.sub("0", word) for word in element.get("class", "").split()]
    return (
        element_name(element),
        None if identity is None else _DIGITS.sub("0", identity),
        tuple(sorted(set(classes))),
        cells(element) if element_name(element) == ROW else -1,
        tuple([attribute(element, name) for name in attributes]),
    )


def cells(element: Element) -> int:
    """How many element children there are."""
    return sum(1 for _ in element.iterchildren("*"))


# ── what a line says ─────────────────────────────────────────────────────────


def label(group: Sequence[Element], attributes: Sequence[str] = ()) -> str:
    """A group of like elements as a CSS selector: what all of them have.

    >>> label([etree.fromstring("<p id='intro' class='w-1/2 b'/>")])
    'p#intro.w-1\\\\/2.b'
    """
    first = group[0]
    parts = [element_name(first)]
    identities = {element.get("id", "") for element in group}
    if len(identities) == 1:
        identity = first.get("id", "")
        parts.append(f"#{css_name(identity)}" if identity else "")
    else:  # they differ in their digits
        start = _DIGITS.split(first.get("id", ""), maxsplit=1)[0]
        parts.append(f"[id^={quoted(start)}]" if start else "[id]")
    common = dict.fromkeys(first.get("class", "").split())
    for element in group[1:]:
        if not common:
            break
        words = set(element.get("class", "").split())
        common = {word: None for word in common if word in words}
    parts += [f".{css_name(word)}" for word in common]
    for name in attributes:
        value = attribute(first, name)
        if value is not None:
            what = css_name(name.replace(":", "|", 1)).replace("\\|", "|")
            parts.append(
                f"[{what}={quoted(value)}]" if len(value) <= LONGEST_VALUE else f"[{what}]"
            )
    if element_name(first) == ROW:
        parts.append(f":has-n-children({cells(first)})")
    return "".join(parts)


def element_name(element: Element) -> str:
    """The local name, with the prefix if there is one, as CSS writes it: `o|p`."""
    local = css_name(etree.QName(element).localname)
    return f"{css_name(element.prefix)}|{local}" if element.prefix else local


def css_name(name: str) -> str:
    """A name with what CSS does not take in one escaped.

    Source: CSSOM §2.1, serialize an identifier.

    >>> css_name("a:b"), css_name("1st"), css_name("-")
    ('a\\\\:b', '\\\\31 st', '\\\\-')
    """
    if name == "-" or name[:2] == "--":
        return f"\\-{_escaped(name[1:])}"  # CSSOM would leave "--", which not all tools take
    lead = _LEADING_DIGIT(name)
    if lead is None:
        return _escaped(name)
    return f"{lead[1]}\\{ord(lead[2]):x} {_escaped(name[lead.end() :])}"


def _escaped(name: str) -> str:
    return _NOT_NAME.sub(lambda found: f"\\{found[0]}", name)


def quoted(value: str) -> str:
    """A CSS string.

    Source: CSSOM §2.1, serialize a string.

    >>> quoted('say "hi"')
    '"say \\\\"hi\\\\""'
    """
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    value = re.sub("[\n\r\t\f]", lambda found: f"\\{ord(found[0]):x} ", value)
    return f'"{value}"'


def first_text(group: Sequence[Element]) -> str:
    """The own text of the first element that has any, shortened."""
    for element in group:
        pieces = [element.text, *[child.tail for child in element]]
        own = " ".join(" ".join([piece or "" for piece in pieces]).split())
        if own:
            return shortened(own, LONGEST_TEXT)
    return ""


def shortened(value: str, longest: int) -> str:
    """`value`, cut to `longest` characters.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return value if len(value) <= longest else value[: longest - 1] + "…"
