"""Every address of a page: where it stands, how it is written, and what it means.

Where addresses stand is the table `ADDRESSES`; what they mean is up to addresses.py. The
base is that of browsers: the first `<base href>`, wherever it stands, on top of the
document's own address.

Source: WHATWG #attributes-3 ("valid URL"), #document-base-urls, #parse-a-srcset-attribute,
#shared-declarative-refresh-steps; SVG 2 #linkRefAttrs; CSS Syntax 3 #consume-url-token.
"""

from __future__ import annotations

import re
from os import PathLike
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from xmlfix.elements import HTML_POINTS, TEXT_POINTS
from xmlfix.errors import OptionError
from xmlfix.extract.addresses import resolver, trimmed
from xmlfix.extract.grid import XHTML
from xmlfix.repair.foreign import HTML_ENCODINGS
from xmlfix.source import read_source
from xmlfix.tree import local_part, to_element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final, Literal, Unpack

    from xmlfix.extract.addresses import Resolver
    from xmlfix.fixer import Run
    from xmlfix.options import Settings
    from xmlfix.tree import Element, ElementTree


class Link(NamedTuple):
    """One address of a page.

    Attributes:
        element: the name of the element that has it, as the page has it: "a", "link:schemaref".
        attribute: the attribute, e.g. "href" or "xlink:href"; "" for the text of a `<style>`.
        written: the address as written, references resolved, one of several if there are.
        address: the address resolved and normalised; relative if there is no base; None if
            `written` is none, e.g. "http://[".
        text: the text of an `a` or `button` (of the images in it, if it has none), else the
            element's alt, title or value; white space collapsed.
        rel: the `rel` attribute, white space collapsed.
        line: 1-based, of the start tag in the markup. Of a tree it is lxml's `sourceline`,
            that of the XML which the tree was made of: of a tree by xmlfix a line of the
            repaired XML, not of the page. None if the start tag is not found.
    """

    element: str
    attribute: str
    written: str
    address: str | None
    text: str
    rel: str
    line: int | None


# ── where addresses stand ────────────────────────────────────────────────────

_SVG: Final = (
    "animate animateMotion animateTransform cursor feImage filter image linearGradient mpath"
    " pattern radialGradient set textPath tref use"
).lower().split()  # fmt: skip

# The elements on which an attribute is an address, in lower case; None for all elements.
ADDRESSES: Final[dict[str, frozenset[str] | None]] = {
    attribute: None if elements == "*" else frozenset(elements.split())
    for attribute, elements in {
        "action": "form",
        "background": "body table tbody td tfoot th thead tr",
        "cite": "blockquote del ins q",
        "data": "object",
        "formaction": "button input",
        "href": " ".join(["a area base link script", *_SVG]),
        "imagesrcset": "link",
        "manifest": "html",
        "ping": "a area",
        "poster": "video",
        "src": "audio embed frame iframe img input script source track video",
        "srcset": "img source",
        "xlink:href": "*",
    }.items()
}
HOLDERS: Final = frozenset((*ADDRESSES, "content", "style"))  # all that may hold some
SEVERAL: Final = ("imagesrcset", "ping", "srcset")
# Where nothing at all is an address: that of the page itself. Elsewhere it is none.
MAY_BE_EMPTY: Final = (("a", "href"), ("area", "href"))

XLINK_HREF: Final = ("{http://www.w3.org/1999/xlink}href", "xlinkU00003Ahref")
SPACES: Final = "\t\n\f\r "


class Place(NamedTuple):
    """An attribute that holds addresses, or the text of a `<style>`, and which they are."""

    element: Element
    name: str
    attribute: str
    value: str
    addresses: list[str]


