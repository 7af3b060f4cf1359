"""`xmlfix.extract.links`: which addresses a page has, and what they become."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from lxml import etree
from support import ROOT, Case, cases, need_shared, pages

import xmlfix
from xmlfix.errors import OptionError
from xmlfix.extract.links import (
    ADDRESSES,
    css_addresses,
    links,
    refresh_address,
    srcset_addresses,
)
from xmlfix.fixer import Run


def found(page: Any, base: str | None = None, **options: Any) -> list[str | None]:
    return [link.address for link in links(page, base, **options)]


# ── finding ──────────────────────────────────────────────────────────────────

FINDERS = {"srcset": srcset_addresses, "refresh": refresh_address, "css": css_addresses}


@pytest.mark.parametrize("case", cases("links-values.txt"), ids=lambda case: case.title)
def test_values(case: Case) -> None:
    assert FINDERS[case.options["of"]](case.given) == case.expected


@pytest.mark.parametrize(
    ("finder", "unit"),
    [
        (srcset_addresses, "("),
        (srcset_addresses, "a ,"),
        (srcset_addresses, ","),
        (refresh_address, "1"),
        (refresh_address, "1 "),
        (css_addresses, 'url("'),
        (css_addresses, "url("),
        (css_addresses, 'url("\\"'),
        (css_addresses, "url( "),
        (css_addresses, "/*"),
        (css_addresses, "'\\'"),
        (css_addresses, "@import '\\'"),
        (css_addresses, "image-set('a'"),
        (css_addresses, "image-set('a"),
        (css_addresses, "[("),
        (css_addresses, "url"),
    ],
)
def test_values_are_read_in_linear_time(finder: Any, unit: str) -> None:
    def seconds(count: int) -> float:
        value = unit * count
        best = 1e9
        for _ in range(3):
            start = time.process_time()
            finder(value)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(40_000) < 40 * seconds(4_000) + 0.01  # a square would be 100 times


ALL_KINDS = """<!DOCTYPE html><html manifest=m><head><base href=/b/><link href=l imagesrcset="i 2x">
<meta http-equiv=REFRESH content="5; url=r"><meta name=refresh content="5; url=no">
<script src=s></script></head><body background=g><form action=f><input formaction=fi src=ii>
<button formaction=fb>Go</button></form>
<a href="h 1" ping="p q" rel="x  NoFollow">A<b>b</b>
c</a><area href><a href="" name=no><img alt=" Logo "></a><a href><img src="" srcset="1, 2 2x"></a>
<video poster=vp src=vs><source srcset=ss><track src=t></video><object data=o></object>
<blockquote cite=c data=no href=no></blockquote><svg><use xlink:href=x><feImage href=fe /></svg>
<div src=no action=no style="background: url(st)"><style>@import "si"</style>"""

EXPECTED = """html manifest m 1|base href /b/ 1|link href l 1|link imagesrcset i 1|meta content r 2
script src s 3|body background g 3|form action f 3|input formaction fi 3|input src ii 3
button formaction fb 4|a href h,1 5|a ping p 5|a ping q 5|area href  6|a href  6|a href  6
img srcset 1 6|img srcset 2 6|video poster vp 7|video src vs 7|source srcset ss 7|track src t 7
object data o 7|blockquote cite c 8|use xlink:href x 8|feImage href fe 8|div style st 9
style  si 9"""


@pytest.mark.parametrize("xhtml", [False, True])
def test_where_addresses_stand(xhtml: bool) -> None:
    got = links(ALL_KINDS, "http://a/x", styles=True, xhtml=xhtml)
    short = [
        f"{link.element} {link.attribute} {link.written.replace(' ', ',')} {link.line}"
        for link in got
    ]
    assert short == EXPECTED.replace("\n", "|").split("|")
    for link in got:
        base = "http://a/x" if link.element == "base" else "http://a/b/"
        assert link.address == urljoin(base, link.written.replace(" ", "%20"))
    without = [link for link in got if link.attribute not in ("", "style")]
    assert links(ALL_KINDS, "http://a/x") == without


def test_text_and_rel() -> None:
    got = {link.written: link for link in links(ALL_KINDS)}
    assert got["h 1"].text == "Ab c"
    assert got["h 1"].rel == "x NoFollow"
    assert got["fb"].text == "Go"
    assert [link.text for link in links(ALL_KINDS) if link.written == ""] == ["", "Logo", ""]
    assert links("<a href=x><!--no-->a</a>")[0].text == "a"


def test_trees_and_markup_give_the_same() -> None:
    tree = xmlfix.fromstring(ALL_KINDS)
    there = [link[:-1] for link in links(ALL_KINDS, "http://a/")]
    assert [link[:-1] for link in links(tree, "http://a/")] == there
    assert [link[:-1] for link in links(tree.getroottree(), "http://a/")] == there
    assert [link[:-1] for link in links(ALL_KINDS.encode(), "http://a/")] == there
    assert links(etree.fromstring("<a href='x'/>"))[0].line == 1
    with pytest.raises(TypeError, match="not int"):
        links(1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="xhtml is for markup"):
        links(tree, xhtml=True)
    assert found("<a href=x>", fragment="div") == ["x"]


@pytest.mark.parametrize(
    ("page", "addresses"),
    [
        (
            "<a href=x><base href=/b/><base href=/c/>",
            ["http://a/b/x", "http://a/b/", "http://a/c/"],
        ),
        ("<p><a href=x><div><base href=//h>", ["http://h/x", "http://h/"]),
        ("<base target=t><base href=y/><a href=x>", ["http://a/d/y/", "http://a/d/y/x"]),
        ("<template><base href=/t/></template><a href=x>", ["http://a/t/", "http://a/d/x"]),
        ("<base href=data:a><a href=x>", ["data:a", "http://a/d/x"]),
        ("<base href=JavaScript:a><a href=x>", ["javascript:a", "http://a/d/x"]),
        ("<base href=http://[><a href=x>", [None, "http://a/d/x"]),
        ("<base href=''><a href=x>", ["http://a/d/x"]),
        ("<base href=' \n/b/ '><a href=>", ["http://a/b/", "http://a/b/"]),
        ("<svg><base href=s/></svg><a href=x>", ["http://a/d/s/", "http://a/d/x"]),
        (
            "<math><base href=m></math><base href=/b/><a href=x>",
            ["http://a/b/m", "http://a/b/", "http://a/b/x"],
        ),
        ("<svg><desc><base href=/b/></desc></svg><a href=x>", ["http://a/b/", "http://a/b/x"]),
        ("<math><desc><base href=/b/></math><a href=x>", ["http://a/b/", "http://a/d/x"]),
        ("<math><mi><base href=/b/></math><a href=x>", ["http://a/b/", "http://a/b/x"]),
        (
            "<math><annotation-xml encoding='TEXT/html'><base href=/b/></math><a href=x>",
            ["http://a/b/", "http://a/b/x"],
        ),
    ],
)
@pytest.mark.parametrize("rules", ["rfc3986", "whatwg"])
def test_the_base_is_that_of_browsers(page: str, addresses: list[str], rules: str) -> None:
    if rules == "whatwg":
        pytest.importorskip("ada_url")
    for xhtml in (False, True):
        assert found(page, "http://a/d/e", rules=rules, xhtml=xhtml) == addresses


def test_a_relative_base_alone() -> None:
    for page, expected in {
        "<base href=x/y><a href=z><a href=../../w><a href=/v>": ["x/z", "../w", "/v"],
        "<base href=..><a href=b><a href=>": ["../b", "../"],
        "<base href=./><a href=.//img/a.png>": [".//img/a.png"],
        "<base href=../..><a href=../b><a href=?q>": ["../../../b", "../../?q"],
        "<base href=a/..><a href=.//b><a href=b>": [".//b", "b"],
        "<base href=./a:b/><a href=c>": ["./a:b/c"],
    }.items():
        assert found(page)[1:] == expected, page


@pytest.mark.parametrize("rules", ["rfc3986", "whatwg"])
def test_queries_are_in_the_encoding_of_the_page(rules: str) -> None:
    if rules == "whatwg":
        pytest.importorskip("ada_url")
    page = '<meta charset=windows-1251><a href="/п?п#п">'
    path, fragment = "http://a/%D0%BF", "#%D0%BF"
    in_1251, in_utf_8 = f"{path}?%EF{fragment}", f"{path}?%D0%BF{fragment}"
    data = page.encode("cp1251")
    assert found(data, "http://a/", rules=rules) == [in_1251]
    assert found(page, "http://a/", rules=rules) == [in_utf_8]
    assert found(page, "http://a/", rules=rules, encoding="cp1251") == [in_1251]
    tree = xmlfix.fromstring(data)
    assert found(tree, "http://a/", rules=rules, encoding="windows-1251") == [in_1251]
    late = b"<!--" + b"x" * 2000 + b"-->" + data  # found while parsing, not before
    assert found(late, "http://a/", rules=rules) == [in_1251]
    bare = data.replace(b"<meta charset=windows-1251>", b"")
    sent = "text/html; charset=windows-1251"
    assert found(bare, "http://a/", rules=rules, transport_encoding=sent) == [in_1251]


# ── politeness, sites ────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("metas", "agents", "is_open"),
    [
        ("", [], True),
        ("<meta name=robots content='index, follow'>", [], True),
        ("<meta name=robots content=nofollow>", [], False),
        ("<meta name=' ROBOTS ' content='NoArchive,NOFOLLOW'>", [], False),
        ("<meta name=robots content=none>", [], False),
        ("<meta name=robots content=noindex>", [], False),
        ("<meta name=robots content='noindex, follow'>", [], True),
        ("<meta name=robots content=nonesuch>", [], True),
        ("<meta name=mybot content=nofollow>", [], True),
        ("<meta name=MyBot content=nofollow>", ["mybot"], False),
        ("<meta name=other content=none><meta name=mybot content=all>", ["mybot"], True),
        ("<meta name=robots content=follow><meta name=b content=none>", ["a", "b"], False),
    ],
)
def test_robots_metas(metas: str, agents: list[str], is_open: bool) -> None:
    page = f"{metas}<a href=1><a rel='me nofollow' href=2><link rel=NOFOLLOW href=3>"
    assert found(page, polite=True, agents=agents) == (["1"] if is_open else [])
    assert found(page) == ["1", "2", "3"]
    with pytest.raises(OptionError, match="list of names"):
        links(page, agents="mybot")


def test_same_site() -> None:
    page = "".join(
        f"<a href='{address}'>"
        for address in (
            "x https://Example.org:8080/ http://shop.example.org/ http://myexample.org/"
            " http://example.org.evil/ mailto:a@example.org http://["
        ).split()
    )
    ours = ["http://www.example.org/x", "https://example.org:8080/", "http://shop.example.org/"]
    assert found(page, "http://www.example.org/", same_site=True) == ours
    assert found(page, same_site=True) == ["x"]
    assert found(f"<base href=//example.org/>{page}", "http://z/", same_site=True) == []
    based = found(f"<base href=http://example.org/>{page}", same_site=True)
    assert based[:2] == ["http://example.org/", "http://example.org/x"]


# ── real pages ───────────────────────────────────────────────────────────────

PAGE_BASE = "https://example.org/dir/page.html"


def walk(node: Any) -> Iterator[Any]:
    """The elements of a justhtml tree, in document order, template contents included."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not node.name.startswith(("#", "!")):
            yield node
        inside = getattr(node, "template_content", None)
        waiting += reversed([*([inside] if inside else []), *(node.children or ())])


