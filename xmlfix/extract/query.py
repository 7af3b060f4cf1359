"""Queries: XPath and CSS selectors asked of a page.

None of these calls has a time limit: lxml cannot be interrupted from within its process,
and an expression such as `count(//*[count(//*[count(//*) > 0]) > 0])` takes as long as it
takes. Ask questions that others wrote in a process that you can end; the commands have
`--timeout-query`.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache

from lxml import etree

from xmlfix.errors import OptionError
from xmlfix.extract.names import EXTENSIONS, OURS, PREFIX, as_meant, check_names
from xmlfix.extract.place import mentions
from xmlfix.extract.query_error import QueryError
from xmlfix.tree import is_html
from xmlfix.write.well_known import WELL_KNOWN as USUAL  # what undeclared prefixes are bound to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import IO, Any, TypeAlias

    from xmlfix.options import Settings
    from xmlfix.tree import Element, ElementTree

    Node: TypeAlias = Element | str
    Tree: TypeAlias = Element | ElementTree
    Source: TypeAlias = Tree | str | bytes | PathLike[str] | IO[str] | IO[bytes]
    Result: TypeAlias = list[Any] | str | float | bool

NEEDED = "an element or tree of lxml is needed, or markup"
_STRING = etree.XPath("string()", smart_strings=False)

# prefixes that every XPath expression may use, unless the page or the caller has them
WELL_KNOWN = {prefix: USUAL[prefix] for prefix in ("html", "svg", "math", "xlink")}


def xpath(
    tree: Source, expression: str, namespaces: Mapping[str, str] | None = None, **variables: Any
) -> Any:
    """Ask an XPath 1.0 expression of a page.

    Unlike lxml's own `xpath`, prefixes that the page declares (`//o:p`) need no mapping,
    nor do `html`, `svg`, `math` and `xlink`, and those that xmlfix knows (`o`, `v`, `og` …),
    so that a page without them has none of what is asked for. In an HTML document, a name
    with capitals (`//A/@HREF`) also means the one in lower case, which the parser makes of it.
    `id("k")` finds the element with `id="k"` or `xml:id="k"`.

    Args:
        tree: an element, which is then the context node, or a tree: its root is. Or markup,
            or a path-like or reader to take it from; for markup with options, pass
            `xmlfix.fromstring(markup, …)`.
        expression: XPath 1.0.
        namespaces: further prefixes, which go before those of the page.
        **variables: values of `$name` in the expression.

    Returns:
        A list of elements and strings (attributes and text are plain str), or a str, float
        or bool, as the expression has it.

    Raises:
        QueryError: the expression is not XPath, or needs a prefix, variable or function
            that is not there, whether or not the page has what would be asked of it.
        TypeError: `tree` is none of these.

    Source: XPath 1.0.

    >>> import xmlfix
    >>> page = xmlfix.fromstring("<p>a<p><o:p>b</o:p>")
    >>> xpath(page, "//o:p/text()"), xpath(page, "count(//p)")
    (['b'], 2.0)
    """
    check_text(expression, "an XPath expression")
    node = element_of(tree)
    check_prefixes(namespaces)
    given = {**WELL_KNOWN, **declared(node.getroottree().getroot()), **(namespaces or {})}
    named = mentions(expression) or ()
    if any(prefix_of(each.name) not in given for each in named if ":" in each.name):
        # this takes a while; other pages may declare what this one does not
        given = {**USUAL, **_all_declared(node), **given}
    check_names(expression, named, given, variables)
    query = as_meant(expression, named, html=is_html(node))
    try:
        return _compiled(query, tuple(sorted(given.items())))(node, **variables)
    except etree.XPathError as error:
        raise _query_error(error, expression) from None
    except QueryError:
        raise
    except ValueError:
        raise QueryError("a variable has a character that no XML holds", expression) from None


def css(tree: Source, selector: str, namespaces: Mapping[str, str] | None = None) -> list[Node]:
    """What CSS selectors select, in document order.

    Args:
        tree: an element or a tree; or markup, as `xpath` takes it. The element itself and all
            below it can be selected; what lies around it counts for the match, as in a browser.
        selector: selectors of CSS, `::text`, `::attr(name)`, `:has-n-children(n)`; one may
            begin with a combinator (`> td`, `+ tr > td`) and then starts at the element.
        namespaces: prefixes for `prefix|name`, besides those that the page declares.

    Returns:
        Elements; str for `::text` and `::attr()`.

    Raises:
        QueryError: not a selector; the message marks the place.

    Source: Selectors Level 4.

    >>> import xmlfix
    >>> page = xmlfix.fromstring("<ul><li class=k>a<li>b<li class=k>c</ul>")
    >>> css(page, "li:nth-child(2 of .k)::text, li:not(.k)::text")
    ['b', 'c']
    """
    from xmlfix.extract.css import compiled

    check_text(selector, "a selector")
    node = element_of(tree)
    check_prefixes(namespaces)
    prefixes: dict[str, str] = {}
    if "|" in selector:
        root = node.getroottree().getroot()
        prefixes = {**WELL_KNOWN, **declared(root), **(namespaces or {})}
    query = compiled(selector, tuple(sorted(prefixes.items())), html=is_html(node))
    try:
        found: list[Any] = query(node, scope=[node])
    except etree.XPathError as error:
        raise QueryError(f"too long or too deeply nested ({error})", selector) from None
    return found


def select(tree: Source, selector: str, namespaces: Mapping[str, str] | None = None) -> list[Node]:
    """What a selector selects: XPath if it begins with `/`, `./` or `(`, otherwise CSS.

    Args:
        tree: an element or a tree; or markup, as `xpath` takes it.
        selector: CSS or XPath.
        namespaces: prefixes, besides those that the page declares.

    Returns:
        Elements and str, in document order; a number, string or boolean of XPath is a
        list of one str, as XPath prints it.

    Raises:
        QueryError: neither, with the place.

    >>> import xmlfix
    >>> page = xmlfix.fromstring("<ul><li class=k>a<li>b</ul>")
    >>> select(page, "li.k::text"), select(page, "//li[2]/text()"), select(page, "(1 + 1)")
    (['a'], ['b'], ['2'])
    """
    check_text(selector, "a selector")
    node = element_of(tree)
    if not is_xpath(selector):
        return css(node, selector, namespaces)
    found = xpath(node, selector, namespaces)
    return found if isinstance(found, list) else [text_of(found)]


def is_xpath(selector: str) -> bool:
    """Whether `select` takes it for XPath."""
    return selector.lstrip().startswith(("/", "./", "("))


def check_xpath(expression: str) -> None:
    """Raise QueryError if it is not XPath, as far as it can be checked without a page.

    Functions are looked at if they have no prefix; prefixes and variables are not.
    """
    check_names(expression, mentions(expression) or ())
    try:
        _compiled(expression, ())
    except etree.XPathError as error:
        raise _query_error(error, expression) from None


def check_css(selector: str) -> None:
    """Raise QueryError if it is not a group of selectors, as far as can be told without a page."""
    from xmlfix.extract.css import translate

    if "|" not in selector:
        translate(selector)


def text_of(value: str | float | bool) -> str:
    """A string, number or boolean as XPath's `string()` has it.

    Source: XPath 1.0 §4.2.

    >>> text_of(2.0), text_of(0.5), text_of(1e21), text_of(float("nan")), text_of(True)
    ('2', '0.5', '1000000000000000000000', 'NaN', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value):
        return str(int(value))
    from decimal import Decimal

    return format(Decimal(repr(value)), "f")