def places(root: Element, *, styles: bool) -> Iterator[Place]:
    """All that holds addresses, in document order."""
    attributes: dict[str, str] = {}  # by key, "" for those that hold no address anywhere
    for element in root.iter("*"):
        name = ""
        # lxml looks for a value from the first attribute on, so only what is wanted is asked for
        for key in element.keys():  # noqa: SIM118
            attribute = attributes.get(key)
            if attribute is None:
                attribute = "xlink:href" if key in XLINK_HREF else str(key).lower()
                if attribute not in HOLDERS:
                    attribute = ""
                attributes[key] = attribute
            if not attribute:
                continue
            name = name or name_of(element)
            if not may_hold(name.lower(), attribute):
                continue
            value = str(element.get(key))
            if attribute == "style":
                addresses = css_addresses(value) if styles else []
            elif attribute == "content":
                is_refresh = attribute_of(element, "http-equiv").lower() == "refresh"
                addresses = refresh_address(value) if is_refresh else []
            else:
                addresses = several(attribute, value)
            yield Place(element, name, attribute, value, addresses)
        if styles and (name or name_of(element)).lower() == "style":
            text = str(_STRING(element))
            yield Place(element, name or name_of(element), "", text, css_addresses(text))


def may_hold(element: str, attribute: str) -> bool:
    """Whether an attribute may hold addresses on an element, both in lower case."""
    if attribute in ADDRESSES:
        elements = ADDRESSES[attribute]
        return elements is None or element in elements
    return attribute == "style" or (attribute == "content" and element == "meta")


def several(attribute: str, value: str) -> list[str]:
    """The addresses in an attribute of `ADDRESSES`."""
    if attribute not in SEVERAL:
        return [value]
    return value.split() if attribute == "ping" else srcset_addresses(value)


_CANDIDATE = re.compile(r"[\t\n\f\r ,]*+([^\t\n\f\r ]++)").match
_DESCRIPTORS = re.compile(r"(?: [^,(]++ | \( [^)]*+ \)?+ )*+", re.VERBOSE).match


def srcset_addresses(value: str) -> list[str]:
    """The addresses in a `srcset`, whatever their descriptors are.

    Source: WHATWG #parse-a-srcset-attribute.

    >>> srcset_addresses("a.png, b,c.png 2x,d.png 3x")
    ['a.png', 'b,c.png', 'd.png']
    """
    out = []
    found = _CANDIDATE(value)
    while found:
        address = found[1]
        pos = found.end()
        if address.endswith(","):
            address = address.rstrip(",")
        else:
            descriptors = _DESCRIPTORS(value, pos)
            assert descriptors is not None  # it matches nothing at all, too
            pos = descriptors.end()
        if address:
            out.append(address)
        found = _CANDIDATE(value, pos)
    return out


_REFRESH = re.compile(
    r"""[\t\n\f\r ]*+ (?: [0-9]++ [0-9.]*+ | \. [0-9.]*+ )
    (?: [\t\n\f\r ]++ [;,]?+ | [;,] ) [\t\n\f\r ]*+
    (?: url [\t\n\f\r ]*+ = [\t\n\f\r ]*+ )?+
    (?: "([^"]*) | '([^']*) | ([^"'].*) )""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE | re.ASCII,
).match


def refresh_address(content: str) -> list[str]:
    """The address in the `content` of a `<meta http-equiv=refresh>`, if there is one.

    Source: WHATWG #shared-declarative-refresh-steps.

    >>> refresh_address("5; URL='/next'"), refresh_address("0,next"), refresh_address("5")
    (['/next'], ['next'], [])
    """
    found = _REFRESH(content)
    return [address for address in found.groups() if address] if found else []


_CSS = re.compile(
    r"""/\*.*?(?:\*/|\Z)
    | url\( [\t\n\f\r ]*+ (?: "(?P<double>(?:[^"\\\n]|\\.)*+)(?:"|\Z)
                            | '(?P<single>(?:[^'\\\n]|\\.)*+)(?:'|\Z)
                            | (?P<bare>(?:[^"'()\\\t\n\f\r ]|\\[0-9a-f]{1,6}+[\t\n\f\r ]?+|\\.)*+)
                              [\t\n\f\r ]*+ (?:\)|\Z)
                            | (?!["']) (?:[^)\\]|\\.)*+ \)?+ )
    | @import [\t\n\f\r ]*+ (?: "(?P<double_import>(?:[^"\\\n]|\\.)*+)(?:"|\Z)
                              | '(?P<single_import>(?:[^'\\\n]|\\.)*+)(?:'|\Z) )
    | "(?P<double_string>(?:[^"\\\n]|\\.)*+)"?+ | '(?P<single_string>(?:[^'\\\n]|\\.)*+)'?+
    | (?P<word>(?:[\w-]|\\[0-9a-f]{1,6}+[\t\n\f\r ]?+|\\.)++ \(?+)
    | (?P<open>[(\[{]) | (?P<close>[)\]}])
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
).finditer
_CSS_ESCAPE = re.compile(
    r"\\(?:([0-9a-f]{1,6})(?:\r\n|[\t\n\f\r ])?|(\r\n|[\n\f\r])|(.))", re.IGNORECASE | re.DOTALL
)
# Functions in which a string is an address, not within another function in them.
STRING_FUNCTIONS: Final = frozenset(("image(", "image-set(", "-webkit-image-set(", "src("))
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}


