"""Nasty inputs that are XML, claim to be, or are huge; see nasty.py."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

XML_NS: Final = "http://www.w3.org/XML/1998/namespace"
XMLNS_NS: Final = "http://www.w3.org/2000/xmlns/"
XLINK_NS: Final = "http://www.w3.org/1999/xlink"
SVG_NS: Final = "http://www.w3.org/2000/svg"
XHTML_NS: Final = "http://www.w3.org/1999/xhtml"
OFFICE_NS: Final = "urn:schemas-microsoft-com:office:office"

# How xmlfix knows its own output: what follows may be copied as it is, if it deserves that.
OWN: Final = '<?xml version="1.0" standalone="yes"?>'

# Ten to the eighth times the text of the first entity.
BOMB: Final = (
    "<!DOCTYPE r [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {b} '{10 * f'&{a};'}'>" for a, b in pairwise("abcdefghi"))
    + "]><r>&i;</r>"
)

NASTY_XML: Final[dict[str, str | bytes]] = {
    # --- XML as input ---------------------------------------------------------------------
    "xml-plain": "<?xml version='1.0'?><r a='1'><b/></r>",
    "xml-broken": "<?xml version='1.0'?><r a=1><b></r>&nbsp;<c:d>",
    "xml-xhtml": f"<?xml version='1.0'?><html xmlns='{XHTML_NS}'><p/><br/><script/>x</html>",
    "xml-html-with-prefix": f"<?xml version='1.0'?><h:html xmlns:h='{XHTML_NS}'><h:p/></h:html>",
    "xml-version-11": "<?xml version='1.1'?><r>&#1;\x85</r>",
    "xml-version-odd": "<?xml version='9'?><r/>",
    "xml-declaration-broken": "<?xml version='1.0' encoding=?><r/>",
    "xml-declaration-cut": "<?xml version='1.0'",
    "xml-declaration-only": "<?xml version='1.0'?>",
    "xml-feed": "<?xml version='1.0'?><rss><c:encoded><![CDATA[<p>]]></c:encoded></rss>",
    "xml-external-doctype": "<?xml version='1.0'?><!DOCTYPE r SYSTEM 'r.dtd'><r>a&nbsp;b</r>",
    "xml-internal-entity": "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY x 'y'>]><r a='&x;'>&x;</r>",
    "xml-external-entity": (
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY x SYSTEM 'file:///x'>]><r>&x;</r>"
    ),
    "xml-parameter-entity": (
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY % p SYSTEM 'http://x.invalid/'> %p;]><r/>"
    ),
    "xml-entity-bomb": "<?xml version='1.0'?>" + BOMB,
    "xml-entity-recursion": (
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><r>&a;</r>"
    ),
    "xml-attribute-defaults": (
        "<?xml version='1.0'?><!DOCTYPE r [<!ATTLIST r xml:id ID 'a' b NMTOKENS ' c  d '>]>"
        "<r><r/></r>"
    ),
    "xml-entity-markup": (
        "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY x '<b>&#38;lt;</b>'>]><r>&x;</r>"
    ),
    # --- XML that looks like xmlfix's own ---------------------------------------------------
    "own-identity": OWN + "<html><head></head><body><br/>&#13;\t</body></html>",
    "own-minimal": OWN + "<r/>",
    "own-nothing": OWN,
    "own-text": OWN + "text",
    "own-broken": OWN + "<r><b></r>",
    "own-after-space": " " + OWN + "<r/>",
    "own-after-mark": "\ufeff" + OWN + "<r/>",
    "own-twice": OWN + OWN + "<r/>",
    "own-quotes": "<?xml version='1.0'\n standalone = 'yes' ?><r/>",
    "own-upper-case": OWN.upper() + "<r/>",
    "own-two-roots": OWN + "<r/><r/>",
    "own-trailing-text": OWN + "<r/>x",
    "own-trailing-misc": OWN + "<!--a--><?b c?><r/><!--d-->\n<?e?>\n",
    "own-undeclared-prefix": OWN + "<a:r b:c='1'/>",
    "own-prefix-collision": OWN + "<r xmlns:a='u:x' xmlns:b='u:x' a:y='1' b:y='2'/>",
    "own-prefix-undeclared-by-empty": OWN + "<r xmlns:a='u:x'><a:b xmlns:a=''/></r>",
    "own-reserved-prefix": OWN + f"<r xmlns:xml='u:x' xmlns:xmlns='{XMLNS_NS}'/>",
    "own-reserved-uri": OWN + f"<r xmlns='{XMLNS_NS}' xmlns:a='{XML_NS}'/>",
    "own-pi-colon": OWN + "<?a:b c?><r><?d:e?></r>",
    "own-many-colons": OWN + "<r a:b:c='1' :d='2' xmlns:a='u:a'><a:b:c/><:/></r>",
    "own-fifth-edition-name": OWN + "<r \u0221='1'><\u2c00/></r>",
    "own-non-bmp-name": OWN + "<r \U00010400='1'><\U00020000/></r>",
    "own-xml-space-invalid": OWN + "<r xml:space='x' xml:lang='!' xml:base='::'/>",
    "own-xml-prefix-element": OWN + "<xml:r xml:a='1'><xmlns:b/></xml:r>",
    "own-entity-nbsp": OWN + "<r>&nbsp;</r>",
    "own-external-doctype": OWN + "<!DOCTYPE html SYSTEM 'about:legacy-compat'><html>&nbsp;</html>",
    "own-subset": OWN + "<!DOCTYPE r [<!ENTITY x 'y'><!ATTLIST r a CDATA 'b'>]><r>&x;</r>",
    "own-entity-bomb": OWN + BOMB,
    "own-subset-empty": OWN + "<!DOCTYPE r []><r/>",
    "own-subset-late": OWN
    + "<!--[--><!DOCTYPE r SYSTEM '[' [<!ENTITY lt '&#38;#60;'>]><r>&lt;</r>",
    "own-bad-references": OWN + "<r a='&#0;'>&#1;&#xFFFF;&#xD800;&#x110000;&#xFFFE;</r>",
    "own-controls": OWN + "<r a='\x01'>\x00\x0c\ufffe\uffff</r>",
    "own-surrogates": OWN + "<r a='\ud800'>\ud83d\ude00</r>",
    "own-carriage-returns": OWN + "<r a='\r\n&#13;&#10;'>\r\n\r&#13;<!--\r--><?a \r?></r>\r",
    "own-comment-dashes": OWN + "<r><!-- -- --></r>",
    "own-cdata": OWN + "<r><![CDATA[]]]]><![CDATA[>]]><b/><![CDATA[]]></r>",
    "own-cdata-end": OWN + "<r>]]></r>",
    "own-attributes-twice": OWN + "<r a='1' a='2'/>",
    "own-less-than-in-value": OWN + "<r a='<'/>",
    "own-self-closing-all": OWN + "<html><script/><div/><p/><title/>x</html>",
    "own-encoding-lies": "<?xml version='1.0' encoding='utf-16' standalone='yes'?><r>\u00e9</r>",
    "own-encoding-unknown": "<?xml version='1.0' encoding='rot13' standalone='yes'?><r/>",
    "own-standalone-no": "<?xml version='1.0' standalone='no'?><r/>",
    "own-version-11": "<?xml version='1.1' standalone='yes'?><r>&#1;</r>",
    "own-declaration-in-comment": f"<!--{OWN}--><r/>",
    "own-bytes": OWN.encode() + b"<r>\xc3\xa9</r>",
    "own-bytes-broken": OWN.encode() + b"<r>\xe9\xff</r>",
    "own-bytes-utf16": (OWN + "<r>\u00e9</r>").encode("utf-16"),
    # Well-formed for expat, refused by lxml.
    "own-uri-not-a-uri": OWN + "<r xmlns:a='foo bar' xmlns:b='::' a:x='1' b:y='2'/>",
    "own-uri-escapes": OWN + "<r xmlns:a='%%%' xmlns='http://[x' a:x='1'/>",
    "own-xml-id-twice": OWN + "<r xml:id='a'><b xml:id='a'/><c xml:id='1 2'/></r>",
    "own-xml-id-invalid": OWN + "<r xml:id='1 2'><b xml:id=''/></r>",
    "own-uri-default-not-a-uri": OWN + "<r xmlns='foo bar'/>",
    "own-uri-non-ascii": OWN + "<r xmlns:a='u:\u4e00' a:b='1'/>",
    "own-uri-spaces": OWN + "<r xmlns:a='u:x' xmlns:b=' u:x&#13;' a:c='1' b:c='2'/>",
    "own-version-2": "<?xml version='2.0' standalone='yes'?><r/>",
    "own-deep": OWN + "<r>" * 300 + "</r>" * 300,
    "own-long-system-id": OWN + "<!DOCTYPE r SYSTEM '" + "x" * 60_000 + "'><r/>",
    "own-long-name": OWN + "<" + "r" * 60_000 + "/>",
    "own-long-prefix": OWN + "<r xmlns:" + "p" * 60_000 + "='u'/>",
    "own-long-pi-target": OWN + "<?" + "a" * 60_000 + "?><r/>",
    "own-long-doctype-name": OWN + "<!DOCTYPE " + "a" * 60_000 + "><r/>",
    "own-long-attribute-name": OWN + "<r " + "a" * 60_000 + "='1'/>",
    # --- huge and deep: no crash, no quadratic time -----------------------------------------
    "huge-brackets": "<" * 100_000,
    "huge-close-brackets": "<p>" + ">" * 100_000,
    "huge-ampersands": "&" * 100_000,
    "huge-references": "&lt;" * 100_000,
    "huge-number": "&#" + "9" * 100_000 + ";",
    "huge-quotes": "<p " + '"' * 5_000 + ">x",
    "huge-divs": "<div>" * 3000,
    "huge-divs-closed": "<div>" * 3000 + "x" + "</div>" * 3000,
    "huge-spans-unmatched": "<span>" * 3000 + "</p></i></x>" * 3000,
    "huge-formatting": "<b>" * 3000 + "<p>x" * 30,
    "huge-links": "<a>" * 3000,
    "huge-crossed": "<b><i>" * 1000 + "</b></i>" * 1000,
    "huge-paragraphs": "<p>a" * 10_000,
    "huge-lists": "<ul><li>" * 2000 + "</li></h3>" * 2000,
    "huge-definition-lists": "<dl><dd>" * 1000 + "<dt>x" * 1000,
    "huge-tables": "<table><tr><td>" * 500 + "x" + "</table>" * 500,
    "huge-tables-fostering": "<table>a<tr>b" * 500,
    "huge-table-in-table": "<table>" * 2000 + "x",
    "huge-foreign": "<svg><desc>" * 1000 + "</svg>" * 1000,
    "huge-svg-groups": "<svg>" + "<g>" * 3000 + "</p>" * 3000,
    "huge-templates": "<template>" * 1000 + "x",
    "huge-selects": "<select><option>" * 1000,
    "huge-buttons": "<button><p>" * 1000,
    "huge-forms": "<div><form>" * 1000 + "</form>" * 1000,
    "huge-rubies": "<ruby><rt>" * 1000,
    "huge-framesets": "<frameset>" * 1000,
    "huge-bodies": "".join(f"<body a{n}=1>" for n in range(3000)),
    "huge-attributes": "<p" + "".join(f" a{n}=1" for n in range(20_000)) + ">x",
    "huge-attributes-alike": "<p" + " a=1" * 20_000 + ">x",
    "huge-attributes-escaped": "<p" + "".join(f" @{n}=1" for n in range(9_000)) + ">x",
    "huge-prefixes": "<p" + "".join(f" p{n}:a=1" for n in range(5_000)) + ">x",
    "huge-prefixes-declared": "".join(f"<i xmlns:p{n}=u:{n} p{n}:a=1></i>" for n in range(5_000)),
    "huge-prefixes-one-uri": "<p" + "".join(f" xmlns:p{n}=u p{n}:a=1" for n in range(2_000)) + ">",
    "huge-ids": "".join(f"<i xml:id=a{n % 5_000}></i>" for n in range(10_000)),
    "huge-ids-suffixed": "<i xml:id=a></i>" * 10_000,
    "huge-attribute-name": "<p " + "a" * 200_000 + "=1>x",
    "huge-attribute-names-alike": "<p " + "a" * 60_000 + "b=1 " + "a" * 60_000 + "c=2>x",
    "huge-attribute-name-escaped": "<p "
    + "@" * 20_000
    + "=1>x",  # seven times as long once written
    "huge-attribute-name-colons": "<p " + "a:" * 20_000 + "=1>x",
    "huge-attribute-name-utf8": "<p " + "\u4e00" * 30_000 + "=1>x",
    "huge-attribute-value": "<p a='" + '<&"\r' * 50_000 + "'>x",
    "huge-tag-name": "<" + "a" * 60_000 + ">x</" + "a" * 60_000 + ">y",
    "huge-tag-names-alike": "".join(f"<{'a' * 60_000}{c}>{c}</{'a' * 60_000}{c}>" for c in "bcd"),
    "huge-tag-name-escaped": "<a" + "@" * 20_000 + ">x",
    "huge-tag-name-prefixed": "<a:" + "b" * 60_000 + " " + "c" * 60_000 + ":d=1>x",
    "huge-pi-target": "<?" + "a" * 60_000 + " b?><p>x",
    "huge-doctype-name": "<!DOCTYPE " + "a" * 60_000 + "><p>x",
    "huge-doctype-ids": "<!DOCTYPE a PUBLIC '" + "b" * 60_000 + "' '" + "c" * 60_000 + "'><p>x",
    "huge-uri": "<p xmlns:a='u:" + "x" * 100_000 + "' a:b=1>x",
    "huge-comment": "<!--" + "-" * 100_000 + "-->x",
    "huge-comment-bangs": "<!--" + "--!" * 30_000,
    "huge-comment-opens": "<!--" * 30_000,
    "huge-comments": "<!---->" * 20_000,
    "huge-instructions": "<?a?>" * 20_000,
    "huge-doctypes": "<!DOCTYPE a>" * 10_000,
    "huge-cdata-opens": "<svg>" + "<![CDATA[" * 20_000,
    "huge-cdata-ends": "<p>" + "]]>" * 50_000,
    "huge-scripts-open": "<script><!--" + "<script>" * 20_000,
    "huge-script-ends": "<script>" + "</scrip" * 20_000,
    "huge-textarea-ends": "<textarea>" + "</" * 50_000,
    "huge-end-tags": "</p>" * 10_000,
    "huge-end-tags-ignored": "</x>" * 20_000,
    "huge-nuls": "<table>" + "\x00" * 100_000,
    "huge-carriage-returns": "<p a='" + "&#13;" * 20_000 + "'>" + "\r" * 50_000 + "&#13;" * 20_000,
    "huge-surrogates": "<p>" + "\ud800" * 50_000,
    "huge-spaces": "<p" + " " * 100_000 + "a" + " " * 100_000 + "=" + " " * 100_000,
    "huge-table-spaces": "<table>" + " <tr> " * 5_000 + "a",
    "huge-bytes-invalid": b"<p>" + b"\xff" * 100_000,
    "huge-own-entities": OWN + "<r>" + "&amp;&#13;" * 20_000 + "</r>",
}
