"""Hypothesis strategies for markup: tag soup as text and bytes, and XML in good order."""

from __future__ import annotations

import random
from typing import Final

from hypothesis import strategies as st
from soup import random_soup, seeded_soup

SPACE: Final = st.text("\t\n\f\r ", min_size=1, max_size=3)

PLAIN_NAMES: Final = st.sampled_from(
    "p p div span b i a li ul td tr table th option select h1 br img input head body html"
    " form button dl dt dd template object x custom-element".split()
)
RAW_NAMES: Final = st.sampled_from("script style title textarea xmp iframe plaintext".split())
FOREIGN_NAMES: Final = st.sampled_from("svg svg math g path desc foreignObject mi title".split())
PREFIXES: Final = st.sampled_from("a o fb xlink svg xml xmlns XML ns0 é ȡ 1 - @".split())
ODD_CHARS: Final = "aZé\u0300\u0221中\U00010400·×0-._:@#*[({\"'<&;\0\x01\x1f\x85\xa0\ufffe\ud800"
ODD_NAMES: Final = st.text(ODD_CHARS, max_size=4).map("n".__add__)
PREFIXED_NAMES: Final = st.builds("{}:{}".format, PREFIXES, st.one_of(PLAIN_NAMES, ODD_NAMES))

CHARS: Final = st.one_of(
    st.sampled_from(["\0", "\x01", "\x0b", "\f", "\r", "\r\n", "\x1f", "\x7f", "\x85", "\xa0"]),
    st.sampled_from(["\ud800", "\udfff", "\ufdd0", "\ufffe", "\uffff", "\ufeff", "\U0001ffff"]),
    st.sampled_from(
        [*"<>&;\"'=/-]!?#", "]]>", "-->", "--", " xmlns:o=", "é", "\U0001f600", "\u2028"]
    ),
    st.text("abc \n\t", max_size=4),
    st.characters(),
)
TEXTS: Final = st.lists(CHARS, max_size=4).map("".join)
REFERENCES: Final = st.one_of(
    st.sampled_from(["&amp;", "&lt;", "&gt", "&nbsp;", "&copy", "&copy=", "&notit;", "&acE;"]),
    st.sampled_from(["&nope;", "&", "&#", "&#x", "&#0;", "&#13;", "&#x80;", "&#xD800;", "&#12;"]),
    st.builds("&#{};".format, st.integers(0, 0x110001)),
    st.builds("&#x{:x}".format, st.integers(0, 0x110001)),
)
VALUES: Final = st.lists(st.one_of(CHARS, REFERENCES), max_size=3).map("".join)

URIS: Final = st.sampled_from(
    [
        *("u:a", "u:b", "", "foo bar", "::", "%%%", "../x", "http://[", "urn:xmlfix:prefix:a"),
        *("http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"),
        *("http://www.w3.org/1999/xlink", "urn:schemas-microsoft-com:office:office"),
    ]
)


@st.composite
def attributes(draw: st.DrawFn) -> str:
    """An attribute, however it is written."""
    kind = draw(st.integers(0, 9))
    if kind < 4:
        name, value = draw(PLAIN_NAMES), draw(VALUES)
    elif kind < 6:
        name, value = draw(st.one_of(ODD_NAMES, st.text(ODD_CHARS, max_size=3))), draw(VALUES)
    elif kind < 8:
        name, value = draw(PREFIXED_NAMES), draw(VALUES)
    elif kind < 9:
        name, value = draw(st.builds("xmlns:{}".format, PREFIXES) | st.just("xmlns")), draw(URIS)
    else:
        name, value = draw(st.sampled_from(["xml:id", "xml:lang", "id"])), draw(PLAIN_NAMES)
    form = draw(st.sampled_from(['{}="{}"', "{}='{}'", "{}={}", "{}", "{} = {}", "{}="]))
    return form.format(name, value)