def css_addresses(css: str) -> list[str]:
    """The addresses in declarations or a style sheet.

    They are those of `url()` and `@import`, and the strings in `STRING_FUNCTIONS`.

    Source: CSS Syntax 3 #consume-token, #consume-function; CSS Images 4 #image-set-notation,
    #image-notation; CSS Values 4 #urls.

    >>> css_addresses("a: url( b.png ) /* url(c) */; d: 'url(e)'; f: url('g\\\\29')")
    ['b.png', 'g)']
    >>> css_addresses("a: image-set('b.avif' type('image/avif'), 'c.png' 2x)")
    ['b.avif', 'c.png']
    """
    out = []
    inside: list[str] = []  # what is open: brackets, and functions with theirs
    for found in _CSS(css):
        kind = found.lastgroup
        if kind is None:
            continue
        text = found[kind]
        if kind == "word":
            if text[-1] == "(":
                inside.append(_CSS_ESCAPE.sub(css_character, text).lower())
        elif kind == "open":
            inside.append(text)
        elif kind == "close":
            if inside and _CLOSES[inside[-1][-1]] == text:
                inside.pop()
        elif kind.endswith("_string") and not (inside and inside[-1] in STRING_FUNCTIONS):
            continue
        elif text:
            out.append(_CSS_ESCAPE.sub(css_character, text))
    return out


def css_character(found: re.Match[str]) -> str:
    """The character that an escape of CSS means [#consume-escaped-code-point]."""
    if found[1]:
        code = int(found[1], 16)
        return "\ufffd" if not code or 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)
    return found[3] or ""


# ── what belongs to them ─────────────────────────────────────────────────────

_STRING = etree.XPath("string()", smart_strings=False)


def name_of(element: Element) -> str:
    """The name of an element as the page has it."""
    prefix = element.prefix
    return f"{prefix}:{local_part(element)}" if prefix else local_part(element)


def attribute_of(element: Element, name: str) -> str:
    """The value of an attribute, "" if there is none."""
    return str(element.get(name, ""))


def text_of(element: Element, name: str) -> str:
    """What an element says, see `Link.text`."""
    text = ""
    if name in ("a", "button"):
        inside = _STRING(element) if len(element) else element.text
        text = " ".join(str(inside or "").split())
        if not text and len(element):
            texts = [attribute_of(image, "alt") for image in element.iter("{*}img")]
            text = " ".join(" ".join(texts).split())
    for attribute in ("alt", "title", "value"):
        text = text or " ".join(attribute_of(element, attribute).split())
    return text


# ── the links of a page ──────────────────────────────────────────────────────


