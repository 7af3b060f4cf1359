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

    Raises:
        MemoryError: there is not enough.
    """
    try:
        return etree.fromstring(xml.encode("utf-8"), safe_parser(huge=True, encoding="utf-8"))
    except etree.XMLSyntaxError as error:
        if error.code in OUT_OF_MEMORY:
            raise MemoryError("libxml2 has not enough memory") from None
        raise
