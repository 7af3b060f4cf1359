"""The only door to lxml's parser for xmlfix's own output."""

from __future__ import annotations

from lxml import etree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

# lxml's classes, which have no public names there; for annotations and isinstance
Element: TypeAlias = etree._Element
ElementTree: TypeAlias = etree._ElementTree

# what lxml makes of it: no error of libxml2's, or this one
OUT_OF_MEMORY = (0, etree.ErrorTypes.ERR_NO_MEMORY)


class HtmlTreeParser(etree.XMLParser):
    """The parser of XML that HTML's rules have made: lxml's trees remember theirs."""


def safe_parser(
    *, huge: bool = False, encoding: str | None = None, html: bool = False
) -> etree.XMLParser:
    """A strict parser: no network, no DTD, no entity expansion.

    Args:
        huge: lift libxml2's limits on depth and size.
        encoding: of the bytes, whatever they declare; None to heed what they declare.
        html: have the trees remember that HTML's rules made them, see `is_html`.
    """
    return (HtmlTreeParser if html else etree.XMLParser)(
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        resolve_entities=False,
        huge_tree=huge,
        encoding=encoding,
    )


def to_element(xml: str, *, html: bool = True) -> Element:
    """The root element of a document that xmlfix has written.

    libxml2's own limits are lifted: xmlfix has kept its own.

    Args:
        xml: the document.
        html: whether HTML's rules made it, not XML's.

    Raises:
        MemoryError: there is not enough.
    """
    parser = safe_parser(huge=True, encoding="utf-8", html=html)
    try:
        return etree.fromstring(xml.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        if error.code in OUT_OF_MEMORY:
            raise MemoryError("libxml2 has not enough memory") from None
        raise


def local_part(element: Element) -> str:
    """The name of an element without its namespace, whichever that is.

    >>> local_part(etree.fromstring('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    'svg'
    """
    return str(element.tag).rpartition("}")[2]


def is_html(element: Element) -> bool:
    """Whether an element is in an HTML document, where names have no case.

    It is one if HTML's rules made the tree, those of xmlfix or of lxml, or if its root is
    `html`: a tree that a caller has parsed from xmlfix's output shows no more than that.

    Source: WHATWG #case-sensitivity-of-selectors.
    """
    tree = element.getroottree()
    if isinstance(tree.parser, (HtmlTreeParser, etree.HTMLParser)):
        return True
    root = tree.getroot()
    return isinstance(root.tag, str) and local_part(root) == "html"