def candidates(value: str) -> Iterator[str]:
    """The addresses of a `srcset`, read by the standard's steps a character at a time."""
    pos = 0
    while True:
        while pos < len(value) and value[pos] in "\t\n\f\r ,":
            pos += 1
        start = pos
        while pos < len(value) and value[pos] not in "\t\n\f\r ":
            pos += 1
        if start == pos:
            return
        address = value[start:pos]
        yield address.rstrip(",")
        depth = 0
        while not address.endswith(",") and pos < len(value) and (depth or value[pos] != ","):
            depth = 1 if value[pos] == "(" else 0 if value[pos] == ")" else depth
            pos += 1


def peer_links(root: Any) -> Iterator[tuple[str, str, str]]:
    """Element, attribute and address as written, found without the table of xmlfix."""
    for node in walk(root):
        name, svg = node.name, node.namespace == "svg"
        for attribute, value in (node.attrs or {}).items():
            value = value or ""
            match attribute, name:
                case ("srcset", "img" | "source") | ("imagesrcset", "link"):
                    for address in candidates(value):
                        yield name, attribute, address
                    continue
                case "ping", "a" | "area":
                    for address in value.split():
                        yield name, attribute, address
                    continue
                case "content", "meta":
                    equiv = node.attrs.get("http-equiv") or ""
                    if equiv.lower() == "refresh" and "=" in value:
                        yield name, attribute, value.partition("=")[2].strip(" '\"")
                    continue
                case ("href", "a" | "area") if not svg:
                    yield name, attribute, value
                    continue
                case (
                    ("href", "link" | "base")
                    | ("action", "form")
                    | ("formaction", "button" | "input")
                    | ("cite", "blockquote" | "q" | "ins" | "del")
                    | ("data", "object")
                    | ("manifest", "html")
                    | ("poster", "video")
                    | ("background", "body" | "table" | "td" | "th" | "tr" | "tbody")
                    | ("background", "thead" | "tfoot")
                    | ("xlink:href", _)
                ):
                    pass
                case "src", _ if name in SOURCES:
                    pass
                case "href", _ if svg:
                    pass
                case _:
                    continue
            if value.strip():
                yield name, attribute, value


