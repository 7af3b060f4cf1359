"""Every address of a page: where it stands, how it is written, and what it means.

Where addresses stand is the table `ADDRESSES`; what they mean is up to addresses.py. The
base is that of browsers: the first `<base href>`, wherever it stands, on top of the
document's own address.

Source: WHATWG #attributes-3 ("valid URL"), #document-base-urls, #parse-a-srcset-attribute,
#shared-declarative-refresh-steps; SVG 2 #linkRefAttrs; CSS Syntax 3 #consume-url-token.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from os import PathLike
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from xmlfix.errors import OptionError
from xmlfix.extract.addresses import resolver, trimmed
from xmlfix.read.reader import Reader
from xmlfix.read.tokens import RAW_TEXT
from xmlfix.source import read_source
from xmlfix.tree import to_element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final, Literal, Unpack

    from xmlfix.extract.addresses import Resolver
    from xmlfix.options import Settings
    from xmlfix.read.tokens import Doctype, Tag
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
    for element in root.iter("*"):
        name = local(element)
        if element.prefix:
            name = f"{element.prefix}:{name}"
        lower = name.lower()
        for key, value in element.items():
            attribute = "xlink:href" if key in XLINK_HREF else str(key).lower()
            if not may_hold(lower, attribute):
                continue
            if attribute == "style":
                addresses = css_addresses(value) if styles else []
            elif attribute == "content":
                is_refresh = attribute_of(element, "http-equiv").lower() == "refresh"
                addresses = refresh_address(value) if is_refresh else []
            else:
                addresses = several(attribute, value)
            yield Place(element, name, attribute, value, addresses)
        if styles and lower == "style":
            text = str(_STRING(element))
            yield Place(element, name, "", text, css_addresses(text))


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
    | "(?:[^"\\\n]|\\.)*+"?+ | '(?:[^'\\\n]|\\.)*+'?+
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
).finditer
_CSS_ESCAPE = re.compile(
    r"\\(?:([0-9a-f]{1,6})(?:\r\n|[\t\n\f\r ])?|(\r\n|[\n\f\r])|(.))", re.IGNORECASE | re.DOTALL
)


def css_addresses(css: str) -> list[str]:
    """The addresses in declarations or a style sheet: those of `url()` and `@import`.

    Source: CSS Syntax 3 #consume-token.

    >>> css_addresses("a: url( b.png ) /* url(c) */; d: 'url(e)'; f: url('g\\\\29')")
    ['b.png', 'g)']
    """
    found = [next(filter(None, each.groupdict().values()), "") for each in _CSS(css)]
    return [_CSS_ESCAPE.sub(css_character, address) for address in found if address]


def css_character(found: re.Match[str]) -> str:
    """The character that an escape of CSS means [#consume-escaped-code-point]."""
    if found[1]:
        code = int(found[1], 16)
        return "\ufffd" if not code or 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)
    return found[3] or ""


# ── what belongs to them ─────────────────────────────────────────────────────

_STRING = etree.XPath("string()", smart_strings=False)


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute_of(element: Element, name: str) -> str:
    """The value of an attribute, "" if there is none."""
    return str(element.get(name, ""))


def text_of(element: Element, name: str) -> str:
    """What an element says, see `Link.text`."""
    text = ""
    if name in ("a", "button"):
        text = " ".join(str(_STRING(element)).split())
        if not text:
            texts = [attribute_of(image, "alt") for image in element.iter("{*}img")]
            text = " ".join(" ".join(texts).split())
    for attribute in ("alt", "title", "value"):
        text = text or " ".join(attribute_of(element, attribute).split())
    return text


class Lines:
    """The lines of the start tags in a text, found again by the values of their attributes.

    The tree that the repair makes has each start tag's attributes as they are, but maybe
    more than once, or elsewhere: equal ones have their lines in the order of the source, and
    the copies of the last have its line.

    Args:
        text: the markup, with LF for each newline.
        is_xml: whether XML's rules read it.
        well_formed: whether it is well-formed XML.
    """

    def __init__(self, text: str, *, is_xml: bool, well_formed: bool = False) -> None:
        self._lines: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        self._text = text
        self._is_xml = is_xml
        self._line = 1
        self._pos = 0  # where that was counted
        self._reader = Reader(self, xml=is_xml, well_formed=well_formed)
        self._reader.feed(text, False)

    def of(self, place: Place) -> int | None:
        """The line of a place; places come in document order."""
        value = visible(place.value) if place.attribute else ""
        lines = self._lines.get((place.attribute, value))
        if not lines:
            return None
        return lines.popleft() if len(lines) > 1 else lines[0]

    # ── the reader's sink ────────────────────────────────────────────────────

    def start_tag(self, tag: Tag) -> None:
        name = tag.name
        if tag.attrs or name == "style":
            self._take(tag, self._reader.start)
        if name in RAW_TEXT and not self._is_xml:
            self._reader.raw(name)

    def _take(self, tag: Tag, start: int) -> None:
        self._line += self._text.count("\n", self._pos, start)
        self._pos = start
        name = "img" if tag.name == "image" else tag.name.lower()
        for attribute, value in tag.attrs:
            if may_hold(name, attribute.lower()):
                self._lines[attribute.lower(), visible(value)].append(self._line)
        if name == "style":
            self._lines["", ""].append(self._line)

    def end_tag(self, name: str) -> None:
        """Nothing to see."""

    def text(self, data: str) -> None:
        """Nothing to see."""

    def comment(self, data: str) -> None:
        """Nothing to see."""

    def doctype(self, doctype: Doctype) -> None:
        """Nothing to see."""

    def instruction(self, target: str, data: str) -> None:
        """Nothing to see."""

    def end(self) -> None:
        """Nothing more."""


