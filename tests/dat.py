"""Tree-construction conformance data, and its dumps brought to what XML can hold.

A dump is the "#document" part of a case. `xml_dump` makes one of an XML text,
`coerce_document` changes an expected one in what no XML output can avoid; then the two
can be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree
from support import shared

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Case", "coerce_doctype", "coerce_document", "load", "read_cases", "shared", "xml_dump"]


# -- the files -------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One case: what to parse, how, and the dump to expect."""

    data: str
    fragment: str | None  # the context element: "td", "svg path"
    script: str | None  # "off", "on"; None: both
    document: str
    file: str
    number: int  # from 1

    @property
    def scripting(self) -> tuple[bool, ...]:
        """The values of the scripting flag under which the case is to be run."""
        return {"off": (False,), "on": (True,)}.get(self.script or "", (False, True))


SECTIONS = {
    *("#errors", "#new-errors", "#document-fragment"),
    *("#script-off", "#script-on", "#document"),
}


def load(path: Path) -> list[Case]:
    """The cases of a .dat file."""
    return read_cases(path.read_bytes().decode(), path.name)


def read_cases(text: str, file: str) -> list[Case]:
    """The cases of a file's text; blank lines may stand in their data and in their dumps."""
    cases: list[Case] = []
    sections: dict[str, list[str]] = {"#document": []}
    section = "#document"
    for line in [*text.split("\n"), "#data"]:
        if line == "#data" and section == "#document":
            if "#data" in sections:
                cases.append(_case(sections, file, len(cases) + 1))
            sections = {}
        if (
            (line == "#data" and not sections)
            or (line == "#errors" and section == "#data")
            or (line in SECTIONS and section not in ("#data", "#document"))
        ):
            section = line
            sections[section] = []
        else:
            sections[section].append(line)
    return cases


def _case(sections: dict[str, list[str]], file: str, number: int) -> Case:
    fragment = sections.get("#document-fragment")
    return Case(
        data="\n".join(sections["#data"]),
        fragment=fragment[0] if fragment else None,
        script="off" if "#script-off" in sections else "on" if "#script-on" in sections else None,
        document="\n".join(sections["#document"]).rstrip("\n"),
        file=file,
        number=number,
    )


# -- dumps -----------------------------------------------------------------------------


@dataclass
class Line:
    """One entry of a dump: `<p>`, `class="x"`, `"text"`, `<!-- comment -->`, `content` …"""

    depth: int
    entry: str

    def __str__(self) -> str:
        return "| " + "  " * self.depth + self.entry

    @property
    def kind(self) -> str:
        """The kind of node that the entry stands for."""
        for kind, (beginning, end) in FORMS.items():
            if self.entry.startswith(beginning) and self.entry.endswith(end):
                return kind
        return "content" if self.entry == "content" else "attribute"


FORMS = {
    "text": ('"', '"'),
    "comment": ("<!-- ", " -->"),
    "doctype": ("<!DOCTYPE ", ">"),
    "instruction": ("<?", ">"),
    "element": ("<", ">"),
}