SOURCES = "audio embed frame iframe img input script source track video".split()


def peer_base(ada_url: Any, root: Any) -> str:
    """The address that those of a page are relative to."""
    for node in walk(root):
        if node.name == "base" and "href" in (node.attrs or {}):
            base = ada_url.URL(node.attrs["href"], PAGE_BASE).href
            return PAGE_BASE if base.startswith(("data:", "javascript:")) else base
    return PAGE_BASE


def peer_addresses(ada_url: Any, base: str, all_written: list[str]) -> set[str | None]:
    """What addresses mean by the URL Standard, None for those that mean nothing."""
    out: set[str | None] = set()
    for written in all_written:
        try:
            out.add(ada_url.URL(written, base).href)
        except ValueError:
            out.add(None)
    return out


@pytest.mark.parametrize(
    ("largest", "least"), [(80_000, 8_000), pytest.param(10**9, 27_000, marks=pytest.mark.long)]
)
def test_the_addresses_of_real_pages_are_those_of_another_implementation(
    largest: int, least: int
) -> None:
    """The tree is justhtml's, the rest is written for this test by the standard's steps.

    Left out are pages that are XML, which justhtml does not read, and the meaning of
    addresses outside ASCII, whose queries depend on the page's encoding.
    """
    need_shared("pages")
    justhtml = pytest.importorskip("justhtml")
    ada_url = pytest.importorskip("ada_url")
    total = 0
    for path in pages():
        data = path.read_bytes()
        run = Run(data, {}, keeps_text=True)
        if len(data) > largest or run.intake.is_xml:
            continue
        run.output()
        root = justhtml.JustHTML(run.intake.text, sanitize=False, scripting_enabled=False).root
        theirs = list(peer_links(root))
        ours = links(data, PAGE_BASE, rules="whatwg")
        assert Counter((e, a, seen(written)) for e, a, written in theirs) == Counter(
            (link.element, link.attribute, seen(link.written)) for link in ours
        ), path.name
        total += len(ours)
        kept = [written for e, _, written in theirs if written.isascii() and e != "base"]
        assert peer_addresses(ada_url, peer_base(ada_url, root), kept) == {
            link.address for link in ours if link.written.isascii() and link.element != "base"
        }, path.name
    assert total > least


