"""XPath, `select` and the commands `xpath` and `css`."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support import ROOT

import xmlfix
from xmlfix.cli import main
from xmlfix.extract.place import mistake
from xmlfix.extract.query import css, select, string_value, text_of, xml_of, xpath
from xmlfix.extract.query_error import QueryError

PAGE = (
    '<p class="a b">one<o:p>office</o:p>tail<p>two &amp; <b>bold</b><!--c-->'
    '<svg viewBox="0 0 1 1"><a xlink:href="#x">svg</a></svg>'
)


@pytest.fixture
def root() -> etree._Element:
    return xmlfix.fromstring(PAGE)


# ── XPath ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("//p/@class", ["a b"]),
        ("//o:p/text()", ["office"]),
        ("//@xlink:href", ["#x"]),
        ("count(//p)", 2.0),
        ("count(//p) > 1", True),
        ("string(//b)", "bold"),
        ("//nope", []),
        ("/*/body/p[2]/b/text()", ["bold"]),
        ("//comment()[1]", None),
    ],
)
def test_xpath(root: etree._Element, expression: str, expected: Any) -> None:
    found = xpath(root, expression)
    assert xpath(root.getroottree(), expression) == found
    if expected is None:
        assert [node.text for node in found] == ["c"]
    else:
        assert found == expected
        assert type(found) is type(expected)
        if isinstance(found, list):
            assert all(type(each) is str for each in found)


def test_context_variables_and_namespaces(root: etree._Element) -> None:
    second = xpath(root, "//p[2]")[0]
    assert xpath(second, "b/text()") == ["bold"]
    assert xpath(root, "//p[. = $text]/@class", text="oneofficetail") == ["a b"]
    assert xpath(root, "count($nodes)", nodes=[second]) == 1.0
    assert xpath(root, "//q:p/text()", {"q": "urn:schemas-microsoft-com:office:office"}) == [
        "office"
    ]
    xhtml = xmlfix.fromstring(PAGE, xhtml=True)
    assert xpath(xhtml, "//p") == []
    assert len(xpath(xhtml, "//html:p")) == 2
    assert xpath(xhtml, "//svg:a/@xlink:href") == ["#x"]


def test_prefixes_declared_below_the_root() -> None:
    root = etree.XML('<a><b xmlns:q="urn:one"><q:c>1</q:c></b><b xmlns:q="urn:two"><q:c/></b></a>')
    assert xpath(root, "//q:c/text()") == ["1"]  # the first declaration counts
    assert xpath(root, "count(//q:c)", {"q": "urn:two"}) == 1.0
    with pytest.raises(QueryError, match="prefix"):
        xpath(root, "//r:c")


def test_lxml_needs_the_mapping_that_we_do_not(root: etree._Element) -> None:
    # what docs/queries.md explains
    with pytest.raises(etree.XPathEvalError, match="Undefined namespace prefix"):
        root.xpath("//o:p")
    assert len(root.xpath("//o:p", namespaces=root.nsmap)) == 1


WRONG = {
    "//a[": (4, "an expression is missing"),
    "": (0, "an expression is missing"),
    "//a[@x=]": (7, "an expression is missing before ']'"),
    "//p[@class=='x']": (11, "an expression is missing before '='"),
    "a b": (2, "unexpected 'b'"),
    "a]": (1, "unexpected ']'"),
    "(1": (2, "')' is missing"),
    "//a[b=c)]": (7, "']' is missing"),
    "'x": (0, "a string that does not end"),
    "foo::a": (0, "no axis 'foo'"),
    "$": (1, "the name of a variable is missing"),
    "a!b": (1, "unexpected '!'"),
    "f(1,": (4, "an expression is missing"),
}
RIGHT = """\
//a|/|//*[@x='1' and not(y)]|count(//a) div 2|- - 1|a | b|id('x')/p|(//a)[1]//b|..|./a|@*
ancestor-or-self::node()|processing-instruction('x')|a * b|* * *|div div div|or or or|'a"b'|1.5 + .5
a[. = 1]|child :: a|/ = 1|a-b|a -b|a[last()-1]|//a/@b|/*|comment()|a<=b|. = ..|@node()|text()
""".replace("\n", "|").split("|")


def test_place_of_a_mistake(root: etree._Element) -> None:
    for expression, (place, message) in WRONG.items():
        with pytest.raises(QueryError) as caught:
            xpath(root, expression)
        assert caught.value.place == place, expression
        told = f"{expression[:place]}<-- HERE {expression[place:]}".rstrip()
        assert str(caught.value) == f"column {place + 1}: {message}: {told}"


def test_place_finds_nothing_wrong_with_xpath() -> None:
    for expression in RIGHT:
        if expression:
            etree.XPath(expression)
            assert mistake(expression) is None, expression


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("//zz:p", "column 3: undefined namespace prefix 'zz': //<-- HERE zz:p"),
        ("nope()", "column 1: XPath 1.0 has no function nope(): <-- HERE nope()"),
        ("//p[$x]", "column 5: undefined variable $x: //p[<-- HERE $x]"),
        ("re:test('a', 'a')", "undefined namespace prefix 're'"),
        ("svg:test('a')", "XPath 1.0 has no function svg:test()"),
        # libxml2 does not come to these where there is no such element
        ("//nope[lower-case(@href)]", "column 8: XPath 1.0 has no function lower-case()"),
        ("//p/nope/x[ends-with(., 'a')]", "column 12: XPath 1.0 has no function ends-with()"),
        ("//nope[zz:f()]", "column 8: undefined namespace prefix 'zz'"),
        ("//nope/@zz:*", "column 9: undefined namespace prefix 'zz'"),
        ("//nope[. = $x]", "column 12: undefined variable $x"),
        ("false() and $o:x", "column 13: undefined variable $o:x"),
        ("(" * 9999 + "1" + ")" * 9999, "nested too deeply"),
        ("//p[. = '\x01']", "no XML holds"),
        ("//" + "a" * 1000 + "[", "column 1004: an expression is missing"),
    ],
)
def test_other_mistakes(root: etree._Element, expression: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        xpath(root, expression)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_functions_that_the_caller_has_given_to_lxml() -> None:
    for uri, name in ((None, "doubled"), ("urn:own", "own:doubled")):
        registry = etree.FunctionNamespace(uri)
        registry["doubled"] = lambda context, text: text * 2
        try:
            assert xpath("<p>", f"{name}('ab')", {"own": "urn:own"}) == "abab"
        finally:
            del registry["doubled"]


# ── names in HTML, and IDs ───────────────────────────────────────────────────

NAMED = (
    "<A HREF=x data-itemId=5>one</A><A>two</a><svg viewBox='0 0 1 1'><linearGradient id=g />"
    "<use xlink:HREF='#g'/></svg><o:p>office</o:p>"
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("//A/@HREF", ["x"]),
        ("//a/@Href", ["x"]),
        ("//@data-itemId", ["5"]),
        ("//A[2]/text() | //Html/BODY/A[1]/text()", ["one", "two"]),
        ("//svg/@VIEWBOX | //@viewBox", ["0 0 1 1"]),
        ("//LINEARGRADIENT/@ID", ["g"]),
        ("//@xlink:HREF", ["#g"]),
        ("//o:P/text()", ["office"]),
        ("count(//A/ancestor::BODY/child::A[@HREF or self::A])", 2.0),
        ("//a['A' = 'A'][@HREF]/text()", ["one"]),
        ("//A[. = 'ONE']", []),
        ("name(//A)", "a"),
        ("//a/attribute::HREF", ["x"]),
        ("//A/namespace::SVG", []),
    ],
)
def test_names_as_the_page_spells_them(expression: str, expected: Any) -> None:
    assert xpath(xmlfix.fromstring(NAMED), expression) == expected


def test_names_with_capitals_in_other_trees() -> None:
    xhtml = xmlfix.fromstring(NAMED, xhtml=True)
    assert xpath(xhtml, "//A") == []  # has no namespace
    assert xpath(xhtml, "//html:A/@HREF") == ["x"]
    xml = etree.XML("<r><Tag A='1'/><tag a='2'/></r>")
    assert xpath(xml, "//Tag/@A | //Tag/@a | //TAG/@*") == ["1"]
    root = xmlfix.fromstring("<p>")
    etree.SubElement(root, "Own", Key="v")  # by a caller, who knows no lower case
    assert xpath(root, "//Own/@Key") == ["v"]


WITH_IDS = (
    "<p id=tea>T</p><p id=books>B</p><p id=twice>1</p><p id=twice>2</p><label for=tea>l</label>"
    "<b>books</b><u id=true>t</u><div id=x><i>deep</i></div>"
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("id('books')/text()", ["B"]),
        ("id('books')", ["p"]),
        ("id(' none  tea books ')/text()", ["T", "B"]),
        ("id(//label/@for)/text()", ["T"]),
        ("id(//b)/text()", ["B"]),
        ("id(concat('bo', 'oks'))/text() = 'B'", True),
        ("count(id('twice'))", 1.0),
        ("//label[id(@for)/text() = 'T']/@for", ["tea"]),
        ("//label/@for[id(.)]", ["tea"]),
        ("//b/text()[id(.)]", ["books"]),
        ("count(id(5) | id(true()) | id(''))", 1.0),
        ("id('x')/i/text()", ["deep"]),
        ("string(id('books')/following::p[1]/@id)", "twice"),
        ("count(//p[count(id('books tea') | .) = 2])", 2.0),
    ],
)
def test_id(expression: str, expected: Any) -> None:
    root = xmlfix.fromstring(WITH_IDS)
    plain = etree.XML(xmlfix.fix(WITH_IDS, xml_declaration=False))
    stack = xmlfix.fromstring(WITH_IDS, repair="stack")
    for tree in (root, plain, css(root, "p")[0], stack):
        found = xpath(tree, expression)
        if isinstance(found, list):
            found = [each if isinstance(each, str) else each.tag for each in found]
        assert found == expected


def test_id_of_xml() -> None:
    root = etree.XML(
        '<!DOCTYPE r [<!ATTLIST p key ID #IMPLIED>]><r><p key="a"/><p xml:id="b"/><p id="c"/></r>'
    )
    assert [xpath(root, f"id('{name}')") for name in "abcd"] == [*([p] for p in root), []]
    with pytest.raises(QueryError, match="number of arguments"):
        xpath(root, "id()")


def test_id_is_looked_up_once_in_a_query() -> None:
    root = xmlfix.fromstring("<p>" * 200 + "<b></b>" * 4000)
    start = time.process_time()
    assert xpath(root, "//b[id('none')]") == []
    assert time.process_time() - start < 4  # a walk for each: a minute


# ── markup in place of a tree ────────────────────────────────────────────────

SHEET = """<t xsl:version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    ><xsl:value-of select="//p"/></t>"""


@pytest.mark.parametrize("form", ["str", "bytes", "bytearray", "path", "reader", "element", "tree"])
def test_what_the_calls_take(form: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"<p>a")
    root = xmlfix.fromstring("<p>a")
    makers: dict[str, Callable[[], Any]] = {
        "str": lambda: "<p>a",
        "bytes": lambda: b"<p>a",
        "bytearray": lambda: bytearray(b"<p>a"),
        "path": lambda: path,
        "reader": lambda: io.BytesIO(b"<p>a"),
        "element": lambda: root,
        "tree": root.getroottree,
    }
    make = makers[form]
    assert xpath(make(), "//p/text()") == ["a"]
    assert css(make(), "p::text") == ["a"]
    assert select(make(), "//p/text()") == select(make(), "p::text") == ["a"]
    assert xmlfix.xslt(make(), SHEET).getroot().text == "a"
    assert [line.selector for line in xmlfix.outline(make())] == ["html", "head", "body", "p"]
    assert xmlfix.records(make(), "p", {"A": "."}) == [{"A": "a"}]
    assert xmlfix.tables(make()) == []


@pytest.mark.parametrize("call", [css, select, xpath, xmlfix.xslt, xmlfix.records, xmlfix.tables])
def test_a_file_name_is_told_where_the_caller_is(call: Callable[..., Any]) -> None:
    words = {xpath: ["//p"], xmlfix.xslt: [SHEET], xmlfix.records: ["p", []], xmlfix.tables: []}
    with pytest.warns(UserWarning, match="taken as markup") as caught:
        call("page.html", *words.get(call, ["p"]))
    assert [warning.filename for warning in caught] == [__file__]


TOKENS = (
    "a b p or div * // / @ :: : [ ] ( ) . .. , | + - = != < $ 'x' \" 1 1.5 text self node".split()
)
SELECTOR_TOKENS = (
    "a * . # : :: [ ] ( ) , > + ~ | = ^= 'x' \" 1 2n+1 of not is has text attr nth-child / \\ { k"
).split()


@given(st.lists(st.sampled_from([*TOKENS, " "]), max_size=12))
def test_nonsense_is_refused_or_asked(tokens: list[str]) -> None:
    expression = "".join(tokens)
    try:
        etree.XPath(expression)
        compiles = True
    except etree.XPathError:
        compiles = False
    if not compiles:
        assert mistake(expression) is not None
    with suppress(QueryError):
        xpath(etree.XML("<a><b/></a>"), expression)


@given(st.lists(st.sampled_from([*SELECTOR_TOKENS, " "]), max_size=12) | st.text(max_size=20))
def test_nonsense_selectors_are_refused_or_asked(tokens: list[str] | str) -> None:
    with suppress(QueryError):
        css(etree.XML("<a><b/></a>"), "".join(tokens))


# ── select, and what results look like ───────────────────────────────────────


def test_select(root: etree._Element) -> None:
    assert select(root, "//b") == select(root, "b") == select(root, " (//b)") == css(root, "b")
    row = select(root, "p + p")[0]
    assert select(row, "./b/text()") == select(row, "> b::text") == ["bold"]
    assert select(row, "(count(b))") == ["1"]
    assert select(row, "(1 = 2)") == ["false"]
    assert select(root, "nope") == []
    for wrong in ("//[", "p["):
        with pytest.raises(QueryError):
            select(root, wrong)


def test_xml_of_a_result_stands_alone() -> None:
    root = xmlfix.fromstring(PAGE, doctype="keep")
    assert [xml_of(p) for p in css(root, "p")] == [
        '<p xmlns:o="urn:schemas-microsoft-com:office:office" class="a b">'
        "one<o:p>office</o:p>tail</p>",
        xml_of(css(root, "p + p")[0]),
    ]
    assert xml_of(css(root, "b")[0]) == "<b>bold</b>"  # no prefix, and not the text behind it
    for node in root.iter():
        assert etree.fromstring(f"<x>{xml_of(node)}</x>") is not None
    xhtml = xmlfix.fromstring(PAGE, xhtml=True)
    assert xml_of(css(xhtml, "b")[0]) == '<b xmlns="http://www.w3.org/1999/xhtml">bold</b>'
    assert string_value(css(root, "p + p")[0]) == "two & boldsvg"


NUMBERS = {
    1.0: "1",
    -0.0: "0",
    0.1: "0.1",
    -2.5: "-2.5",
    1e-7: "0.0000001",
    1e22: "10000000000000000000000",
    float("inf"): "Infinity",
    float("-inf"): "-Infinity",
}


def test_numbers_are_written_as_xpath_has_them() -> None:
    for value, text in NUMBERS.items():
        assert text_of(value) == text
    assert text_of(float("nan")) == "NaN"


# ── the commands ─────────────────────────────────────────────────────────────


def command(*words: str, given: str = PAGE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "xmlfix", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


COMMANDS = [
    (["xpath", "//b"], 0, "<b>bold</b>\n"),
    (["xpath", "--text", "//b | //o:p"], 0, "office\nbold\n"),
    (["xpath", "//@viewBox"], 0, "0 0 1 1\n"),
    (["xpath", "count(//p) div 4"], 0, "0.5\n"),
    (["xpath", "count(//p)"], 0, "2\n"),
    (["xpath", "1 div 0"], 0, "Infinity\n"),
    (["xpath", "count(//p) = 2"], 0, "true\n"),
    (["xpath", "//comment()"], 0, "<!--c-->\n"),
    (["xpath", "//nope"], 1, ""),
    (["xpath", "--json", "//nope"], 1, "[]\n"),
    (["xpath", "--json", "//b | //@class"], 0, '[\n"a b",\n"<b>bold</b>"\n]\n'),
    (["xpath", "--json", "count(//p)"], 0, "[\n2\n]\n"),
    (["xpath", "--json", "1 div 0"], 0, '[\n"Infinity"\n]\n'),
    (["xpath", "--json", "1 = 2"], 0, "[\nfalse\n]\n"),
    (["xpath", "-0", "//b | //@class"], 0, "a b\0<b>bold</b>\0"),
    (["xpath", "--xhtml", "--text", "//html:b"], 0, "bold\n"),
    (["xpath", "--xhtml", "--namespace", "h=http://www.w3.org/1999/xhtml", "//h:b/text()"], 0,
     "bold\n"),
    (["css", "b"], 0, "<b>bold</b>\n"),
    (["css", "--xhtml", "--text", "b"], 0, "bold\n"),
    (["css", "p::attr(class)"], 0, "a b\n"),
    (["css", "p > b", "FILE", "--text"], 0, "bold\n"),
    (["css", "nope"], 1, ""),
]  # fmt: skip


@pytest.mark.parametrize(("words", "status", "output"), COMMANDS)
def test_command(
    words: list[str],
    status: int,
    output: str,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    words = [str(page) if word == "FILE" else word for word in words]
    assert main(words if str(page) in words else [*words, str(page)]) == status
    assert capsysbinary.readouterr() == (output.encode(), b"")


def test_one_result_is_one_line() -> None:
    page = '<pre id="i">\n a\n\n b </pre><!-- x\ny --><p title="t\nu">v\nw'
    assert command("css", "pre, p", given=page).stdout == (
        '<pre id="i"> a&#10;&#10; b </pre>\n<p title="t&#10;u">v&#10;w</p>\n'
    )
    assert command("css", "--text", "pre, p", given=page).stdout == "a b\nv w\n"
    assert command("xpath", "//comment() | //@title", given=page).stdout == "<!-- x y -->\nt u\n"
    assert command("css", "-0", "--text", "pre, p", given=page).stdout == " a\n\n b \0v\nw\0"
    assert json.loads(command("css", "--json", "p::attr(title)", given=page).stdout) == ["t\nu"]


def test_several_inputs_are_told_apart(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a.html", "b.html", "c.html")]
    for name, page in zip(names, ("<p>1<p>2", "<i>", "<p>3"), strict=True):
        Path(name).write_text(page)
    done = command("css", "--text", "p", *names)
    assert done.stdout == f"{names[0]}:1\n{names[0]}:2\n{names[2]}:3\n"
    assert done.returncode == 0
    done = command("xpath", "--json", "count(//p)", *names[:2])
    assert json.loads(done.stdout) == [
        {"file": names[0], "result": 2},
        {"file": names[1], "result": 0},
    ]
    done = command("css", "p", names[1], str(tmp_path / "none.html"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    done = command("css", "p", names[0], str(tmp_path / "none.html"))
    assert (done.returncode, done.stdout.count("\n")) == (2, 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["xpath", "//p["], "column 5: an expression is missing: //p[<-- HERE"),
        (["css", "p:nope"], "column 2: no pseudo-class :nope: p<-- HERE :nope"),
        (["css", "zz|p"], "column 1: nobody has declared the prefix 'zz': <-- HERE zz|p"),
        (["xpath", "//zz:p"], "column 3: undefined namespace prefix 'zz': //<-- HERE zz:p"),
        (
            ["xpath", "//i[lower-case(@x)]"],
            "XPath 1.0 has no function lower-case(): //i[<-- HERE lower-case(@x)]",
        ),
        (["xpath", "//i[$x]"], "undefined variable $x: //i[<-- HERE $x]"),
        (["xpath", "//p", "--namespace", "zz"], "--namespace takes PREFIX=URI, not 'zz'"),
        (["xpath", "a\nb"], "column 3: unexpected 'b': a\\u000a<-- HERE b"),
    ],
)
def test_command_mistakes(
    words: list[str], message: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    assert main([*words, str(page)]) == 2
    told = capsysbinary.readouterr()
    assert told.out == b""
    assert told.err.decode().endswith(f"{message}\n")
    assert told.err.count(b"\n") == 1


def test_exponential_expressions_are_ended() -> None:
    given = "<p>" * 200

    slow = "count(//*" + "[count(//*" * 8 + ") > 0]" * 8 + ")"
    done = command("xpath", slow, "--timeout-query", "0.5", given=given)
    message = "xmlfix: <stdin>: the query takes more than 0.5 seconds (--timeout-query)\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    slow = ":has(~ p" * 9 + ":has(~ b)" + ")" * 9
    done = command("css", slow, "--timeout-query", "0.5", given="<p></p>" * 200)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such timer")
@pytest.mark.parametrize(
    "words",
    [
        ["links", "--match", "(a+)+$"],
        ["links", "--match", "(a|a)*$", "--format", "json", "-o", os.devnull],
        ["tables", "--match", "(a+)+$"],
        ["tables", "--match", "(a|aa)+$", "--list"],
        ["tables", "--xpath", "//*[count(//*[count(//*[count(//*[count(//*)>9])>9])>9])>9]"],
        ["tables", "--css", ":has(~ p" * 9 + ":has(~ b)" + ")" * 9],
        ["outline", "--from", ":has(~ p" * 9 + ":has(~ b)" + ")" * 9],
        ["extract", "--try", ":has(~ p" * 9 + ":has(~ b)" + ")" * 9],
        ["extract", "--try", "table", "--try-sub", ":has(~ p" * 9 + ":has(~ b)" + ")" * 9],
    ],
)
def test_whatever_the_user_writes_is_ended(words: list[str]) -> None:
    text = "a" * 60 + "!"
    given = f"<a href='{text}'>{text}</a><table><tr><td>{text}" + "<p></p>" * 200
    done = command(*words, "--timeout-query", "0.3", given=given)
    message = "xmlfix: <stdin>: the query takes more than 0.3 seconds (--timeout-query)\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert done.stdout in ("", "[")


def test_a_limit_beyond_all_measure(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["xpath", "1", "--timeout-query", "9e11", os.devnull]) == 0
    assert main(["links", "--match", "(" * 9_000 + ")" * 9_000, os.devnull]) == 2
    assert b"Traceback" not in capsysbinary.readouterr().err


def test_what_came_before_a_limit_is_written(tmp_path: Path) -> None:
    small, big = tmp_path / "small.html", tmp_path / "big.html"
    small.write_text("<p>")
    big.write_text("<p>" * 300)
    slow = "count(//*" + "[count(//*" * 5 + ") > 0]" * 5 + ")"
    done = command("xpath", slow, str(small), str(big), "--timeout-query", "0.5")
    assert done.returncode == 2
    assert done.stdout == f"{small}:4\n"


@pytest.mark.skipif(os.name == "nt", reason="no terminal to be steered")
def test_a_page_cannot_steer_the_terminal(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>a\x9b31mb\u202ec", encoding="utf-8")
    words = [sys.executable, "-m", "xmlfix", "css", "--text", "p", str(page)]
    leader, follower = pty.openpty()
    subprocess.run(words, stdout=follower, cwd=ROOT, timeout=60, check=True)
    os.close(follower)
    assert os.read(leader, 1000) == b"a\\u009b31mb\\u202ec\r\n"
    os.close(leader)
    done = subprocess.run(words, capture_output=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout == "a\x9b31mb\u202ec\n".encode()
