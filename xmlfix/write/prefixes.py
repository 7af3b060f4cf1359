"""Prefixes of a page: which ones it uses, and the namespace each is bound to.

HTML has no prefixes; a page that writes `<o:p>` means one. The output declares every
prefix it uses, on the root. A prefix that an element binds anew keeps that namespace inside
of it. Several prefixes can have one namespace, unless that would make one attribute of two.

Source: Namespaces in XML 1.0.
"""

from __future__ import annotations

from itertools import count

from xmlfix.write.characters import is_uri_reference
from xmlfix.write.well_known import WELL_KNOWN, XLINK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
LONGEST_REPEATED = 100  # characters of a namespace that a stream may have to write often
RESERVED = frozenset((XML, XMLNS))
# The standard gives the attributes `xlink:…` in SVG and MathML this namespace, whatever the page
# declares [#adjust-foreign-attributes].
FIXED = {"xlink": XLINK}


class Prefixes:
    """The prefixes of one document.

    Args:
        fixed: prefixes whose namespace no declaration changes.
    """

    __slots__ = (
        "_bound", "_fixed", "_groups", "_groups_of", "_inner", "_owners", "_rebound",
        "declared", "used",
    )  # fmt: skip

    def __init__(self, fixed: Mapping[str, str] = FIXED) -> None:
        self.used: dict[str, None] = {}  # in order of first use, undeclared in their place
        self.declared: dict[str, str] = {}  # what the page itself says, the first of each
        self._fixed = fixed
        # each namespace of the page, with the first prefix bound to it
        self._owners = {uri: prefix for prefix, uri in fixed.items()}
        # the namespaces that elements inside bind, with their prefix, "" if there are several
        self._inner: dict[str, str] = {}
        self._rebound: set[str] = set()  # the prefixes that elements inside bind anew
        self._bound: dict[str, str] = {}  # what `bind` has answered
        # prefixes that must not have one namespace, since an element has attributes of them
        # that are else alike
        self._groups: dict[frozenset[str], int] = {}
        self._groups_of: dict[str, list[int]] = {}

    def declare(self, prefix: str, uri: str) -> bool:
        """Take note of the page's `xmlns:prefix`; False if it cannot be used."""
        if not uri or uri in RESERVED or prefix in ("xml", "xmlns") or not is_uri_reference(uri):
            return False
        if self._fixed.get(prefix, uri) != uri:
            return False
        if prefix not in self.declared:
            self.declared[prefix] = uri
            self._owners.setdefault(uri, prefix)
        return True

    def is_rebound(self, prefix: str, uri: str) -> bool:
        """Whether a declared prefix has, or may have, another namespace outside of an element."""
        return prefix in self._rebound or self._bound.get(prefix, self.declared[prefix]) != uri

    def rebind(self, prefix: str, uri: str) -> bool:
        """Bind a prefix anew for what is in an element; False if another has that namespace.

        The root declares it too then, so that all the page says about it stays together.
        """
        if self._owners.setdefault(uri, prefix) != prefix:
            return False
        self.use(prefix)
        self._rebound.add(prefix)
        self.hold(prefix, uri)
        return True

    def hold(self, prefix: str, uri: str) -> None:
        """Take note that the output binds a prefix on an element."""
        if self._inner.setdefault(uri, prefix) != prefix:
            self._inner[uri] = ""

    def use(self, prefix: str) -> bool:
        """Take note that the output needs `prefix`; True the first time."""
        if prefix == "xml" or prefix in self.used:
            return False
        self.used[prefix] = None
        return True

    def keep_apart(self, prefixes: Iterable[str]) -> None:
        """Take note that an element has attributes of these prefixes that are else alike."""
        group = frozenset(prefixes)
        if group not in self._groups:
            number = self._groups[group] = len(self._groups)
            for prefix in group:
                self._groups_of.setdefault(prefix, []).append(number)

    def candidates(self, prefix: str) -> Iterator[str]:
        """The namespaces for a prefix, the best first."""
        if prefix in self._fixed:
            yield self._fixed[prefix]
        if prefix in self.declared:
            yield self.declared[prefix]
        elif prefix in WELL_KNOWN:
            yield WELL_KNOWN[prefix]
        own = f"urn:xmlfix:prefix:{ascii_uri(prefix)}"
        for more in count():
            yield own + "_" * more

    def bind(self, prefix: str) -> str:
        """The namespace of a prefix, as far as is known now, and the same from now on."""
        if prefix not in self._bound:
            self._bound[prefix] = next(self.candidates(prefix))
        return self._bound[prefix]

    def other(self, prefix: str, taken: set[str]) -> str:
        """A namespace for a prefix that is not taken."""
        return next(uri for uri in self.candidates(prefix) if uri not in taken)

    def bindings(self) -> dict[str, str]:
        """The namespace of each used prefix; what the page itself says goes first."""
        ordered = sorted(
            self.used, key=lambda prefix: (prefix not in self._fixed, prefix not in self.declared)
        )
        given: list[set[str]] = [set() for _ in self._groups]
        found = {}
        for prefix in ordered:
            groups = self._groups_of.get(prefix, [])
            for uri in self.candidates(prefix):
                is_held = self._inner.get(uri, prefix) != prefix
                if not groups or not (is_held or any(uri in given[group] for group in groups)):
                    break
            found[prefix] = uri
            for group in groups:
                given[group].add(uri)
        return {prefix: found[prefix] for prefix in self.used}

    def replaced(self, bindings: Mapping[str, str]) -> list[str]:
        """The prefixes without the namespace that the page, or else `WELL_KNOWN`, gives them."""
        return [
            prefix
            for prefix, uri in bindings.items()
            if (prefix in self.declared or prefix in WELL_KNOWN)
            and uri != next(self.candidates(prefix))
        ]


def ascii_uri(text: str) -> str:
    """`text` with what a URI cannot hold percent-encoded."""
    if text.isascii():
        return text
    return "".join(
        char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode("utf-8"))
        for char in text
    )