def seen(text: str) -> str:
    """What of an address XML can hold, white space collapsed."""
    kept = "".join([char if char.isprintable() else " " for char in text])
    return " ".join(kept.replace("\ufffd", " ").split())


def test_the_addresses_of_real_pages_mean_what_browsers_take_them_for() -> None:
    """By RFC 3986 and by the URL Standard they differ in escapes and in two more ways.

    The RFC has "/" for an empty path with every scheme, the standard only with its own ones
    (`whatsapp://send?text=…`); and what the RFC cannot write is left as it is by browsers.
    """
    need_shared("pages")
    ada_url = pytest.importorskip("ada_url")
    total = 0
    for path in list(pages())[::2]:
        tree = xmlfix.fromstring(path.read_bytes())
        for ours, theirs in zip(
            links(tree, PAGE_BASE), links(tree, PAGE_BASE, rules="whatwg"), strict=True
        ):
            total += 1
            assert (ours.address is None) == (theirs.address is None), ours
            if ours.address is None or theirs.address is None:
                continue
            again = ada_url.URL(ours.address).href
            if not theirs.address.startswith(("http", "file", "ftp")):
                again = again.replace("/?", "?").removesuffix("/")
                theirs = theirs._replace(address=theirs.address.removesuffix("/"))
            assert unquote(again) == unquote(theirs.address or ""), (path.name, ours)
    assert total > 10_000


def test_every_start_tag_of_real_pages_is_found_again() -> None:
    need_shared("pages")
    for path in list(pages())[::4]:
        data = path.read_bytes()
        count = data.count(b"\n") + data.count(b"\r") + 1
        for link in links(data, styles=True):
            assert link.line is not None
            assert 1 <= link.line <= count


