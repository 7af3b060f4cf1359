"""The writer for `repair="xml"`: namespace declarations stay where the source has them.

Source: Namespaces in XML 1.0.
"""

from __future__ import annotations

from xmlfix.read.tokens import is_declaration
from xmlfix.write.characters import is_uri_reference
from xmlfix.write.names import PLAIN_NAME, is_ncname, split_prefix
from xmlfix.write.prefixes import RESERVED, XML, Prefixes
from xmlfix.write.tape import CHOSEN, HIDDEN
from xmlfix.write.xml import Writer, alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.options import Options
    from xmlfix.read.tokens import Tag


class ScopedWriter(Writer):
    """A Writer that keeps `xmlns` attributes and knows which prefixes are in scope.

    Its start and end tags must come in the order of a tree.
    """

    __slots__ = ("_open_chosen", "_scopes")

    def __init__(self, options: Options, report: Callable[[str, str, str], None] | None) -> None:
        super().__init__(options, report)
        self._open_chosen = 0  # how many open elements are of the part that is kept
        self._scopes: list[dict[str, str]] = [{}]
        self.prefixes = Prefixes({})

    def start(self, tag: Tag, namespace: str = "") -> str:
        scope = self._scopes[-1]
        own = self.own_declarations(tag)
        if own:
            scope = {**scope, **own}
        self._scopes.append(scope)
        mark = self.mark(tag.name) if self._marks else ""
        if mark == CHOSEN and not self._open_chosen:
            outer = {prefix: uri for prefix, uri in scope.items() if prefix not in own}
        else:
            outer = {}
        self._open_chosen += mark == CHOSEN
        name = tag.name if PLAIN_NAME(tag.name) else self.element_name(tag.name)
        parts = [self.declaration(prefix, uri) for prefix, uri in outer.items()]
        seen: set[tuple[str, str]] = set()
        prefixed = []
        for key, value in tag.attrs:
            self._attribute = key
            if is_declaration(key):
                if key[6:] in own and key != "xmlns:":
                    parts.append(self.declaration(key[6:], value))
                continue
            written = key if PLAIN_NAME(key) else self.prefixed(key, value)[0]
            prefix, _, local = written.rpartition(":")
            expanded = scope.get(prefix, f":{prefix}") if prefix else "", local
            if expanded in seen:
                self.say("xmlfix-attribute-collision", written)
                continue
            seen.add(expanded)
            if prefix:
                prefixed.append(written)
            parts.append(f' {written}="{self.value(value)}"')
        self._attribute = ""
        if len(prefixed) > 1:
            for prefixes in alike(prefixed):
                if not all(prefix in scope for prefix in prefixes):
                    self.prefixes.keep_apart(prefixes)
        return f"{mark}<{name}{''.join(parts)}>"

    def declaration(self, prefix: str, uri: str) -> str:
        """The attribute that binds `prefix`, "" for the default namespace."""
        key = f"xmlns:{self.shortened(prefix)}" if prefix else "xmlns"
        return f' {key}="{self.value(uri)}"'

    def end(self, name: str) -> str:
        tag = super().end(name)
        self._open_chosen -= tag[0] == CHOSEN
        self._scopes.pop()
        return tag

    def empty(self, tag: Tag, namespace: str = "") -> str:
        start = self.start(tag, namespace)
        self._scopes.pop()
        self._open_chosen -= start[0] == CHOSEN
        if start[0] == HIDDEN:
            return ""
        return f"{start[:-1]}/>"

    def own_declarations(self, tag: Tag) -> dict[str, str]:
        """The legal namespace declarations of a tag, by prefix ("" for the default)."""
        own: dict[str, str] = {}
        for key, uri in tag.attrs:
            prefix = key[6:]
            self._attribute = key
            if key == "xmlns":
                legal = uri not in RESERVED and (not uri or is_uri_reference(uri))
            elif key[:6] == "xmlns:":
                legal = is_ncname(prefix) and self.prefixes.declare(prefix, uri)
                if legal:
                    self.prefixes.hold(prefix, uri)
            else:
                continue
            if legal:
                own[prefix] = uri
            elif (prefix, uri) != ("xml", XML):
                self.say("xmlfix-xmlns-dropped", f"{key}={uri!r}"[:80])
        self._attribute = ""
        return own

    def prefixed(self, name: str, value: str) -> tuple[str, bool]:
        prefix, local = split_prefix(name)
        if prefix in self._scopes[-1] and prefix:
            return f"{self.shortened(prefix)}:{self.shortened(local)}", False
        return super().prefixed(name, value)