def xml_of(node: Element) -> str:
    """A node as XML that stands on its own: with the prefixes that it uses, without its tail."""
    if node.getparent() is not None or node.getroottree().docinfo.doctype:
        node = deepcopy(node)  # leaves behind what only its surroundings declare
    return etree.tostring(node, encoding="unicode", with_tail=False)


def string_value(node: Element) -> str:
    """The text of an element and of all below it; of a comment or instruction, its content.

    Source: XPath 1.0 §5.
    """
    return str(_STRING(node))


def element_of(source: Source, options: Settings | None = None) -> Element:
    """What a query is asked of: an element itself, or the root of a tree or of markup.

    Args:
        source: an lxml element or tree; or markup, or a path-like or reader to take it from.
        options: of `xmlfix.fix`, for markup.

    Raises:
        QueryError: a comment or processing instruction.
        OptionError: options for what is a tree already; else as `xmlfix.fix`.
        OSError, InputError: the markup cannot be read.
        TypeError: none of these, or an empty tree.
    """
    element: Any = source
    if not isinstance(source, (etree._Element, etree._ElementTree)):
        import xmlfix
        from xmlfix.source import is_source, read_source

        if not is_source(source):
            raise TypeError(f"{NEEDED}, not {type(source).__name__}")
        return xmlfix.fromstring(read_source(source, callers=2), **(options or {}))
    for word in options or ():
        raise OptionError(f"{word} is for markup, a tree has been made already")
    if isinstance(source, etree._ElementTree):
        element = source.getroot()
    if element is None:
        raise TypeError(f"{NEEDED}, not an empty tree")
    if not isinstance(element.tag, str):
        raise QueryError("a tree or an element is needed, not a comment or instruction")
    found: Element = element
    return found


def check_text(value: object, what: str) -> None:
    """Raise TypeError if a selector or expression is no str."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")


def prefix_of(name: str) -> str:
    """The prefix of a name, or ""."""
    return name.rpartition(":")[0]


def check_prefixes(namespaces: Mapping[str, str] | None) -> None:
    """Raise QueryError for what lxml's `nsmap` has for the default namespace, and for no address.

    Neither XPath 1.0 nor a selector can do anything with it.
    """
    for prefix, address in (namespaces or {}).items():
        if not (isinstance(prefix, str) and prefix and address):
            raise QueryError(f"a namespace needs a prefix and an address: {prefix}={address}")


def declared(element: Element) -> dict[str, str]:
    """The prefixes in scope at an element; XPath 1.0 knows no default namespace."""
    return {prefix: uri for prefix, uri in element.nsmap.items() if prefix}


def _all_declared(node: Element) -> dict[str, str]:
    """All prefixes that a document declares; the first declaration of each counts."""
    found: dict[str, str] = {}
    for element in node.getroottree().iter("*"):
        for prefix, uri in declared(element).items():
            found.setdefault(prefix, uri)
    return found


@lru_cache(maxsize=256)
def _compiled(expression: str, namespaces: tuple[tuple[str, str], ...]) -> etree.XPath:
    """The expression, without EXSLT's regular expressions (they can take exponential time)."""
    try:
        return etree.XPath(
            expression,
            namespaces={**dict(namespaces), PREFIX: OURS},
            extensions=EXTENSIONS,
            regexp=False,
            smart_strings=False,
        )
    except ValueError:
        raise QueryError("a character that no XML holds", expression) from None


def _query_error(error: etree.XPathError, expression: str) -> QueryError:
    """What lxml says about an expression, with the place if it can be told."""
    from xmlfix.extract.place import mistake

    found = mistake(expression)
    if found is not None:
        return QueryError(found[0], expression, found[1])
    message = str(error)
    return QueryError(message[:1].lower() + message[1:], expression)