@st.composite
def start_tags(draw: st.DrawFn, names: st.SearchStrategy[str]) -> str:
    """A start tag; its `>` may be missing."""
    parts = [draw(names), *draw(st.lists(attributes(), max_size=3))]
    end = draw(st.sampled_from([">", ">", ">", ">", "/>", " />", ""]))
    return "<" + draw(st.sampled_from([" ", "\n", "/", "\f"])).join(parts) + end


def pieces(*, foreign: bool) -> st.SearchStrategy[str]:
    """A piece of soup; without `foreign`, no SVG, no MathML and no CDATA section."""
    kinds = [PLAIN_NAMES, PLAIN_NAMES, ODD_NAMES, PREFIXED_NAMES]
    kinds += [FOREIGN_NAMES] if foreign else []
    names = st.one_of(*kinds)
    choices = [
        start_tags(names),
        start_tags(names),
        names.map("</{}>".format),
        names.map("</{}>".format),
        st.builds("</{} {}>".format, names, attributes()),
        TEXTS,
        REFERENCES,
        SPACE,
        st.builds("<!--{}-->".format, TEXTS),
        st.builds("<!{}>".format, TEXTS) if foreign else st.just("<!x>"),
        st.builds("<?{} {}?>".format, st.one_of(PLAIN_NAMES, ODD_NAMES), TEXTS),
        st.builds("<!DOCTYPE {} PUBLIC '{}' \"{}\">".format, PLAIN_NAMES, TEXTS, TEXTS),
        st.builds("<{0}>{1}</{0}>".format, RAW_NAMES, TEXTS),
        st.builds("<{}>".format, RAW_NAMES),
        st.builds("<{0}><{1}>{2}</{0}></{1}>".format, PLAIN_NAMES, PLAIN_NAMES, TEXTS),
        st.sampled_from(["<", "</", "</>", "<!", "<?", "<!-", "<!--", "<a b='", "<!DOCTYPE"]),
    ]
    if foreign:
        choices.append(st.builds("<![CDATA[{}]]>".format, TEXTS))
        choices.append(st.just("<![CDATA["))
    return st.one_of(choices)


BEGINNINGS: Final = st.sampled_from(
    [
        *("", "", "", "", "", "\ufeff", " ", "<!DOCTYPE html>", "<html><body>"),
        '<?xml version="1.0"?>',
        '<?xml version="1.0" standalone="yes"?>\n',
        "<?xml version='1.0' encoding='iso-8859-1'?><!DOCTYPE r SYSTEM 'r.dtd'><r>",
    ]
)


@st.composite
def soups(draw: st.DrawFn, *, foreign: bool = True) -> str:
    """Tag soup."""
    parts = draw(st.lists(pieces(foreign=foreign), max_size=25))
    return draw(BEGINNINGS) + "".join(parts)


