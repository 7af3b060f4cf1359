"""The calls as programs use them: threads, forks, kinds of str, readers, wrong arguments."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import ROOT

import xmlfix

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run_program(program: str) -> str:
    """What a program in a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        timeout=60,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# ── threads and processes ────────────────────────────────────────────────────

FIRST_USE = """
import threading
from concurrent.futures import ThreadPoolExecutor
import xmlfix
barrier = threading.Barrier(8)
def job(number):
    barrier.wait()
    return xmlfix.fix(f"<p @click='{number}' :x=1 \\u00e9=2 o:a=3>&auml;<!--c--><svg viewbox=1>")
with ThreadPoolExecutor(8) as pool:
    found = list(pool.map(job, range(8)))
assert found == [found[0].replace('"0"', f'"{n}"') for n in range(8)]
print(xmlfix.fix("<p :foo=1>x", xml_declaration=False))
"""


def test_threads_that_are_all_the_first() -> None:
    for _ in range(3):
        assert "U00003Afoo" in run_program(FIRST_USE)


FORKED = """
import os, threading
import xmlfix
from xmlfix.read import lane
inside, go_on = threading.Event(), threading.Event()
learn = lane.learn
def learn_slowly(sources, careful):
    inside.set()
    go_on.wait()
    learn(sources, careful)
page = "<body>x" + "".join(f"<p id=a{n}>" for n in range(100))
lane.learn = learn_slowly
thread = threading.Thread(target=xmlfix.fix, args=(page,))
thread.start()
inside.wait()
child = os.fork()
if not child:
    lane.learn = learn
    os._exit(xmlfix.fix(page).count('id="a') != 100)
lane.learn = learn
go_on.set()
thread.join()
for _ in range(200):
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        break
    threading.Event().wait(0.05)
else:
    os.kill(child, 9)
print(done == child, status)
"""


FORKED_WITHOUT_THREADS = """
import os, xmlfix
from xmlfix.read import lane
xmlfix.fix("<body>x" + "".join(f"<p id=b{n}>" for n in range(100)))
size = len(lane.MEMO)
child = os.fork()
if not child:
    os._exit(not size or len(lane.MEMO) != size)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_while_a_thread_is_learning() -> None:
    assert run_program(FORKED) == "True 0\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_keeps_the_memo() -> None:
    assert run_program(FORKED_WITHOUT_THREADS) == "0\n"


# ── kinds of str and bytes ───────────────────────────────────────────────────


class Markup(str):
    """A str that escapes what it is mixed with, as template engines have it."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Markup:
        return Markup(super().__getitem__(key))

    def __add__(self, other: str) -> Markup:
        return Markup(super().__add__(other.replace("<", "&lt;")))

    def replace(self, old: Any, new: Any, count: Any = -1) -> Markup:
        return Markup(super().replace(old, new.replace("&", "&amp;"), count))

    def join(self, parts: Any) -> Markup:
        return Markup(super().join(part.replace("<", "&lt;") for part in parts))

    def lower(self) -> Markup:
        return Markup(super().lower())


MARKUP = "<table><tr><td>z<!--c--></table><xmp>1 < 2</xmp><ul><LI a=b>&copy;</LI></ul>"


@pytest.mark.parametrize("repair", ["browser", "stack", "xml"])
def test_a_kind_of_str(repair: Any) -> None:
    plain = xmlfix.fix(MARKUP, repair=repair)
    assert xmlfix.fix(Markup(MARKUP), repair=repair) == plain
    with xmlfix.Fixer(repair=repair) as fixer:
        parts = [fixer.feed(Markup(MARKUP[:20])), fixer.feed(MARKUP[20:]), fixer.close()]
    assert "".join(parts) == plain
    assert list(xmlfix.tokens(Markup(MARKUP))) == list(xmlfix.tokens(MARKUP))
    assert xmlfix.check(Markup(plain))


def test_a_kind_of_bytes() -> None:
    class Data(bytes):
        def startswith(self, *_: Any) -> bool:
            return True

    assert xmlfix.fix(Data(b"<p>x")) == xmlfix.fix(b"<p>x")


# ── pieces ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("repair", ["browser", "stack", "xml"])
def test_an_iterator_of_names(repair: Any) -> None:
    html = "<?xml version='1.0'?><r><p>a</p><secret>x</secret></r>"
    with xmlfix.Fixer(repair=repair, drop=iter(["secret"])) as fixer:
        xml = fixer.feed(html) + fixer.close()
    assert xml == xmlfix.fix(html, repair=repair, drop=["secret"])
    assert "secret" not in xml


class Waiting:
    """A reader that does not wait for what comes."""

    def __init__(self, *pieces: bytes | None) -> None:
        self.pieces = list(pieces)

    def read(self, size: int, /) -> bytes | None:
        return self.pieces.pop(0)


