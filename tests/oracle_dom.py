"""The tokens that the oracle takes, and the tree that it builds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# -- tokens ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """A token of the tree construction stage; a character token holds one character.

    `kind` is "start", "end", "comment", "instruction", "doctype", "eof", and for a character
    "space" (ASCII whitespace), "null" (U+0000) or "char" (any other).
    """

    kind: str
    name: str = ""
    attrs: dict[str, str] = field(default_factory=dict)
    self_closing: bool = False
    data: str = ""
    public_id: str | None = None
    system_id: str | None = None
    force_quirks: bool = False

    @property
    def is_character(self) -> bool:
        """Whether this is a character token."""
        return self.kind in ("space", "null", "char")

    def renamed(self, name: str) -> Token:
        """The same tag with another name."""
        return replace(self, name=name)


# -- the tree --------------------------------------------------------------------------


class Node:
    """A node; the document and the content of a template are no more than that."""

    def __init__(self) -> None:
        self.parent: Node | None = None
        self.children: list[Node] = []

    def insert(self, child: Node, before: Node | None = None) -> None:
        """Insert `child`, taken from where it is now, before a child of this node or last."""
        child.detach()
        index = len(self.children) if before is None else self.children.index(before)
        self.children.insert(index, child)
        child.parent = self

    def detach(self) -> None:
        """Remove this node from its parent, if it has one."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def ancestors(self) -> Iterator[Element]:
        """The elements that contain this node, the nearest first."""
        node = self.parent
        while isinstance(node, Element):
            yield node
            node = node.parent

    def descendants(self) -> Iterator[Element]:
        """The elements in this node, in tree order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.descendants()

    def clone(self) -> Node:
        """A copy of this node and of all in it (DOM #concept-node-clone)."""
        raise NotImplementedError


class Element(Node):
    """An element, with the token it was created for.

    `tag` is its "tag name string": "p", "svg desc", "math mi". Attributes that belong to a
    namespace have names such as "xlink href".
    """

    def __init__(self, token: Token, namespace: str, attrs: dict[str, str]) -> None:
        super().__init__()
        self.token = token
        self.name = token.name
        self.namespace = namespace
        self.tag = f"{namespace} {token.name}" if namespace else token.name
        self.attrs = dict(attrs)
        self.content = Node() if self.tag == "template" else None
        self.is_selected = "selected" in attrs  # the selectedness, of an option

    def add_missing_attributes(self, token: Token) -> None:
        """Add each attribute of the token that is not already present."""
        for name, value in token.attrs.items():
            self.attrs.setdefault(name, value)

    def clone(self) -> Element:
        copy = Element(self.token, self.namespace, self.attrs)
        for child in self.children:
            copy.insert(child.clone())
        if self.content is not None and copy.content is not None:
            for child in self.content.children:
                copy.content.insert(child.clone())
        return copy


class Text(Node):
    """Characters, one by one as they came."""

    def __init__(self, data: str) -> None:
        super().__init__()
        self.characters = list(data)

    def clone(self) -> Text:
        return Text("".join(self.characters))


class Comment(Node):
    """A comment."""

    def __init__(self, data: str) -> None:
        super().__init__()
        self.data = data

    def clone(self) -> Comment:
        return Comment(self.data)


class Instruction(Node):
    """A processing instruction."""

    def __init__(self, target: str, data: str) -> None:
        super().__init__()
        self.target = target
        self.data = data

    def clone(self) -> Instruction:
        return Instruction(self.target, self.data)


class Doctype(Node):
    """A document type; what the source does not say is empty."""

    def __init__(self, name: str, public_id: str, system_id: str) -> None:
        super().__init__()
        self.name = name
        self.public_id = public_id
        self.system_id = system_id


def dump(root: Node) -> str:
    """What is in `root`, in the format of the conformance data (its "#document" part)."""
    lines: list[str] = []
    todo = [(child, 0) for child in reversed(root.children)]
    while todo:
        node, depth = todo.pop()
        indent = "| " + "  " * depth
        lines.append(indent + _describe(node))
        children = node.children
        if isinstance(node, Element):
            names = sorted(node.attrs, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
            lines.extend(f'{indent}  {name}="{node.attrs[name]}"' for name in names)
            if node.content is not None:
                lines.append(f"{indent}  content")
                todo.extend((child, depth + 1) for child in reversed(children))
                children, depth = node.content.children, depth + 1
        todo.extend((child, depth + 1) for child in reversed(children))
    return "\n".join(lines)


def _describe(node: Node) -> str:
    """The line of one node."""
    if isinstance(node, Element):
        return f"<{node.tag}>"
    if isinstance(node, Text):
        return '"' + "".join(node.characters) + '"'
    if isinstance(node, Comment):
        return f"<!-- {node.data} -->"
    if isinstance(node, Instruction):
        return f"<?{node.target} {node.data}>"
    assert isinstance(node, Doctype)
    if node.public_id or node.system_id:
        return f'<!DOCTYPE {node.name} "{node.public_id}" "{node.system_id}">'
    return f"<!DOCTYPE {node.name}>"


class Place(NamedTuple):
    """An adjusted insertion location: in `parent`, before a child or after the last."""

    parent: Node
    before: Node | None = None
    fostered: bool = False

    def previous(self) -> Node | None:
        """The node immediately before this place."""
        siblings = self.parent.children
        index = len(siblings) if self.before is None else siblings.index(self.before)
        return siblings[index - 1] if index else None