def links(
    page: Element | ElementTree | str | bytes | PathLike[str],
    base: str | None = None,
    *,
    rules: Literal["rfc3986", "whatwg"] = "rfc3986",
    styles: bool = False,
    polite: bool = False,
    agents: Iterable[str] = (),
    same_site: bool = False,
    lines: bool = True,
    **options: Unpack[Settings],
) -> list[Link]:
    """Find every address of a page, resolved and normalised.

    Args:
        page: the markup, a path-like to take it from, or a tree of lxml such as
            `xmlfix.fromstring` makes.
        base: the document's own address, absolute; None if it is unknown: relative
            addresses then stay relative, unless the page has an absolute `<base href>`.
        rules: "rfc3986", or "whatwg" for what browsers do (needs ada-url).
        styles: find the addresses in `style` attributes and `<style>` elements too.
        polite: leave out what has `rel=nofollow`, and all of a page whose robots meta says
            nofollow or none, or noindex without follow.
        agents: names of robots whose own metas count beside that of all robots.
        same_site: leave out what is not at the host of `base` or below it ("www." does not
            count); without a base, all that has a scheme or host.
        lines: find the lines, for which markup is read twice.
        **options: see `xmlfix.options.OPTIONS`; of a tree only `encoding` matters. It is the
            encoding of the page, which queries are in; without it, of bytes what they are
            decoded with, of all else UTF-8.

    Returns:
        The addresses in document order, an attribute with several giving several. Empty
        ones are left out but for those of `a` and `area`, which mean the page itself.

    Raises:
        OptionError: a base that is not absolute, or an option that does not fit.
        InputError: an unknown encoding.
        TypeError: `page` is neither markup nor tree.

    Source: WHATWG #document-base-urls, #resolving-urls; RFC 3986; Robots meta: HTML 4.01 B.4.1.

    >>> links("<base href=/b/><a href=' ../c?q '>See</a>", "HTTP://example.org")[1]
    ... # doctest: +NORMALIZE_WHITESPACE
    Link(element='a', attribute='href', written=' ../c?q ', address='http://example.org/c?q',
         text='See', rel='', line=1)
    """
    if isinstance(agents, str):
        raise OptionError(f"agents takes a list of names, not the str {agents!r}")
    line_of: Callable[[Place], int | None] = line_in_tree if lines else no_line
    encoding = options.get("encoding")
    if isinstance(page, (str, bytes, bytearray, memoryview, PathLike)):
        root, run = parsed(read_source(page), {**options})
        encoding = encoding_of(run)
        if lines:
            line_of = line_in(run)
    else:
        root = root_of(page)
        for word in options:
            if word != "encoding":
                raise OptionError(f"{word} is for markup, not for trees")
    document = resolver(rules, base, encoding)
    resolve = resolver(rules, base, encoding)
    href = base_href(root)
    if href is not None:
        resolve.rebase(href)
    site = document.resolve(base or href or "")
    if polite and not is_open(root, agents):
        return []
    found = each_link(root, document, resolve, line_of, styles=styles)
    return [
        link
        for link in found
        if not (polite and "nofollow" in link.rel.lower().split())
        and not (same_site and not is_at(link.address, site))
    ]


def parsed(page: str | bytes, options: dict[str, Any]) -> tuple[Element, Run]:
    """The root of markup, and the run that has repaired it."""
    from xmlfix.fixer import Run

    run = Run(page, options, keeps_text=True, is_tree=True)
    return to_element("".join(run.output()), html=not run.intake.is_xml), run


def encoding_of(run: Run) -> str | None:
    """The encoding that a page is in."""
    sniffed = run.intake.sniffed
    return run.options.encoding if sniffed is None else sniffed.encoding


def line_in(run: Run) -> Callable[[Place], int | None]:
    """Gives the lines of places in markup, which must come in document order."""
    from xmlfix.extract.lines import Lines

    intake = run.intake
    lines = Lines(
        intake.text,
        HOLDERS,
        may_hold,
        is_xml=intake.is_xml,
        is_well_formed=intake.is_well_formed,
    )
    return lambda place: lines.of(place.attribute, place.value)


