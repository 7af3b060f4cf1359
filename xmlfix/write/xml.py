"""The writer: tokens to chunks of XML, each namespace-well-formed in any place it may land.

Source: XML 1.0; Namespaces in XML 1.0; WHATWG #coercing-an-html-dom-into-an-infoset.
"""

from __future__ import annotations

from xmlfix.read.tokens import is_declaration
from xmlfix.write.characters import clean, comment_data, escape_text, escape_value
from xmlfix.write.names import LONGEST_NAME, PLAIN_NAME, escape_ncname, is_ncname, split_prefix
from xmlfix.write.prefixes import FIXED, LONGEST_REPEATED, Prefixes
from xmlfix.write.tape import CHOSEN, HIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from xmlfix.options import Options
    from xmlfix.read.tokens import Doctype, Tag

NBSP = {"keep": None, "space": " ", "drop": ""}
PUBLIC_ID_CHARS = frozenset(
    " \n-'()+,./:=?;!*#@$_%ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)


class Writer:
    """Writes the tags, text and comments of one HTML document.

    Args:
        options: `prefixes`, `nbsp`, `drop`, `body_only`, `pi` and `doctype` matter here.
        report: called with (code, detail, attribute) for what had to be changed or dropped;
            the attribute is the name of the one that it is about, "" if it is about none.
    """

    __slots__ = (
        "_attribute", "_bindings", "_ids", "_long", "_marks", "_may_rebind", "_nbsp", "_on_root",
        "_on_tag", "is_plain", "is_stream", "options", "prefixes", "report", "told",
    )  # fmt: skip

    def __init__(self, options: Options, report: Callable[[str, str, str], None] | None) -> None:
        self.options = options
        self.report = report
        self.prefixes = Prefixes()
        self._nbsp = NBSP[options.nbsp]
        self._marks = dict.fromkeys(options.drop, HIDDEN)
        if options.body_only:
            self._marks.setdefault("body", CHOSEN)
        self._long: dict[str, str] = {}  # names that were cut
        self._attribute = ""  # the one that is being written, where it may be worth a report
        self.told: Container[str] = ()  # attributes that have been reported, as names in the source
        self._ids: set[str] = set()  # the values of xml:id so far
        self.is_stream = False  # whether the root goes out before all prefixes are known
        self._on_root: set[str] = set()  # the prefixes that a stream has declared there
        # those that a stream must declare on this tag; with "" as `Prefixes.bind` has it
        self._on_tag: dict[str, str] = {}
        # whether a tag can bind a prefix anew: what is declared on the root is known there
        self._may_rebind = options.prefixes == "declare"
        self._bindings: dict[str, str] | None = None  # of the whole document, once it is known
        # whether equal tags and texts are written alike wherever they stand
        self.is_plain = (
            report is None
            and not self._marks
            and self._nbsp is None
            and options.bare_attribute == "empty"
        )

    # ── tags ─────────────────────────────────────────────────────────────────

    def start(self, tag: Tag, namespace: str = "") -> str:
        """The start tag; it declares `namespace` as the default one, if given."""
        can_be_kept = self.is_plain and not namespace
        if can_be_kept and tag.xml and tag.xml[-2] != "/":
            return tag.xml
        mark = self.mark(tag.name) if self._marks else ""
        xml = f"{mark}<{self.inside(tag, namespace)}>"
        if can_be_kept and is_same_everywhere(tag):
            tag.xml = xml
        return xml

    def start_again(self, tag: Tag, namespace: str = "") -> str:
        """The start tag of an element that is opened again: all has been reported."""
        report, self.report = self.report, None
        try:
            return self.start(tag, namespace)
        finally:
            self.report = report

    def empty(self, tag: Tag, namespace: str = "") -> str:
        """The tag of an element that is always empty; "" if it is to be left out."""
        can_be_kept = self.is_plain and not namespace
        if can_be_kept and tag.xml[-2:] == "/>":
            return tag.xml
        if self._marks and self.mark(tag.name) == HIDDEN:
            return ""
        xml = f"<{self.inside(tag, namespace)}/>"
        if can_be_kept and is_same_everywhere(tag):
            tag.xml = xml
        return xml

    def mark(self, name: str) -> str:
        """What a tag of the element `name` begins with, if it is left out or alone kept."""
        if name not in self._marks and self.options.prefixes == "strip":
            name = split_prefix(name)[1]
        return self._marks.get(name, "")

    def inside(self, tag: Tag, namespace: str) -> str:
        """What a tag has between its brackets: name, declaration, attributes."""
        name = tag.name if PLAIN_NAME(tag.name) else self.element_name(tag.name)
        declarations = f' xmlns="{namespace}"' if namespace else ""
        attributes = self.attributes(tag.attrs) if tag.attrs else ""
        if self._on_tag:
            declarations += self.declarations(self._on_tag)
            self._on_tag = {}
        return f"{name}{declarations}{attributes}"

    def root_start(self, tag: Tag, namespace: str) -> str:
        """The start tag of the root; in a stream it declares the prefixes that it names."""
        if not self.is_stream or self._marks:
            may_rebind, self._may_rebind = self._may_rebind, False
            start = self.start(tag, namespace)
            self._may_rebind = may_rebind
            return start
        for name, value in tag.attrs:
            if name[:6] == "xmlns:" and is_ncname(name[6:]):
                self.prefixes.declare(name[6:], value)
        self._on_root = set(self.prefixes.declared)
        start = self.start(tag, namespace)
        return f"{start[:-1]}{self.declarations(dict.fromkeys(self.prefixes.declared, ''))}>"

    def declarations(self, prefixes: dict[str, str]) -> str:
        """The attributes that declare prefixes in a stream, "" as it has bound them."""
        return "".join(
            f' xmlns:{prefix}="{escape_value(uri or self.prefixes.bind(prefix))}"'
            for prefix, uri in prefixes.items()
        )

    def bindings(self) -> dict[str, str]:
        """What the root has to declare, when all is written; what XML cannot say is reported."""
        if self._bindings is None:
            self._bindings = self.prefixes.bindings()
            for prefix in self.prefixes.replaced(self._bindings):
                self.say("xmlfix-namespace-replaced", prefix)
        return self._bindings

    def end(self, name: str) -> str:
        """The end tag of the element `name`."""
        mark = self.mark(name) if self._marks else ""
        if not PLAIN_NAME(name):
            report, self.report = self.report, None  # the start tag has been reported
            name = self.element_name(name)
            self.report = report
            self._on_tag = {}  # and has the declarations
        return f"{mark}</{name}>"

    def element_name(self, name: str) -> str:
        """The XML name for an element's name in HTML."""
        return self.prefixed(name, "")[0]

    def attributes(self, attrs: tuple[tuple[str, str], ...]) -> str:
        """The attributes as they stand in a start tag, each after a space."""
        out = []
        own: dict[str, str] = {}  # the prefixes that the tag binds anew
        prefixed = []
        may_collide = False
        for name, value in attrs:
            if PLAIN_NAME(name) and name != "xmlns":
                out.append((name, value, name))
                continue
            self._attribute = name
            if is_declaration(name):
                if self.page_declaration(name, value):
                    own[name[6:]] = value
                continue
            written, lost_prefix = self.prefixed(name, value)
            may_collide = may_collide or lost_prefix
            prefixed.append(written)
            out.append((written, value, name))
        if may_collide:
            out = self.first_of_each(out)
        if len(prefixed) > 1:
            self.keep_apart(prefixed, own)
        self._attribute = ""
        parts = [f' xmlns:{prefix}="{escape_value(uri)}"' for prefix, uri in own.items()]
        parts += [f' {written}="{self.value(value)}"' for written, value, _ in out]
        return "".join(parts)

    def keep_apart(self, names: Iterable[str], own: Mapping[str, str]) -> None:
        """See to it that no two attributes of a tag are the same one in XML.

        Args:
            names: as they stand in the tag.
            own: the prefixes that it binds anew.
        """
        for prefixes in alike(names):
            if not self.is_stream:
                self.prefixes.keep_apart(prefixes)
                continue
            taken: set[str] = set()
            for prefix in sorted(
                prefixes, key=lambda prefix: (prefix not in own, prefix not in FIXED)
            ):
                uri = own.get(prefix) or self._on_tag.get(prefix) or self.prefixes.bind(prefix)
                if uri in taken:
                    uri = self._on_tag[prefix] = self.prefixes.other(prefix, taken)
                    self.say("xmlfix-namespace-replaced", prefix)
                taken.add(uri)

    def first_of_each(self, attrs: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        """`attrs`, each (name, value, name in the source), without names that came before."""
        kept: dict[str, tuple[str, str, str]] = {}
        for attr in attrs:
            name = attr[0]
            if name in kept:
                self._attribute = attr[2]
                self.say("xmlfix-attribute-collision", name)
            else:
                kept[name] = attr
        return list(kept.values())

    def value(self, value: str) -> str:
        """An attribute value, between the quotes."""
        if self._nbsp is not None:
            value = value.replace("\xa0", self._nbsp)
        return escape_value(value)

    # ── names ────────────────────────────────────────────────────────────────

    def prefixed(self, name: str, value: str) -> tuple[str, bool]:
        """The XML name for a name that is not plain, and whether it lost its prefix.

        `value` is the attribute's, for `xml:id`. A name with a space is that of an attribute
        that has a namespace in the browser's tree (`repair.foreign`): it is declared always.
        """
        if name == "xml:id" and (not is_ncname(value) or value in self._ids):
            self.say("xmlfix-name-escaped", name)
            return escape_ncname(name), False
        if name == "xml:id":
            self._ids.add(value)
        manner = self.options.prefixes
        if " " in name:
            name, manner = name.replace(" ", ":"), "declare"
        prefix, local = split_prefix(name)
        if prefix == "xml" or not prefix:
            if local != name and not prefix:
                self.say("xmlfix-name-escaped", name)
            return self.shortened(f"{prefix}:{local}" if prefix else local), False
        if manner == "escape" or (manner == "strip" and local == "xmlns"):
            self.say("xmlfix-name-escaped", name)
            return self.shortened(escape_ncname(name)), False
        if manner == "strip" and local != "xmlns":
            self.say("xmlfix-prefix-stripped", name)
            return self.shortened(local), True
        prefix, local = self.shortened(prefix), self.shortened(local)
        if self.is_stream and prefix not in self._on_root:
            self._on_tag.setdefault(prefix, "")
        if self.prefixes.use(prefix) and not self.prefixes.declared.get(prefix):
            self.say("xmlfix-prefix-declared", prefix)
        return f"{prefix}:{local}", False

    def can_use(self, name: str) -> bool:
        """Whether a name is written with its prefix, which the root declares; it is used then.

        `name` is a prefix and a local part that can stand in XML.
        """
        prefix = name.partition(":")[0]
        if self.options.prefixes != "declare" or (self.is_stream and prefix not in self._on_root):
            return False
        self.prefixes.use(prefix)
        return True

    def can_repeat(self, tag: Tag) -> bool:
        """Whether a tag may be written more than once and only once come to the output.

        What its prefixes need is declared on the root then, in the order of the first uses.
        """
        if self.options.prefixes != "declare" or self.is_stream:
            return False
        for name, _ in tag.attrs:
            if name[:3] == "xml" and (
                name == "xml:id" or (name[:6] == "xmlns:" and name[6:] not in FIXED)
            ):
                return False
        return True

    def shortened(self, name: str) -> str:
        """`name`, or a numbered beginning of it if parsers would refuse its length."""
        if len(name) * 3 < LONGEST_NAME:
            return name
        data = name.encode("utf-8")
        if len(data) < LONGEST_NAME:
            return name
        if name not in self._long:
            self.say("xmlfix-name-cut", name[:40] + "…")
            beginning = data[: LONGEST_NAME - 100].decode("utf-8", "ignore")
            self._long[name] = f"{beginning}.{len(self._long) + 1}"
        return self._long[name]

    def page_declaration(self, name: str, value: str) -> bool:
        """Take note of the page's own `xmlns:prefix`; `xmlns` alone says nothing in HTML.

        Returns:
            Whether the tag has to declare the prefix, since the root has it for another
            namespace.
        """
        prefix, prefixes = name[6:], self.prefixes
        if name == "xmlns":
            return False
        is_too_long = (
            self.is_stream and len(value) > LONGEST_REPEATED and prefix not in self._on_root
        )
        is_usable = is_ncname(prefix) and not is_too_long and prefixes.declare(prefix, value)
        if is_usable and (
            self.options.prefixes != "declare" or not prefixes.is_rebound(prefix, value)
        ):
            return False
        if (
            is_usable
            and self._may_rebind
            and (not self.is_stream or prefix in self._on_root)
            and len(prefix) * 3 < LONGEST_NAME
            and prefixes.rebind(prefix, value)
        ):
            return True
        self.say("xmlfix-xmlns-dropped", f"{name}={value!r}"[:80])
        return False

    # ── the rest ─────────────────────────────────────────────────────────────

    def text(self, data: str) -> str:
        """A run of characters."""
        if self._nbsp is not None:
            data = data.replace("\xa0", self._nbsp)
        return escape_text(data)

    def comment(self, data: str) -> str:
        """A comment; "" if comments are to be left out."""
        if "#comment" in self.options.drop:
            return ""
        changed = comment_data(data)
        if changed != data:
            self.say("xmlfix-comment-changed", "")
        return f"<!--{changed}-->"

    def instruction(self, target: str, data: str) -> str:
        """A processing instruction, or what `pi` makes of it."""
        if self.options.pi == "comment":
            return self.comment(f"?{target} {data}?" if data else f"?{target}?")
        if self.options.pi == "drop":
            return ""
        name = escape_ncname(target.replace(":", "_")) or "_"
        if name.lower() == "xml":
            name = f"_{name}"
        if name != target:
            self.say("xmlfix-instruction-renamed", target[:80] or '""')
        name = self.shortened(name)
        data = clean(data).replace("?>", "? >").replace("\r", " ")
        return f"<?{name} {data}?>" if data else f"<?{name}?>"

    def doctype(self, doctype: Doctype) -> str:
        """The DOCTYPE as `doctype` asks for it, "" if it is left out."""
        if self.options.doctype == "drop":
            self.say("xmlfix-doctype-dropped", doctype.name or "")
            return ""
        if self.options.doctype == "html":
            return "<!DOCTYPE html>"
        name = self.shortened(escape_ncname(doctype.name or "html"))
        public, system = doctype.public_id, doctype.system_id
        if public is not None:
            public = "".join(char for char in public if char in PUBLIC_ID_CHARS)
            public = public if len(public) < LONGEST_NAME else ""
        if system is not None:
            system = clean(system).replace("#", "%23")
            if len(system) * 3 > LONGEST_NAME:
                system = ""
            if '"' in system and "'" in system:
                system = system.replace('"', "%22")
        if (public or "", system or "") != (doctype.public_id or "", doctype.system_id or ""):
            self.say("xmlfix-doctype-changed", name)
        identifiers = ""
        if public:
            identifiers = f' PUBLIC "{public}" {quoted(system or "")}'
        elif system:
            identifiers = f" SYSTEM {quoted(system)}"
        return f"<!DOCTYPE {name}{identifiers}>"

    def say(self, code: str, detail: str, attribute: str = "") -> None:
        """Report a change, if anyone listens; `attribute`, if not the one that is written."""
        if self.report is not None and (not self._attribute or self._attribute not in self.told):
            self.report(code, detail, attribute or self._attribute)


def is_same_everywhere(tag: Tag) -> bool:
    """Whether the XML of a tag does not depend on the document: it has no prefix."""
    return ":" not in tag.name and not any(":" in name or " " in name for name, _ in tag.attrs)


def alike(names: Iterable[str]) -> list[list[str]]:
    """The prefixes of those names that are equal but for their prefixes."""
    prefixes: dict[str, list[str]] = {}
    for name in names:
        prefix, colon, local = name.partition(":")
        if colon and prefix != "xml":
            prefixes.setdefault(local, []).append(prefix)
    return [group for group in prefixes.values() if len(group) > 1]


def quoted(literal: str) -> str:
    """A system literal in the quotes that it does not contain."""
    return f"'{literal}'" if '"' in literal else f'"{literal}"'