def _lines(dump: str) -> list[Line]:
    """The entries of a dump; a text takes its further lines with it."""
    lines = []
    for entry in re.split(r"\n(?=\| )", dump) if dump else []:
        indented = entry.removeprefix("| ")
        bare = indented.lstrip(" ")
        lines.append(Line((len(indented) - len(bare)) // 2, bare))
    return lines


def _attribute(line: Line) -> tuple[str, str]:
    """The name and the value of an attribute's entry."""
    end = line.entry.index('="', 1)  # a name may begin with the equals sign
    return line.entry[:end], line.entry[end + 2 : -1]


# -- what XML cannot hold --------------------------------------------------------------

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
PREFIXED = re.compile(r"(?!xmlns:)[^\W\d][\w.-]*:[^\W\d][\w.-]*").fullmatch


def coerce_document(expected: str, *, xhtml: bool = True, escape: bool = False) -> str:
    """An expected dump as an XML output has to show it.

    Args:
        expected: the dump of a document or fragment, as the conformance data or
            `oracle.dump` give it.
        xhtml: whether the output declares the namespaces of HTML, SVG and MathML; without
            them a dump has no `svg` and `math`, and nothing marks the content of a template.
        escape: whether the colons of names are escaped, so that no element has a prefix.

    Comments get a space in `--` and after a final `-`; characters that XML forbids become
    U+FFFD and form feeds spaces; `xmlns` attributes go; other namespaced attributes have
    the form `prefix:name`, and elements whose name has a prefix lose `svg` and `math`;
    adjacent texts become one; the doctype comes first.
    """
    lines: list[Line] = []
    hidden: list[int] = []  # the depths of the content entries left out around this line
    for line in _lines(expected):
        while hidden and line.depth <= hidden[-1]:
            hidden.pop()
        depth = line.depth - len(hidden)
        entry = _characters(line.entry)
        if line.kind == "content" and not xhtml:
            hidden.append(line.depth)
        elif line.kind == "comment":
            lines.append(Line(depth, f"<!-- {_comment(entry[5:-4])} -->"))
        elif line.kind == "element":
            lines.append(Line(depth, _element(entry, xhtml, escape)))
        elif line.kind == "attribute":
            name, value = _attribute(line)
            name = re.sub("^(xlink|xml) ", r"\1:", name)
            if name != "xmlns" and not name.startswith(("xmlns ", "xmlns:")):
                lines.append(Line(depth, f'{name}="{_characters(value)}"'))
        elif line.kind == "text" and lines and lines[-1].kind == "text":
            if lines[-1].depth == depth:
                lines[-1].entry = lines[-1].entry[:-1] + entry[1:]
            else:
                lines.append(Line(depth, entry))
        elif line.kind == "doctype":
            lines.insert(0, Line(depth, coerce_doctype(entry)))
        else:
            lines.append(Line(depth, entry))
    return "\n".join(str(line) for line in _sort_attributes(lines))


def coerce_doctype(line: str) -> str:
    """The doctype's entry as the output has it: a name is never missing."""
    return line.replace("<!DOCTYPE >", "<!DOCTYPE html>")


def _characters(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text.replace("\f", " "))


def _comment(data: str) -> str:
    data = re.sub("-(?=-)", "- ", data)
    return data + " " if data.endswith("-") else data


def _element(entry: str, xhtml: bool, escape: bool) -> str:
    namespace, _, name = entry[1:-1].rpartition(" ")
    if namespace and xhtml and (escape or not PREFIXED(name)):
        return entry
    return f"<{name}>"


def _sort_attributes(lines: list[Line]) -> list[Line]:
    """The same lines, with the attributes of each element in order of their new names."""
    result: list[Line] = []
    attributes: list[Line] = []
    for line in [*lines, Line(0, "")]:
        if line.kind == "attribute" and line.entry:
            attributes.append(line)
        else:
            result += sorted(attributes, key=lambda line: _sort_key(_attribute(line)[0]))
            attributes = []
            result.append(line)
    return result[:-1]


def _sort_key(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


# -- the dump of XML -------------------------------------------------------------------

TEMPLATE = "{http://www.w3.org/1999/xhtml}template"
DESIGNATORS = {
    "http://www.w3.org/2000/svg": "svg ",
    "http://www.w3.org/1998/Math/MathML": "math ",
}
ESCAPE = re.compile("U([0-9A-F]{6})")
_LITERAL = "(\"[^\"]*\"|'[^']*')"
DOCTYPE = re.compile(f"<!DOCTYPE ([^ >]+)(?: PUBLIC {_LITERAL} {_LITERAL}| SYSTEM {_LITERAL})?>")
NO_DOCTYPE_HERE = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
PARSER = etree.XMLParser(resolve_entities=False, no_network=True)


def xml_dump(xml: str | bytes, *, fragment: bool = False) -> str:
    """The dump of an XML text, read with a strict parser.

    Args:
        xml: a document, or with `fragment` any sequence of nodes without a declaration.
        fragment: whether `xml` may have more or less than one root.

    Escaped names are unescaped. The content of a template is recognised by the namespace
    of the element, so an output without namespaces has no `content` entries.

    Raises:
        lxml.etree.XMLSyntaxError: `xml` is not namespace-well-formed.
    """
    if fragment:
        text = xml if isinstance(xml, str) else xml.decode()
        root = etree.fromstring(f"<fragment>{text}</fragment>", PARSER)
        lines = [Line(line.depth - 1, line.entry) for line in _dump_element(root)[1:]]
    else:
        root = etree.fromstring(xml, PARSER)
        lines = _xml_doctype(xml if isinstance(xml, str) else xml.decode())
        before = reversed([*root.itersiblings(preceding=True)])
        lines += [_dump_leaf(node, 0) for node in before]
        lines += _dump_element(root)
        lines += [_dump_leaf(node, 0) for node in root.itersiblings()]
    return "\n".join(str(line) for line in lines)


def _xml_doctype(xml: str) -> list[Line]:
    """The doctype's entry; lxml itself would give the root's name for the doctype's."""
    found = DOCTYPE.search(NO_DOCTYPE_HERE.sub("", xml))
    if found is None:
        return []
    public_id, system_id = (found[2] or '""')[1:-1], (found[3] or found[4] or '""')[1:-1]
    ids = f' "{public_id}" "{system_id}"' if public_id or system_id else ""
    return [Line(0, f"<!DOCTYPE {_unescape(found[1])}{ids}>")]


def _dump_leaf(node: etree._Element, depth: int) -> Line:
    """A comment or a processing instruction."""
    if isinstance(node, etree._ProcessingInstruction):
        return Line(depth, f"<?{node.target} {node.text or ''}>")
    return Line(depth, f"<!-- {node.text or ''} -->")


def _dump_element(root: etree._Element) -> list[Line]:
    """An element with all that is in it, without recursion."""
    lines: list[Line] = []
    depth = 0
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in ("comment", "pi"):
            lines.append(_dump_leaf(node, depth))
        elif event == "start":
            lines += _dump_start(node, depth)
            depth += 2 if node.tag == TEMPLATE else 1
            if node.text:
                lines.append(Line(depth, f'"{node.text}"'))
        else:
            depth -= 2 if node.tag == TEMPLATE else 1
        if event != "start" and node is not root and node.tail:
            lines.append(Line(depth, f'"{node.tail}"'))
    return lines


def _dump_start(node: etree._Element, depth: int) -> list[Line]:
    """An element and its attributes."""
    name = etree.QName(node)
    prefix = f"{node.prefix}:" if node.prefix else DESIGNATORS.get(name.namespace or "", "")
    lines = [Line(depth, f"<{prefix}{_unescape(name.localname)}>")]
    attributes = {_attribute_name(node, str(key)): value for key, value in node.attrib.items()}
    for key in sorted(attributes, key=_sort_key):
        lines.append(Line(depth + 1, f'{key}="{attributes[key]}"'))
    if node.tag == TEMPLATE:
        lines.append(Line(depth + 1, "content"))
    return lines


def _attribute_name(node: etree._Element, key: str) -> str:
    name = etree.QName(key)
    if name.namespace is None:
        return _unescape(name.localname)
    prefixes = {"http://www.w3.org/XML/1998/namespace": "xml"} | {
        namespace: prefix for prefix, namespace in node.nsmap.items() if prefix
    }
    return f"{prefixes[name.namespace]}:{_unescape(name.localname)}"


def _unescape(name: str) -> str:
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)), name)
