"""What the reader says: tags, and the sink that takes them.

A Tag means the same for ever (only its caches fill), does not know its position, and is
shared by all equal tags of a process; the reader holds the position (`Reader.start`,
`Reader.end`).
"""

from __future__ import annotations

from xmlfix.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Sink(Protocol):
        """Where the reader delivers: a repair, or the public token iterator."""

        def start_tag(self, tag: Tag) -> None: ...
        def end_tag(self, name: str) -> None: ...
        def text(self, data: str) -> None: ...
        def comment(self, data: str) -> None: ...
        def doctype(self, doctype: Doctype) -> None: ...
        def instruction(self, target: str, data: str) -> None: ...
        def end(self) -> None: ...


# The attributes of a tag in xmlfix's own form.
ATTRIBUTES = late(globals(), "ATTRIBUTES", "findall", r' ([^ ="]+)="([^"]*)"')


def is_declaration(name: str) -> bool:
    """Whether an attribute declares a namespace.

    Source: Namespaces in XML 1.0 §3.
    """
    return name[:5] == "xmlns" and name[5:6] in ("", ":")


class Tag:
    """A start tag as read: name, attributes in order (the first of equals), trailing slash.

    `xml` is the XML of the tag, where the source was found to be it or once the writer has
    made it; "" before. `adjusted` is the tag as the repair has it in foreign content.
    """

    __slots__ = ("_attrs", "_key", "adjusted", "name", "self_closing", "xml")

    def __init__(
        self,
        name: str,
        attrs: tuple[tuple[str, str], ...] | None = (),
        self_closing: bool = False,
        xml: str = "",
    ) -> None:
        self.name = name
        self.self_closing = self_closing
        self.xml = xml
        self._attrs = attrs  # None: as `xml` has them, where no value needs a reference
        self._key: tuple[str, frozenset[tuple[str, str]]] | None = None
        self.adjusted: Tag | None = None

    @property
    def attrs(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each attribute."""
        if self._attrs is None:
            self._attrs = tuple(ATTRIBUTES(self.xml))
        return self._attrs

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """Name and attributes without their order: equal for tags that mean the same."""
        if self._key is None:
            self._key = self.name, frozenset(self.attrs)
        return self._key

    def get(self, name: str) -> str | None:
        """The value of the attribute `name`, or None."""
        for key, value in self.attrs:
            if key == name:
                return value
        return None

    def __repr__(self) -> str:
        return f"Tag({self.name!r}, {self.attrs!r}, {self.self_closing!r})"


class Doctype:
    """A DOCTYPE as read; None stands for what the source does not say."""

    __slots__ = ("force_quirks", "name", "public_id", "system_id")

    def __init__(
        self,
        name: str | None = None,
        public_id: str | None = None,
        system_id: str | None = None,
        force_quirks: bool = False,
    ) -> None:
        self.name = name
        self.public_id = public_id
        self.system_id = system_id
        self.force_quirks = force_quirks