# ── the command ──────────────────────────────────────────────────────────────

PAGE = """<meta charset=windows-1252><base href=/b/>
<a href="q?\xe9">One</a> <a href=q?%E9 rel=nofollow>Two</a>
<img src="a\x9b\x1b[2J.png" alt="\u202e"> <a href="http://[">bad</a>
<a href=//other.example/>Three</a>
"""


def run(*words: str, given: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "xmlfix", "links", *words],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.encode("latin-1", "xmlcharrefreplace"))
    return str(path)


LINES = [
    "http://a/b/",
    "http://a/b/q?%E9",
    "http://a/b/q?%E9",
    "http://a/b/a%E2%80%BA%EF%BF%BD[2J.png".replace("[", "%5B"),
    "http://other.example/",
]


def test_lines(page: str) -> None:
    status, out, err = run("--base", "http://a/x", page)
    assert (status, out.splitlines()) == (0, LINES)
    assert err.count("\n") == 1
    assert "1 address left out" in err


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--unique"], [0, 1, 3, 4]),
        (["--polite"], [0, 1, 3, 4]),
        (["--agent", "me"], [0, 1, 3, 4]),
        (["--same-site"], [0, 1, 2, 3]),
        (["--element", "a,BASE"], [0, 1, 2, 4]),
        (["--element", "img", "--element", "base"], [0, 3]),
        (["--match", r"q\?|png$"], [1, 2, 3]),
    ],
)
def test_filters(page: str, words: list[str], kept: list[int]) -> None:
    status, out, _ = run("--base", "http://a/x", *words, page)
    assert (status, out.splitlines()) == (0, [LINES[number] for number in kept])


def test_csv_and_json_have_all_and_steer_no_terminal(page: str) -> None:
    outputs = {
        form: run("--base", "http://a/x", "--format", form, page)[1]
        for form in ("csv", "json", "jsonl")
    }
    for form, out in outputs.items():
        assert all(char.isprintable() or char in "\r\n" for char in out), form
    records = json.loads(outputs["json"])
    assert [json.loads(line) for line in outputs["jsonl"].splitlines()] == records
    assert len(records) == 6
    assert records[1] == {
        "element": "a",
        "attribute": "href",
        "written": "q?\xe9",
        "address": "http://a/b/q?%E9",
        "text": "One",
        "rel": "",
        "line": 2,
    }
    assert records[3]["text"] == "\u202e"
    assert records[4]["address"] is None
    rows = list(csv.DictReader(io.StringIO(outputs["csv"], newline="")))
    assert [row["line"] for row in rows] == ["1", "2", "2", "3", "3", "4"]
    assert rows[3]["text"] == "\\u202e"
    assert rows[4]["address"] == ""


def test_several_inputs_and_an_output_file(page: str, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    words = ["--format", "jsonl", "-o", str(target), "--element", "base"]
    status, out, err = run(*words, page, str(tmp_path / "none.html"), page)
    assert (status, out) == (2, "")
    assert "none.html: No such file" in err
    records = [json.loads(line) for line in target.read_text().splitlines()]
    assert [(record["file"], record["address"]) for record in records] == [(page, "/b/")] * 2
    status, out, _ = run("--format", "json", given=b"<p>none")
    assert (status, out) == (1, "[]\n")


def test_the_url_standard(page: str) -> None:
    pytest.importorskip("ada_url")
    status, out, _ = run("--as", "whatwg", "--base", "http://a/x", page)
    assert status == 0
    assert out.splitlines()[3] == "http://a/b/a%E2%80%BA%EF%BF%BD[2J.png"
    assert len(out.splitlines()) == len(LINES)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--base", "x/y"], "base takes an absolute address"),
        (["--as", "url"], "--as takes rfc3986 or whatwg"),
        (["--match", "("], "no regular expression"),
        (["--encoding", "klingon"], "unknown encoding 'klingon'"),
        (["-", "-"], "only once"),
        (["--bas", "http://a/"], "--bas: no such option; did you mean --base?"),
    ],
)
def test_unusable_arguments(words: list[str], complaint: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert complaint in err
    assert "Traceback" not in err


def test_every_attribute_of_the_table_is_in_the_docs() -> None:
    text = (ROOT / "docs" / "links.md").read_text(encoding="utf-8")
    for attribute in ADDRESSES:
        assert f"`{attribute}`" in text, attribute