def visible(value: str) -> str:
    """The characters of a value that no repair changes."""
    return re.sub("[^!-~]+", "", value)


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
    **options: Unpack[Settings],
) -> list[Link]:
    """Find every address of a page, resolved and normalised.

    Args:
        page: the markup, a path-like to take it from, or a tree of lxml such as
            `xmlfix.fromstring` makes.
        base: the document's own address, absolute; None if nobody knows it: relative
            addresses then stay relative, unless the page has an absolute `<base href>`.
        rules: "rfc3986", or "whatwg" for what browsers do (needs ada-url).
        styles: find the addresses in `style` attributes and `<style>` elements too.
        polite: leave out what has `rel=nofollow`, and all of a page whose robots meta says
            nofollow or none, or noindex without follow.
        agents: names of robots whose own metas count beside that of all robots.
        same_site: leave out what is not at the host of `base` or below it ("www." does not
            count); without a base, all that has a scheme or host.
        **options: see `xmlfix.options.OPTIONS`; of a tree only `encoding` matters. It is the
            encoding of the page, which queries are in; without it, of bytes what they are
            decoded with, of all else UTF-8.

    Returns:
        The addresses in document order, an attribute with several giving several. Empty
        ones are left out but for those of `a` and `area`, which mean the page itself.

    Raises:
        OptionError: a base that is not absolute, or an option that does not fit.
        InputError: an encoding that nobody knows.
        TypeError: `page` is neither markup nor tree.

    Source: WHATWG #document-base-urls, #resolving-urls; RFC 3986; Robots meta: HTML 4.01 B.4.1.

    >>> links("<base href=/b/><a href=' ../c?q '>See</a>", "HTTP://example.org")[1]
    ... # doctest: +NORMALIZE_WHITESPACE
    Link(element='a', attribute='href', written=' ../c?q ', address='http://example.org/c?q',
         text='See', rel='', line=1)
    """
    if isinstance(agents, str):
        raise OptionError(f"agents takes a list of names, not the str {agents!r}")
    lines: Lines | None = None
    encoding = options.get("encoding")
    if isinstance(page, (str, bytes, bytearray, memoryview, PathLike)):
        root, lines, encoding = parsed(read_source(page), {**options})
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
    found = each_link(root, document, resolve, lines, styles=styles)
    return [
        link
        for link in found
        if not (polite and "nofollow" in link.rel.lower().split())
        and not (same_site and not is_at(link.address, site))
    ]


def parsed(page: str | bytes, options: dict[str, Any]) -> tuple[Element, Lines, str | None]:
    """The root of markup, its lines, and the encoding that it is in."""
    from xmlfix.fixer import Run

    run = Run(page, options, keeps_text=True, is_tree=True)
    root = to_element("".join(run.output()), html=not run.intake.is_xml)
    sniffed = run.intake.sniffed
    encoding = run.options.encoding if sniffed is None else sniffed.encoding
    intake = run.intake
    lines = Lines(intake.text, is_xml=intake.is_xml, well_formed=intake.is_well_formed)
    return root, lines, encoding


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
        if href is not None and not any(map(is_template, element.iterancestors())):
            return str(href)
    return None


def is_template(element: Element) -> bool:
    """Whether what is in an element is not in the document."""
    return local(element) == "template"


def each_link(
    root: Element, document: Resolver, resolve: Resolver, lines: Lines | None, *, styles: bool
) -> Iterator[Link]:
    """The links of a page; those of `base` elements are relative to the document's address."""
    for place in places(root, styles=styles):
        element, name, attribute, _, addresses = place
        line = element.sourceline if lines is None else lines.of(place)
        rel = text = None
        address_of = (document if name == "base" else resolve).resolve
        for written in addresses:
            if not trimmed(written) and (name, attribute) not in MAY_BE_EMPTY:
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
