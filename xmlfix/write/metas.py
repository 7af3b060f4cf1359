"""Meta elements whose encoding is no longer true in the output."""

from __future__ import annotations

import re

from xmlfix.encodings import lookup
from xmlfix.sniffing import label_in
from xmlfix.write.tape import parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_META = re.compile(r"<meta(?=[ /])", re.IGNORECASE).match
_VALUE = r'(?<= {}=")[^"]*(?=")'
_META_CHARSET = re.compile(_VALUE.format("charset"), re.IGNORECASE)
_META_PRAGMA = re.compile(_VALUE.format("http-equiv"), re.IGNORECASE).search
_META_CONTENT = re.compile(_VALUE.format("content"), re.IGNORECASE)


def update_metas(chunks: list[str], name: str) -> None:
    """Have each `<meta>` that declares another encoding declare `name`."""
    is_true = same_encoding(name)
    name = name.lower() if name == "UTF-8" else name  # as the standard writes it

    def label(found: re.Match[str]) -> str:
        return found[0] if is_true(found[0]) else name

    def content(found: re.Match[str]) -> str:
        value = found[0].replace("&quot;", '"')
        place = label_in(value)
        if place is None or is_true(value[slice(*place)]):
            return found[0]
        return (value[: place[0]] + name + value[place[1] :]).replace('"', "&quot;")

    for index, chunk in enumerate(chunks):
        if "<meta" in chunk.lower():
            nodes = parted([chunk])
            for place, node in enumerate(nodes):
                if _META(node):
                    node = _META_CHARSET.sub(label, node)
                    pragma = _META_PRAGMA(node)
                    if pragma is not None and pragma[0].lower() == "content-type":
                        node = _META_CONTENT.sub(content, node)
                    nodes[place] = node
            chunks[index] = "".join(nodes)


def same_encoding(name: str) -> Callable[[str], bool]:
    """What tells whether a label means the encoding `name`, or nothing at all."""
    encoding = lookup(name)

    def is_true(label: str) -> bool:
        found = lookup(label)
        return found is None or found == encoding

    return is_true
