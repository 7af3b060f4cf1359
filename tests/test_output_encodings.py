"""Output encodings: the bytes hold the tree of the UTF-8 output, and findings tell what differs."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from typing import Any, Final

import pytest
from lxml import etree
from soup import random_soup
from support import fresh_seed, pages, parse_strictly

from xmlfix import Finding, fix_bytes, unescape_name

ENCODINGS: Final = ("ascii", "latin-1", "shift_jis", "gb18030", "utf-16")
OPTIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"drop": ["script", "#comment", "b"]},
    {"body_only": True},
    {"fragment": "div", "root": "r"},
    {"fragment": "td", "root": "root", "prefixes": "strip"},
    {"prefixes": "escape", "bare_attribute": "name"},
    {"meta_charset": "update", "nbsp": "space"},
    {"drop": ["html"], "doctype": "keep", "root": "r"},
    {"repair": "stack", "pi": "comment"},
    {"repair": "stack", "root": "r", "meta_charset": "update"},
    {"repair": "xml", "doctype": "keep"},
)
LETTERS: Final = ("é", "中", "𝄞", "\\", "~", "¥", "‾", "〜", "\xa0", "\x85", "€", "\ufffd", "ｱ")
ODD: Final = (
    *("<né a=é>", "</né>", "<p é=1 ê='2'中=3>", "<p U0000E9=1 é=2>", "<o:é é:o=1>", "</o:é>"),
    *("<!--é\\-->", "<?é ö?>", "<?t é>", '<!DOCTYPE né SYSTEM "é~">', "<meta charset=latin1>"),
    *("<svg é=é><é/></svg>", '<a l="">""</a><a h="">é"</a>', "<br é='\"'>"),
    *('<meta http-equiv=content-type content="text/html; charset=koi8-r">', "<script>é\\</script>"),
)


def pieces(rng: random.Random) -> str:
    """Random markup in which characters beyond ASCII stand everywhere."""
    parts = [random_soup(rng, rng.randint(1, 6)) for _ in range(3)]
    for _ in range(rng.randrange(12)):
        parts.insert(rng.randrange(len(parts) + 1), rng.choice((*LETTERS, *ODD, *LETTERS)))
    return "".join(parts)


def plain(name: object) -> str:
    """A name, comment or instruction without escapes."""
    text = re.sub(r"U([0-9A-F]{6})_*", r"U\1", str(name))  # taken ones have a "_" more
    return unescape_name(text).translate({0x5C: "¥", 0x7E: "‾"})  # one byte in Shift_JIS


def nodes(root: etree._Element) -> list[object]:
    """All that a tree holds, in order."""
    found: list[object] = [
        (type(node).__name__, plain(node.text))
        for node in root.itersiblings(preceding=True)  # comments and instructions before it
    ]
    for node in root.iter():
        if not isinstance(node.tag, str):
            target = plain(getattr(node, "target", ""))
            found.append((type(node).__name__, target, plain(node.text), node.tail))
            continue
        attributes = [(plain(name), value) for name, value in node.attrib.items()]
        found.append((plain(node.tag), attributes, node.text, node.tail))
    return found


def check(html: str | bytes, encoding: str, options: dict[str, Any]) -> list[Finding]:
    """Hold the output in `encoding` to that in UTF-8; returns what `on_finding` is told more."""
    told: list[Finding] = []
    told_of_utf_8: list[Finding] = []
    utf_8 = fix_bytes(html, **options, on_finding=told_of_utf_8.append)
    assert fix_bytes(html, **options) == utf_8
    data = fix_bytes(html, output_encoding=encoding, **options)
    assert fix_bytes(html, output_encoding=encoding, **options, on_finding=told.append) == data
    trees = [nodes(parse_strictly(utf_8)), nodes(read(data))]
    if options.get("meta_charset") == "update":
        trees = [[unlabelled(node, encoding) for node in tree] for tree in trees]
    assert trees[0] == trees[1], (html, options)
    assert told[: len(told_of_utf_8)] == told_of_utf_8
    return told[len(told_of_utf_8) :]


def read(data: bytes) -> etree._Element:
    """The root of encoded output, by lxml's strict parser."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def unlabelled(node: object, encoding: str) -> str:
    """A node with no word for its encoding."""
    label = {"ascii": "US-ASCII", "latin-1": "ISO-8859-1", "shift_jis": "Shift_JIS"}.get(encoding)
    ours = plain(label or encoding.upper())
    return re.sub(f"{re.escape(ours)}|utf-8|latin1|koi8-r", "…", str(node), flags=re.IGNORECASE)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_soup(encoding: str) -> None:
    rng = random.Random(fresh_seed())
    for _ in range(150):
        check(pieces(rng), encoding, rng.choice(OPTIONS))


@pytest.mark.long
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_much_soup(encoding: str) -> None:
    rng = random.Random(fresh_seed())
    for _ in range(5_000):
        check(pieces(rng), encoding, rng.choice(OPTIONS))


@pytest.mark.parametrize("path", [*pages()][::9], ids=lambda path: path.name[:30])
def test_pages(path: Path) -> None:
    data = path.read_bytes()
    for encoding in ENCODINGS[:2]:
        check(data, encoding, {"max_depth": 200})


