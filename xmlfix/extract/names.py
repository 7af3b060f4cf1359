"""The names in an XPath expression: whether they are there, and what they mean in HTML.

libxml2 looks up a function, prefix or variable only when it comes to it, so that an
expression with a mistake finds nothing on pages that never lead there. Here all are looked
up first.
"""

from __future__ import annotations

from lxml import etree

from xmlfix.extract.conditions import casings, lowered
from xmlfix.extract.query_error import QueryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Final

    from xmlfix.extract.place import Mention
    from xmlfix.tree import Element

OURS: Final = "urn:xmlfix:xpath"  # the namespace of our extension function
PREFIX: Final = "_xmlfix"

# XPath 1.0 §4
FUNCTIONS: Final = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains"
    " substring-before substring-after substring string-length normalize-space translate boolean"
    " not true false lang number sum floor ceiling round".split()
)
XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"
_DECLARED: Final = etree.XPath("id($name)")
_STRING: Final = etree.XPath("string($value)", smart_strings=False)


def check_names(
    expression: str,
    named: Sequence[Mention],
    namespaces: Mapping[str, str] | None = None,
    variables: Mapping[str, object] | None = None,
) -> None:
    """Raise QueryError for the first name that is not declared.

    Args:
        expression: for the message.
        named: what it mentions.
        namespaces: the prefixes that are declared; None if they are not known yet.
        variables: those that have a value; None if they are not known yet.
    """
    for kind, name, place, _ in named:
        prefix, colon, local = name.rpartition(":")
        if colon and prefix != "xml" and namespaces is not None and prefix not in namespaces:
            raise QueryError(f"undefined namespace prefix {prefix!r}", expression, place)
        if kind == "variable" and variables is not None and name not in variables:
            raise QueryError(f"undefined variable ${name}", expression, place)
        if kind == "function" and (namespaces is not None or not colon):
            uri = (namespaces or {}).get(prefix) if colon else None
            if (colon or name not in FUNCTIONS) and not is_registered(uri, local):
                raise QueryError(f"XPath 1.0 has no function {name}()", expression, place)


def is_registered(uri: str | None, name: str) -> bool:
    """Whether the caller has given lxml a function of this name.

    Source: https://lxml.de/extensions.html (FunctionNamespace).
    """
    try:
        etree.FunctionNamespace(uri)[name]
    except KeyError:
        return False
    return True


def as_meant(expression: str, named: Sequence[Mention], *, html: bool) -> str:
    """The expression as libxml2 is to be asked.

    `id()` becomes ours: libxml2's knows only what a DTD declares. In HTML documents, a name
    test with capitals finds the name in lower case, or as SVG has it, too: the parser does
    away with the capitals that a page has, also those of attributes. Deviates: browsers do so
    for elements only, so that `//A/@HREF` finds nothing there.

    Args:
        expression: that an XPath reader has taken.
        named: what it mentions.
        html: whether it is asked of an HTML document.

    Source: DOM #interface-xpathevaluatorbase; HTML #interactions-with-xpath-and-xslt.
    """
    pieces: list[str] = []
    end = 0
    for kind, name, place, after in named:
        if kind == "function" and name == "id" and expression[after : after + 1] != ")":
            changed = f"{PREFIX}:id(/*, "
        elif html and kind in {"element", "attribute"} and name != lowered(name):
            changed = any_case(kind, name)
        else:
            continue
        pieces += [expression[end:place], changed]
        end = after
    return "".join([*pieces, expression[end:]])


def any_case(kind: str, name: str) -> str:
    """The name test for a name and the forms that it has in an HTML tree."""
    prefix, colon, local = name.rpartition(":")
    forms = casings(local, html=True)
    if colon:
        return f"{prefix}:*[{' or '.join([f'local-name() = {form!r}' for form in forms])}]"
    if kind == "attribute":
        return f"*[{' or '.join([f'name() = {form!r}' for form in forms])}]"
    return f"*[{' or '.join([f'self::{form}' for form in forms])}]"


def by_id(context: Any, roots: list[Element], names: str | float | bool | list[Any]) -> list[Any]:
    """`id()`: the elements with these IDs: of the DTD, or in `id` or `xml:id` attributes.

    Args:
        context: that of lxml's extension functions.
        roots: the root element.
        names: IDs parted by white space, or nodes, each of which holds such.

    Source: XPath 1.0 §4.1; DOM #concept-id; xml:id 1.0.
    """
    root = roots[0]
    known: dict[Any, dict[str, Element]] = context.eval_context
    ids = known.get(by_id)
    if ids is None:
        ids = known[by_id] = {}
        for element in root.iter("*"):
            for value in (element.get("id"), element.get(XML_ID)):
                if value:
                    ids.setdefault(value, element)
    found: dict[Element, None] = {}
    for each in names if isinstance(names, list) else [names]:
        text: Any = _STRING(root, value=[each] if isinstance(each, etree._Element) else each)
        for name in text.split():
            declared: Any = _DECLARED(root, name=name)
            if not declared and name in ids:
                declared = [ids[name]]
            found.update(dict.fromkeys(declared))
    return list(found)


EXTENSIONS: Final = {(OURS, "id"): by_id}
