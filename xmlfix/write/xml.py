"""The writer: tokens to chunks of XML, each namespace-well-formed in any place it may land.

Source: XML 1.0; Namespaces in XML 1.0; WHATWG #coercing-an-html-dom-into-an-infoset.
"""

from __future__ import annotations

from xmlfix.write.characters import clean, comment_data, escape_text, escape_value
from xmlfix.write.names import LONGEST_NAME, PLAIN_NAME, escape_ncname, is_ncname, split_prefix
from xmlfix.write.prefixes import Prefixes
from xmlfix.write.tape import CHOSEN, HIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

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
        "_attribute", "_ids", "_long", "_marks", "_nbsp", "_on_root", "_on_tag", "is_plain",
        "is_stream", "options", "prefixes", "report", "told",
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
        self._on_tag: dict[str, None] = {}  # those that a stream must declare on this tag
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
            return self.start(tag, namespace)
        for name, value in tag.attrs:
            if name[:6] == "xmlns:" and is_ncname(name[6:]):
                self.prefixes.declare(name[6:], value)
        self._on_root = set(self.prefixes.declared)
        start = self.start(tag, namespace)
        return f"{start[:-1]}{self.declarations(self.prefixes.declared)}>"

    def declarations(self, prefixes: Iterable[str]) -> str:
        """The attributes that declare prefixes in a stream."""
        return "".join(
            f' xmlns:{prefix}="{escape_value(self.prefixes.bind(prefix))}"' for prefix in prefixes
        )

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
        may_collide = False
        for name, value in attrs:
            written = name
            if name[:5] == "xmlns" and name[5:6] in ("", ":"):
                self._attribute = name
                self.page_declaration(name, value)
                continue
            if not PLAIN_NAME(name):
                self._attribute = name
                written, lost_prefix = self.prefixed(name, value)
                may_collide = may_collide or lost_prefix
            out.append((written, value, name))
        if may_collide:
            out = self.first_of_each(out)
        self._attribute = ""
        return "".join([f' {written}="{self.value(value)}"' for written, value, _ in out])

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

        `value` is the attribute's, for `xml:id`.
        """
        if name == "xml:id" and (not is_ncname(value) or value in self._ids):
            self.say("xmlfix-name-escaped", name)
            return escape_ncname(name), False
        if name == "xml:id":
            self._ids.add(value)
        prefix, local = split_prefix(name)
        if prefix == "xml" or not prefix:
            if local != name and not prefix:
                self.say("xmlfix-name-escaped", name)
            return self.shortened(f"{prefix}:{local}" if prefix else local), False
        manner = self.options.prefixes
        if manner == "escape" or (manner == "strip" and local == "xmlns"):
            self.say("xmlfix-name-escaped", name)
            return self.shortened(escape_ncname(name)), False
        if manner == "strip" and local != "xmlns":
            self.say("xmlfix-prefix-stripped", name)
            return self.shortened(local), True
        prefix, local = self.shortened(prefix), self.shortened(local)
        if self.is_stream and prefix not in self._on_root:
            self._on_tag[prefix] = None
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
        return (
            self.options.prefixes == "declare" and not self.is_stream and tag.get("xml:id") is None
        )

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

    def page_declaration(self, name: str, value: str) -> None:
        """Take note of the page's own `xmlns:prefix`; `xmlns` alone says nothing in HTML."""
        prefix = name[6:]
        if name == "xmlns":
            return
        if not is_ncname(prefix) or not self.prefixes.declare(prefix, value):
            self.say("xmlfix-xmlns-dropped", f"{name}={value!r}"[:80])

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
    return ":" not in tag.name and not any(":" in name for name, _ in tag.attrs)


def quoted(literal: str) -> str:
    """A system literal in the quotes that it does not contain."""
    return f"'{literal}'" if '"' in literal else f'"{literal}"'
