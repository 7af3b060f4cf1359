"""The only door to lxml's parser for xmlfix's own output."""

from __future__ import annotations

from lxml import etree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Element: TypeAlias = etree._Element
    ElementTree: TypeAlias = etree._ElementTree


def safe_parser(*, huge: bool = False, encoding: str | None = None) -> etree.XMLParser:
    """A strict parser: no network, no DTD, no entity expansion.

    Args:
        huge: lift libxml2's limits on depth and size.
        encoding: of the bytes, whatever they declare; None to heed what they declare.
    """
    return etree.XMLParser(
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        resolve_entities=False,
        huge_tree=huge,
        encoding=encoding,
    )


def to_element(xml: str) -> Element:
    """The root element of a document that xmlfix has written.

    libxml2's own limits are lifted: xmlfix has kept its own.
    """
    return etree.fromstring(xml.encode("utf-8"), safe_parser(huge=True, encoding="utf-8"))
