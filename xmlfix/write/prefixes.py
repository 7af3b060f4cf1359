"""Prefixes of an HTML page: which ones it uses, and the namespace each is bound to.

HTML has no prefixes; a page that writes `<o:p>` or `xlink:href` means one. The output
declares every prefix it uses, on the root.

Source: Namespaces in XML 1.0.
"""

from __future__ import annotations

from xmlfix.write.characters import is_uri_reference

XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"

WELL_KNOWN = {
    "atom": "http://www.w3.org/2005/Atom",
    "cc": "http://creativecommons.org/ns#",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "fb": "http://ogp.me/ns/fb#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "g": "http://base.google.com/ns/1.0",
    "inkscape": "http://www.inkscape.org/namespaces/inkscape",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "m": "http://schemas.microsoft.com/office/2004/12/omml",
    "math": MATHML,
    "media": "http://search.yahoo.com/mrss/",
    "o": "urn:schemas-microsoft-com:office:office",
    "og": "http://ogp.me/ns#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "slash": "http://purl.org/rss/1.0/modules/slash/",
    "sodipodi": "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
    "st1": "urn:schemas-microsoft-com:office:smarttags",
    "svg": SVG,
    "sy": "http://purl.org/rss/1.0/modules/syndication/",
    "v": "urn:schemas-microsoft-com:vml",
    "w": "urn:schemas-microsoft-com:office:word",
    "wfw": "http://wellformedweb.org/CommentAPI/",
    "x": "urn:schemas-microsoft-com:office:excel",
    "xhtml": XHTML,
    "xi": "http://www.w3.org/2001/XInclude",
    "xlink": XLINK,
    "xsd": "http://www.w3.org/2001/XMLSchema",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsl": "http://www.w3.org/1999/XSL/Transform",
}
LONGEST_REPEATED = 100  # characters of a namespace that a stream may have to write often
RESERVED = frozenset((XML, XMLNS))


class Prefixes:
    """The prefixes of one document."""

    __slots__ = ("_bound", "_owners", "_taken", "declared", "shared", "used")

    def __init__(self) -> None:
        self.used: dict[str, None] = {}  # in order of first use, undeclared in their place
        self.declared: dict[str, str] = {}  # what the page itself says, the first of each
        self.shared: set[str] = set()  # namespaces that the output binds to several prefixes
        self._owners: dict[str, str] = {}  # each namespace of the page, with its first prefix
        self._bound: dict[str, str] = {}  # what `bind` has answered
        self._taken: set[str] = set()  # the same without the prefixes

    def declare(self, prefix: str, uri: str) -> bool:
        """Take note of the page's `xmlns:prefix`; False if it cannot be used."""
        if not uri or uri in RESERVED or prefix in ("xml", "xmlns") or not is_uri_reference(uri):
            return False
        self.declared.setdefault(prefix, uri)
        self._owners.setdefault(uri, prefix)
        return True

    def use(self, prefix: str) -> bool:
        """Take note that the output needs `prefix`; True the first time."""
        if prefix == "xml" or prefix in self.used:
            return False
        self.used[prefix] = None
        return True

    def bind(self, prefix: str) -> str:
        """The namespace of a prefix, as far as is known now, and the same from now on."""
        if prefix not in self._bound:
            taken = self._taken
            uri = self.declared.get(prefix, "")
            if not uri or uri in taken or len(uri) > LONGEST_REPEATED:
                uri = WELL_KNOWN.get(prefix, "")
            if not uri or uri in taken:
                uri = f"urn:xmlfix:prefix:{ascii_uri(prefix)}"
                while uri in taken:
                    uri += "_"
            self._bound[prefix] = uri
            taken.add(uri)
        return self._bound[prefix]

    def bindings(self) -> dict[str, str]:
        """The namespace of each used prefix, no two alike."""
        taken = dict(self._owners)
        bindings = {}
        for prefix in self.used:
            uri = self.declared.get(prefix, "")
            if not uri or taken[uri] != prefix or uri in self.shared:
                uri = WELL_KNOWN.get(prefix, "")
            if not uri or taken.get(uri, prefix) != prefix:
                uri = f"urn:xmlfix:prefix:{ascii_uri(prefix)}"
                while taken.get(uri, prefix) != prefix:
                    uri += "_"
            taken[uri] = prefix
            bindings[prefix] = uri
        return bindings


def ascii_uri(text: str) -> str:
    """`text` with what a URI cannot hold percent-encoded."""
    if text.isascii():
        return text
    return "".join(
        char if char.isascii() else "".join(f"%{byte:02X}" for byte in char.encode("utf-8"))
        for char in text
    )
