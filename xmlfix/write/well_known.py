"""Prefixes that people use without declaring them, and what they mean by them.

A prefix stands here if its namespace is known for certain and hardly anybody means another
one by it. So the short ones are those that pages leave undeclared, since a template language
knows them: JSP declares `c`, `f`, `fmt`, `fn`, `h` and `sql` by a directive that HTML does not
see, and the namespaces are the ones of that directive, which later versions of these languages
take too. `a`, `b`, `p`, `r`, `s`, `t` mean too many things. Namespaces with a date in them
(`dei`, `ixt`, `us-gaap`) can only be known from the page.

What a page declares itself goes before all of this.
"""

from __future__ import annotations

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"

_OFFICE = "urn:schemas-microsoft-com:office:"
_SITEMAP = "http://www.google.com/schemas/sitemap"
_JSP = "http://java.sun.com/jsp/jstl"
_JSF = "http://java.sun.com/jsf"
_RSS = "http://purl.org/rss/1.0/modules"
_ADOBE = "http://ns.adobe.com"

FEEDS = {
    "admin": "http://webns.net/mvcb/",
    "app": "http://www.w3.org/2007/app",
    "atom": "http://www.w3.org/2005/Atom",
    "content": f"{_RSS}/content/",
    "creativeCommons": "http://backend.userland.com/creativeCommonsRssModule",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
    "g": "http://base.google.com/ns/1.0",
    "gd": "http://schemas.google.com/g/2005",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "georss": "http://www.georss.org/georss",
    "gml": "http://www.opengis.net/gml",
    "googleplay": "http://www.google.com/schemas/play-podcasts/1.0",
    "image": f"{_SITEMAP}-image/1.1",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "kml": "http://www.opengis.net/kml/2.2",
    "media": "http://search.yahoo.com/mrss/",
    "news": f"{_SITEMAP}-news/0.9",
    "openSearch": "http://a9.com/-/spec/opensearch/1.1/",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "slash": f"{_RSS}/slash/",
    "sy": f"{_RSS}/syndication/",
    "thr": "http://purl.org/syndication/thread/1.0",
    "video": f"{_SITEMAP}-video/1.1",
    "wfw": "http://wellformedweb.org/CommentAPI/",
    "wp": "http://wordpress.org/export/1.2/",
    "yt": "http://www.youtube.com/xml/schemas/2015",
}
METADATA = {
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "fb": "http://ogp.me/ns/fb#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "og": "http://ogp.me/ns#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "http://schema.org/",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xhv": "http://www.w3.org/1999/xhtml/vocab#",
    "xmp": f"{_ADOBE}/xap/1.0/",
    "xmpMM": f"{_ADOBE}/xap/1.0/mm/",
}
OFFICE = {
    "m": "http://schemas.microsoft.com/office/2004/12/omml",
    "mso": f"{_OFFICE}office",
    "msdt": "uuid:C2F41010-65B3-11d1-A29F-00AA00C14882",
    "o": f"{_OFFICE}office",
    "ss": f"{_OFFICE}spreadsheet",
    "st1": f"{_OFFICE}smarttags",
    "v": "urn:schemas-microsoft-com:vml",
    "w": f"{_OFFICE}word",
    "w10": f"{_OFFICE}word",
    "x": f"{_OFFICE}excel",
}
BOOKS = {
    "epub": "http://www.idpf.org/2007/ops",
    "ncx": "http://www.daisy.org/z3986/2005/ncx/",
    "opf": "http://www.idpf.org/2007/opf",
}
REPORTS = {
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "ix": "http://www.xbrl.org/2013/inlineXBRL",
    "link": "http://www.xbrl.org/2003/linkbase",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "xbrldt": "http://xbrl.org/2005/xbrldt",
    "xbrli": "http://www.xbrl.org/2003/instance",
}
TEMPLATES = {
    "a4j": "http://richfaces.org/a4j",
    "ac": "http://www.atlassian.com/schema/confluence/4/ac/",
    "c": f"{_JSP}/core",
    "f": f"{_JSF}/core",
    "fmt": f"{_JSP}/fmt",
    "fn": f"{_JSP}/functions",
    "h": f"{_JSF}/html",
    "jsp": "http://java.sun.com/JSP/Page",
    "layout": "http://www.ultraq.net.nz/thymeleaf/layout",
    "metal": "http://xml.zope.org/namespaces/metal",
    "py": "http://genshi.edgewall.org/",
    "ri": "http://www.atlassian.com/schema/confluence/4/ri/",
    "rich": "http://richfaces.org/rich",
    "sql": f"{_JSP}/sql",
    "tal": "http://xml.zope.org/namespaces/tal",
    "th": "http://www.thymeleaf.org",
    "ui": f"{_JSF}/facelets",
    "wicket": "http://wicket.apache.org",
}
GRAPHICS = {
    "inkscape": "http://www.inkscape.org/namespaces/inkscape",
    "serif": "http://www.serif.com/",
    "sketch": "http://www.bohemiancoding.com/sketch/ns",
    "sodipodi": "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
    "svg": SVG,
    "xlink": XLINK,
}
XML_ITSELF = {
    "ds": "http://www.w3.org/2000/09/xmldsig#",
    "ev": "http://www.w3.org/2001/xml-events",
    "fo": "http://www.w3.org/1999/XSL/Format",
    "html": XHTML,
    "math": MATHML,
    "mml": MATHML,
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "SOAP-ENV": "http://schemas.xmlsoap.org/soap/envelope/",
    "soap": "http://schemas.xmlsoap.org/soap/envelope/",
    "soapenv": "http://schemas.xmlsoap.org/soap/envelope/",
    "wsdl": "http://schemas.xmlsoap.org/wsdl/",
    "xhtml": XHTML,
    "xi": "http://www.w3.org/2001/XInclude",
    "xs": "http://www.w3.org/2001/XMLSchema",
    "xsd": "http://www.w3.org/2001/XMLSchema",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsl": "http://www.w3.org/1999/XSL/Transform",
}

WELL_KNOWN: dict[str, str] = {
    name: uri
    for group in (
        FEEDS, METADATA, OFFICE, BOOKS, REPORTS, TEMPLATES, GRAPHICS, XML_ITSELF
    )
    for prefix, uri in group.items()
    for name in (prefix, prefix.lower())  # HTML has no capitals in names
}  # fmt: skip