def test_a_reader_that_has_nothing_yet() -> None:
    out = io.StringIO()
    with pytest.raises(BlockingIOError, match="does not wait"):
        xmlfix.fix_stream(Waiting(b"<p>first half", None), out)
    xmlfix.fix_stream(Waiting(b"<p>first half", b""), out)
    assert "<p>first half</p>" in out.getvalue()


# ── wrong arguments ──────────────────────────────────────────────────────────

PAGE = xmlfix.fromstring("<p>a<!--c-->")
COMMENT = PAGE.xpath("//comment()")[0]
XHTML = xmlfix.fromstring("<p>a", xhtml=True)
DIGITS = "9" * 5000
QUERIES: list[tuple[Callable[[], object], str]] = [
    (lambda: xmlfix.css(PAGE, f"p:nth-child({DIGITS})"), "too long"),
    (lambda: xmlfix.css(PAGE, f"p:nth-child({DIGITS}n+1)"), "too long"),
    (lambda: xmlfix.css(XHTML, "html|p", XHTML.nsmap), "a prefix and an address: None="),
    (lambda: xmlfix.xpath(XHTML, "//html:p", XHTML.nsmap), "a prefix and an address: None="),
    (lambda: xmlfix.xpath(PAGE, "//x:p", {"x": ""}), "a prefix and an address: x="),
    (lambda: xmlfix.xpath(PAGE, "//p[.=$v]", v="a\0"), "a variable has a character"),
    (lambda: xmlfix.xpath(PAGE, "//p[.=$v]", v="\ud800"), "a variable has a character"),
    (lambda: xmlfix.xpath(COMMENT, "."), "not a comment"),
    (lambda: xmlfix.css(COMMENT, "p"), "not a comment"),
]


