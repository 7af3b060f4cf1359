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
_ATTRIBUTE = re.compile(r' ([^ ="]+)="([^"]*)"')


def update_metas(chunks: list[str], name: str) -> None:
    """Have each `<meta>` that declares another encoding declare `name`."""
    is_true = same_encoding(name)
    name = name.lower() if name == "UTF-8" else name  # as the standard writes it

    def updated(node: str) -> str:
        attributes = {key.lower(): value for key, value in _ATTRIBUTE.findall(node)}
        has_content = attributes.get("http-equiv", "").lower() == "content-type"

        def attribute(found: re.Match[str]) -> str:
            key, value = found.groups()
            if key.lower() == "charset" and not is_true(value):
                value = name
            elif key.lower() == "content" and has_content:
                value = content(value)
            return f' {key}="{value}"'

        return _ATTRIBUTE.sub(attribute, node)

    def content(escaped: str) -> str:
        value = escaped.replace("&quot;", '"')
        place = label_in(value)
        if place is None or is_true(value[slice(*place)]):
            return escaped
        return (value[: place[0]] + name + value[place[1] :]).replace('"', "&quot;")

    for index, chunk in enumerate(chunks):
        if "<meta" in chunk.lower():
            chunks[index] = "".join(
                [updated(node) if _META(node) else node for node in parted([chunk])]
            )


def same_encoding(name: str) -> Callable[[str], bool]:
    """What tells whether a label means the encoding `name`, or nothing at all."""
    encoding = lookup(name)

    def is_true(label: str) -> bool:
        found = lookup(label)
        return found is None or found == encoding

    return is_true