# ── every place in which a character can stand ────────────────────────────────

WRITTEN: Final = {
    "<table><tr><td>é</td></tr></table>": "<table><tbody><tr><td>&#233;</td></tr></tbody></table>",
    "<p>é<b>é</b>é": "<p>&#233;<b>&#233;</b>&#233;</p>",
    ',<a l="">""</a><a h="é"></a>&#1<a h="">"é</a><': ',<a l="">""</a><a h="&#233;"></a>'
    '&#65533;<a h="">"&#233;</a>&lt;',
    "<né é='é'>é</né>": '<nU0000E9 U0000E9="&#233;">&#233;</nU0000E9>',
    "<o:é é:é=1>x": '<o:U0000E9 U0000E9:U0000E9="1">x</o:U0000E9>',
    "<p><!--é-->é<?t é>é": "<p><!--U0000E9-->&#233;<?t U0000E9?>&#233;</p>",
    "<svg é=1><g>é</g></svg>é": '<svg U0000E9="1"><g>&#233;</g></svg>&#233;',
    "<p><script>if (a<b) 'é'</script>": "<p><script>if (a&lt;b) '&#233;'</script></p>",
}


@pytest.mark.parametrize("markup", WRITTEN)
@pytest.mark.parametrize("is_watched", [False, True])
def test_what_is_written(markup: str, is_watched: bool) -> None:
    watch = {"on_finding": lambda finding: None} if is_watched else {}
    data = fix_bytes(markup, output_encoding="ascii", body_only=True, **watch)
    body = data.decode("ascii").partition("<body")[2].partition(">")[2]
    assert body.removesuffix("</body>") == WRITTEN[markup]


def test_a_backslash_in_shift_jis() -> None:
    data = fix_bytes("<p><b>C:\\é</b>~\\", output_encoding="shift_jis")
    assert b"<b>C:&#92;&#233;</b>&#126;&#92;</p>" in data


def test_a_doctype_is_one_node_among_others() -> None:
    markup = '<!DOCTYPE né SYSTEM "é>.dtd"><né>é</né>'
    data = fix_bytes(markup, output_encoding="ascii", repair="xml", doctype="keep")
    assert data.endswith(b'<!DOCTYPE nU0000E9 SYSTEM "%C3%A9>.dtd"><nU0000E9>&#233;</nU0000E9>')


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        (
            '<r xmlns:é="urn:1" xmlns:U0000E9="urn:2" é:a="1" U0000E9:a="2"/>',
            b'<r xmlns:U0000E9_="urn:1" xmlns:U0000E9="urn:2" U0000E9_:a="1" U0000E9:a="2"></r>',
        ),
        ("<r><é/><U0000E9/></r>", b"<r><U0000E9_></U0000E9_><U0000E9></U0000E9></r>"),
        ('<r é="1" U0000E9="2"/>', b'<r U0000E9_="1" U0000E9="2"></r>'),
        ('<r é="U0000E9">U0000E9</r>', b'<r U0000E9="U0000E9">U0000E9</r>'),
    ],
)
def test_names_that_look_like_escapes(markup: str, written: bytes) -> None:
    """Two names never become one, and a prefix keeps its declaration."""
    data = fix_bytes(markup, output_encoding="ascii", repair="xml")
    parse_strictly(data)
    assert canonical(data) == canonical(written)


def test_names_that_look_like_escapes_in_numbers() -> None:
    """Whatever is escaped already, an escape is chosen in one look at the names."""

    def seconds(n: int) -> float:
        letters = [chr(0x4E00 + number) for number in range(n)]
        taken = "".join([f"<U{ord(letter):06X}{'_' * 99}/><{letter}/>" for letter in letters])
        begin = time.process_time()
        data = fix_bytes(f"<r>{taken}</r>", output_encoding="ascii", repair="xml")
        end = time.process_time()
        assert f"<U004E00{'_' * 100}/>".encode() in data
        return end - begin

    seconds(1)
    assert seconds(1_200) < 8 * max(seconds(300), 0.02)


def canonical(xml: bytes) -> str:
    """XML without its declaration, however its empty elements are written."""
    return str(etree.canonicalize(xml_data=xml.decode("ascii").rpartition("?>")[2]))


# ── findings ─────────────────────────────────────────────────────────────────


def test_findings() -> None:
    markup = "<p é=é ê=1>é<né>é</né><b é=2></b><!--ö é--><!--a--><?t é?></p>\n"
    told = [
        (found.code, found.message.split(" has ")[0], found.line, found.column, found.lossy)
        for found in check(markup, "ascii", {"repair": "stack"})
    ]
    assert told == [
        ("xmlfix-name-not-in-encoding", "name é", 2, 1, False),
        ("xmlfix-name-not-in-encoding", "name ê", 2, 1, False),
        ("xmlfix-name-not-in-encoding", "name né", 2, 1, False),
        ("xmlfix-comment-not-in-encoding", "<!--ö é-->", 2, 1, True),
        ("xmlfix-instruction-not-in-encoding", "<?t é?>", 2, 1, True),
    ]
    assert [found.code for found in check(markup, "latin-1", {"repair": "stack"})] == []
    assert [found.code for found in check("<p>é<!--\\-->", "shift_jis", {})] == []