@pytest.mark.parametrize(("ask", "message"), QUERIES)
def test_wrong_queries(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(xmlfix.QueryError, match=message):
        ask()


@pytest.mark.parametrize("match", ["(" * 2000 + ")" * 2000, "a{99999999999}", "("])
def test_wrong_patterns(match: str) -> None:
    with pytest.raises(xmlfix.OptionError, match="match takes a regular expression"):
        xmlfix.tables("<table><tr><td>a</table>", match=match)


SHEET = '<t xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>'
WRONG_TYPES: list[Callable[[Any], object]] = [
    lambda wrong: xmlfix.xpath(wrong, "//p"),
    lambda wrong: xmlfix.css(wrong, "p"),
    lambda wrong: xmlfix.select(wrong, "p"),
    xmlfix.outline,
    lambda wrong: xmlfix.records(wrong, "p", {"a": "."}),
    xmlfix.tables,
    lambda wrong: xmlfix.xslt(wrong, SHEET),
    lambda wrong: xmlfix.xslt(PAGE, wrong),
    xmlfix.stylesheet,
    lambda wrong: xmlfix.xpath(PAGE, wrong),
    lambda wrong: xmlfix.css(PAGE, wrong),
    lambda wrong: xmlfix.select(PAGE, wrong),
    lambda wrong: xmlfix.records(PAGE, wrong, {"a": "."}),
    lambda wrong: xmlfix.records(PAGE, "p", wrong),
    lambda wrong: xmlfix.records(PAGE, "p", [wrong]),
    lambda wrong: xmlfix.records(PAGE, "p", {"a": [wrong]}),
    lambda wrong: xmlfix.records(PAGE, "p", {"a": "."}, wrong),
    lambda wrong: xmlfix.sniff(b"a", encoding=wrong),
    lambda wrong: xmlfix.sniff(b"a", transport_encoding=wrong),
    lambda wrong: xmlfix.sniff(b"a", fallback=wrong),
    lambda wrong: xmlfix.tokens(b"a", encoding=wrong),
]


@pytest.mark.parametrize("call", WRONG_TYPES)
@pytest.mark.parametrize("wrong", [5, ["x"], etree.ElementTree()], ids=["int", "list", "tree"])
def test_wrong_types(call: Callable[[Any], object], wrong: object) -> None:
    with pytest.raises(TypeError):
        call(wrong)


def test_prefixes_that_a_page_does_without() -> None:
    assert xmlfix.xpath(PAGE, "count(//o:p)") == 0
    assert xmlfix.xpath(xmlfix.fromstring("<o:p>a"), "count(//o:p)") == 1
    with pytest.raises(xmlfix.QueryError, match="undefined namespace prefix"):
        xmlfix.xpath(PAGE, "//nobody:p")


def test_the_options_are_where_the_docstrings_say() -> None:
    assert "xmlfix.options.OPTIONS" in (xmlfix.fix.__doc__ or "")
    shown = run_program("import xmlfix; print(xmlfix.options.OPTIONS[0])")
    assert shown.startswith("<Option repair")


def test_an_outline_takes_a_tree() -> None:
    tree = xmlfix.parse("<p>a")
    assert list(map(str, xmlfix.outline(tree))) == ["html", "  head", "  body", "    p"]


CALLS: list[Callable[[Any], object]] = [
    xmlfix.parse,
    xmlfix.tables,
    xmlfix.links,
    lambda source: xmlfix.records(source, "p", {"x": "."}),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_path_is_read(call: Callable[[Any], object], tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    markup = "<p>a<a href=http://b.example/>b</a><table><tr><td>c</table>"
    path.write_text(markup)
    found: Any = call(path)
    if isinstance(found, etree._ElementTree):
        assert found.findtext(".//p") == "a"
    else:
        assert len(found) == 1


@pytest.mark.parametrize("call", CALLS)
def test_a_warning_is_about_the_caller(call: Callable[[str], object]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call("a.html")
    assert [Path(warning.filename).name for warning in caught] == ["test_use.py"]


ADDRESSES = ["https://example.org/a?b=1&c=2", "http://[::1]/", " ftp://a.example/b\n"]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_no_file(call: Callable[[str], object], address: str) -> None:
    advice = f"for the page there, pass urllib.request.urlopen({address.strip()!r}).read()"
    with pytest.warns(UserWarning, match=re.escape(advice)):
        call(address)


@pytest.mark.parametrize("call", CALLS)
def test_an_address_is_no_path(call: Callable[[Path], object]) -> None:
    with pytest.raises(FileNotFoundError, match=r"an address is no file, pass urllib\.request"):
        call(Path("https://example.org/a"))
    with pytest.raises(FileNotFoundError, match="No such file"):
        call(Path("absent"))


@pytest.mark.parametrize(
    "text", ["see https://a.example/", "a<b>://c", "https://", "a: //b", "//a"]
)
def test_what_is_no_address(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        xmlfix.parse(text)


def test_lines_of_a_tree_are_those_of_the_repaired_xml() -> None:
    html = "<p\nclass=a\n>x\n<br\n><p>y"
    root = xmlfix.fromstring(html)
    xml = xmlfix.fix(html).splitlines()
    for element in root.iter("p", "br"):
        assert element.sourceline is not None
        assert f"<{element.tag}" in xml[element.sourceline - 1]
    html = "<br\n\n\n>\n<a href=x>"
    assert [link.line for link in xmlfix.links(html)] == [5]
    assert [link.line for link in xmlfix.links(xmlfix.parse(html))] == [3]


# ── what a reader is shown ───────────────────────────────────────────────────

SHOWN = """
import pydoc, sys, xmlfix
names = dir(xmlfix)
assert "lxml" not in sys.modules
assert names == sorted(set(names))
print(sorted({*xmlfix.__all__, "options"} - set(names)))
text = pydoc.render_doc(xmlfix, renderer=pydoc.plaintext)
for name in xmlfix.__all__:
    value = getattr(xmlfix, name)
    kind = f"class {value.__name__}(" if isinstance(value, type) else f"    {name}("
    assert kind in text, name
"""


def test_all_public_names_are_shown() -> None:
    assert run_program(SHOWN) == "[]\n"


def test_docstrings_name_the_errors_and_the_source() -> None:
    for call in (xmlfix.fix, xmlfix.fix_bytes, xmlfix.fromstring, xmlfix.parse):
        text = call.__doc__ or ""
        for word in ("OptionError", "InputError", "LimitError", "TypeError", "Source: "):
            assert word in text, (call, word)


TYPED = """
import io
from typing import assert_type
import xmlfix
from xmlfix import Element, ElementTree

def names(page: ElementTree | xmlfix.Element) -> list[str | None]:
    found: list[Element | str] = xmlfix.css(page, "li")
    return [each.get("name") for each in found if isinstance(each, Element)]

def texts(page: Element) -> str:
    return "".join(each for each in xmlfix.select(page, "li::text") if isinstance(each, str))

assert_type(xmlfix.css(xmlfix.fromstring("<p>"), "p"), list[Element | str])
assert_type(xmlfix.select(xmlfix.parse("<p>"), "p"), list[Element | str])
assert_type(xmlfix.fromstring("<p>", fragment="tr"), Element)
names(xmlfix.parse("<p>"))

class Reader:
    def read(self, size: int) -> bytes:
        return b""

class Writer:
    def write(self, text: str) -> None: ...

rows = {"Item": "td", "Price": "td + td", "Link": ("a", "href")}
xmlfix.records("<p>", "tr", {"Item": "td", "Price": "td + td", "Link": ("a", "href")})
xmlfix.records("<p>", "tr", rows)
xmlfix.fix_stream(Reader(), Writer())
xmlfix.fix_stream(io.BytesIO(), io.StringIO())
with open("a") as reader, open("b", "w") as writer:
    xmlfix.fix_stream(reader, writer)
"""


def test_annotations(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(TYPED)
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "use.py"]
    environment = {**ENVIRONMENT, "MYPYPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert "Success" in done.stdout, done.stdout
    wrong = TYPED + 'xmlfix.css(xmlfix.parse(""), "li")[0].upper()\n'
    (tmp_path / "use.py").write_text(wrong)
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True
    )
    assert 'has no attribute "upper"' in done.stdout