@st.composite
def themed_soups(draw: st.DrawFn) -> str:
    """Soup of the kind that reaches the rare rules of the tree builder."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    return seeded_soup(rng) if draw(st.booleans()) else random_soup(rng, rng.randint(1, 40))


@st.composite
def soup_bytes(draw: st.DrawFn) -> bytes:
    """Soup in some encoding, with damage; or just bytes."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=60))
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-8-sig", "latin-1"]))
    errors = "replace" if encoding == "latin-1" else "surrogatepass"
    data = bytearray(draw(soups()).encode(encoding, errors))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        data[at:at] = draw(st.sampled_from([b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\0"]))
    return bytes(data)


@st.composite
def good_xml(draw: st.DrawFn, depth: int = 3) -> str:
    """An element of XML in good order, with prefixes that are declared, or not yet."""
    name = draw(st.sampled_from(["r", "A", "b:c", "p", "br", "script", "é"]))
    declared = draw(st.sampled_from(["", " xmlns='u:d'", " xmlns=''", " xmlns:b='u:b'"]))
    if ":" in name and depth == 3:
        declared = " xmlns:b='u:b'"
    own = draw(st.sampled_from(["", " k='&#13;&lt;'", " K=' x ' k='y'", " xml:lang='en'"]))
    inner = ""
    if depth:
        item = st.one_of(
            good_xml(depth - 1),
            st.sampled_from(
                ["x", "&#x80;", "&amp;", "<![CDATA[<]]>", "<!-- c -->", "<?t d?>", " "]
            ),
        )
        inner = "".join(draw(st.lists(item, max_size=3)))
    return f"<{name}{declared}{own}>{inner}</{name}>" if inner else f"<{name}{declared}{own}/>"


XML_DOCUMENTS: Final = st.builds(
    "{}{}".format,
    st.sampled_from(
        [
            '<?xml version="1.0" standalone="yes"?>\n',
            "<?xml version='1.0'?>",
            "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE r PUBLIC 'p' 's'>\n<!--c-->",
        ]
    ),
    good_xml(),
)


# Pieces of XML that is nearly in order, and how such documents begin.
XML_BEGINNINGS: Final = (
    *("", "", '<?xml version="1.0"?>', '<?xml version="1.0"?>', "<?xml version='1.1'>"),
    *('<?xml version="1.0"? >', " <?xml version='1.0'?>", "<!--c--><?xml version='1.0'?>"),
    "<?xml-stylesheet href='a'>",
)
XML_SUBSETS: Final = (
    *("", "", "", "<!DOCTYPE r>", "<!DOCTYPE r SYSTEM 's'>", "<!DOCTYPE r [", "<!DOCTYPE r ["),
    "<!DOCTYPE r [<!ENTITY e1 'x'><!ENTITY e2 '&e1;&#38;'><!ENTITY e3 '<b/>'>]>",
    "<!DOCTYPE r [<!ENTITY e1 'u:e'><!ENTITY e2 '&e2;'><!ENTITY e3 SYSTEM 'f'> %p; ]>",
    "<!DOCTYPE r [<!ATTLIST r a CDATA 'd' n NMTOKENS ' b  c '><!ATTLIST b xmlns CDATA 'u:b'>]>",
    "<!DOCTYPE r [<!-- ]> --><?p ]> ?><!ELEMENT r ANY>",
)
XML_ROOTS: Final = ("<r>", "<r>", "<r>", "<rss>", "<html>", "<HTML>", "<p>", "<r xmlns='u:r'>", "")
XML_PIECES: Final = (
    *("<b>", "</b>", "<B>", "</B>", "<b/>", "</r>", "<br>", "<a:b>", "</a:b>", "<item id=5/>"),
    *("<c xmlns:='q'>", "<c xmlns:a='u:a'>", "<c xmlns='&e1;'/>", "</c>", "<c a='<' b=\"&e1;\"/>"),
    *("<c xmlns:=''/>", "<c xmlns:a='' a:x='1'/>", "<c n='  x y '/>", "<c a='1' A=2>", "<r a=''/>"),
    *("<?a b?>", "<?a b>", "<?a:b c?>", "<? xml d?>", "<?xml version='1.0'?>", "<?a > <?", "?>"),
    *("<?xml:namespace prefix = o />", "<?xml", "&e1;", "&e2;", "&e3;", "&nbsp;", "&nope;", "&"),
    *(
        "&#65;",
        "&#x0;",
        "]]>",
        "<![CDATA[x]]>",
        "<![CDATA[",
        "<!--c-->",
        "<!--",
        "<!ENTITY e1 'z'>",
    ),
    *("x", "y", " ", "\n", "<", ">", "]", "'", "<script>", "</script>", "</SCRIPT>", "<script/>"),
    *("<style>a<b", "</style>", "<svg>", "</svg>", "<meta>", "<!DOCTYPE r>", "\0", "é"),
)


@st.composite
def xml_soups(draw: st.DrawFn) -> str:
    """Documents of XML, well-formed or not, with declarations, entities and instructions."""
    pieces = [
        draw(st.sampled_from(XML_BEGINNINGS)),
        draw(st.sampled_from(XML_SUBSETS)),
        draw(st.sampled_from(XML_ROOTS)),
        *draw(st.lists(st.sampled_from(XML_PIECES), max_size=8)),
        draw(st.sampled_from(["", "</r>", "</r>", "</rss>", "</html>"])),
    ]
    return "".join(pieces)