def line_in_tree(place: Place) -> int | None:
    """The line of a place in a tree: lxml's `sourceline` of its element."""
    line = place.element.sourceline
    return None if line is None else int(line)


def no_line(place: Place) -> int | None:
    """None for each place, where lines are not wanted."""
    return None


def root_of(page: Element | ElementTree) -> Element:
    """The root of a tree.

    Raises:
        TypeError: it is none.
    """
    root = page.getroot() if isinstance(page, etree._ElementTree) else page
    if not isinstance(root, etree._Element):
        raise TypeError(f"links takes markup or a tree of lxml, not {type(page).__name__}")
    return root


def base_href(root: Element) -> str | None:
    """The first `<base href>` of a page, or None; one in a `<template>` is not in the document.

    Source: WHATWG #document-base-url.
    """
    for element in root.iter("{*}base"):
        href = element.get("href")
        if href is not None and is_base(element) and not is_in_template(element):
            return str(href)
    return None


def is_in_template(element: Element) -> bool:
    """Whether an element is not in the document."""
    return any(local_part(above) == "template" for above in element.iterancestors())


_HOLD_HTML: Final = frozenset(point.lower() for point in HTML_POINTS | TEXT_POINTS)


def is_base(element: Element) -> bool:
    """Whether an element is the `base` of HTML, and none that SVG or MathML hold.

    Where elements have no namespaces, the elements around it decide.

    Source: WHATWG #html-integration-point, #mathml-text-integration-point.
    """
    if element.tag != "base":
        return str(element.tag) == f"{XHTML}base"
    between: set[str] = set()
    for above in element.iterancestors():
        name = local_part(above).lower()
        if name in ("svg", "math"):
            return not _HOLD_HTML.isdisjoint([f"{name} {inner}" for inner in between])
        if name == "annotation-xml" and attribute_of(above, "encoding").lower() in HTML_ENCODINGS:
            return True
        between.add(name)
    return True


def each_link(
    root: Element,
    document: Resolver,
    resolve: Resolver,
    line_of: Callable[[Place], int | None],
    *,
    styles: bool,
) -> Iterator[Link]:
    """The links of a page; those of `base` elements are relative to the document's address."""
    for place in places(root, styles=styles):
        element, name, attribute, _, addresses = place
        line = line_of(place)
        rel = text = None
        is_of_document = name == "base" and is_base(element)
        address_of = (document if is_of_document else resolve).resolve
        for written in addresses:
            # most begin with a character that nothing is trimmed of
            is_empty = written[:1] <= " " and not trimmed(written)
            if is_empty and (name, attribute) not in MAY_BE_EMPTY:
                continue
            if rel is None or text is None:
                rel = " ".join(attribute_of(element, "rel").split())
                text = text_of(element, name)
            yield Link(name, attribute, written, address_of(written), text, rel, line)


# ── politeness, sites ────────────────────────────────────────────────────────


def is_open(root: Element, agents: Iterable[str]) -> bool:
    """Whether the page's robots metas let robots follow its links.

    The strictest of those that apply counts.
    """
    names = {"robots", *[agent.strip().lower() for agent in agents]}
    said: set[str] = set()
    for meta in root.iter("{*}meta"):
        if attribute_of(meta, "name").strip().lower() in names:
            said.update(re.split(r"[\s,]+", attribute_of(meta, "content").lower()))
    if "nofollow" in said or "none" in said:
        return False
    return "noindex" not in said or "follow" in said


def is_at(address: str | None, site: str | None) -> bool:
    """Whether an address is on a site: at its host or below.

    >>> is_at("http://shop.example.org/", "https://www.example.org/")
    True
    """
    if address is None:
        return False
    there = urlsplit(address)
    here = urlsplit(site or "")
    if not there.hostname or not here.hostname:
        return (there.scheme, there.hostname) == (here.scheme, here.hostname)
    host = here.hostname.removeprefix("www.")
    return there.hostname == host or there.hostname.endswith(f".{host}")
