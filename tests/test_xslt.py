"""XSLT: what it gives, and that a stylesheet reads and writes nothing else."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from lxml import etree
from support import ROOT

import xmlfix
from xmlfix.extract.query_error import QueryError
from xmlfix.extract.xslt import messages, stylesheet, xslt

XSL = 'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"'
PAGE = "<h1>News</h1><ul><li>a<li>b & c</ul>"


def sheet(body: str = "<done/>", head: str = "", before: str = "") -> str:
    """A stylesheet with one template, for the root."""
    return (
        f'{before}<xsl:stylesheet version="1.0" {XSL} xmlns:exsl="http://exslt.org/common"'
        ' xmlns:saxon="http://icl.com/saxon" xmlns:xt="http://www.jclark.com/xt"'
        ' xmlns:redirect="org.apache.xalan.xslt.extensions.Redirect"'
        ' extension-element-prefixes="exsl saxon xt redirect">'
        f'{head}<xsl:template match="/">{body}</xsl:template></xsl:stylesheet>'
    )


def run(source: str | bytes | Path, **parameters: str | float | bool) -> str:
    return str(xslt(xmlfix.fromstring(PAGE), source, parameters))


# ── what it gives ────────────────────────────────────────────────────────────

TEXT = '<xsl:output method="text"/>'


def test_results() -> None:
    items = '<xsl:for-each select="//li">[<xsl:value-of select="."/>]</xsl:for-each>'
    assert run(sheet(items, TEXT)) == "[a][b & c]"
    assert run(sheet(items, TEXT).encode()) == "[a][b & c]"
    declared = sheet(
        "<xsl:text>\u00e9</xsl:text>", TEXT, '<?xml version="1.0" encoding="iso-8859-1"?>'
    )
    assert run(declared) == "\u00e9"
    assert run(declared.encode("latin-1")) == "\u00e9"


def test_parameters_are_values_not_xpath() -> None:
    show = sheet('<xsl:value-of select="$p"/>', TEXT + '<xsl:param name="p">none</xsl:param>')
    assert run(show) == "none"
    for value, shown in (
        ("//h1", "//h1"),
        ('it\'s "it"', 'it\'s "it"'),
        (2.5, "2.5"),
        (True, "true"),
        (False, "false"),
    ):
        assert run(show, p=value) == shown
    half = sheet('<xsl:value-of select="$p div 2"/>', TEXT + '<xsl:param name="p"/>')
    assert run(half, p=3) == "1.5"
    choice = '<xsl:if test="$p">yes</xsl:if>'
    assert run(sheet(choice, TEXT + '<xsl:param name="p"/>'), p=False) == ""


def test_a_compiled_stylesheet_serves_many_trees() -> None:
    transform = stylesheet(sheet('<xsl:value-of select="count(//li)"/>', TEXT))
    for count in range(3):
        root = xmlfix.fromstring("<ul>" + "<li>" * count)
        assert str(xslt(root, transform)) == str(count)
        assert str(xslt(root.getroottree(), transform)) == str(count)


def test_messages() -> None:
    transform = stylesheet(sheet("<xsl:message>one</xsl:message><xsl:message>two</xsl:message>"))
    xslt(xmlfix.fromstring(PAGE), transform)
    assert messages(transform) == ["one", "two"]


def test_internal_entities_are_known() -> None:
    before = '<!DOCTYPE xsl:stylesheet [<!ENTITY dash "&#8212;">]>'
    assert run(sheet("<xsl:text>&dash;</xsl:text>", TEXT, before)) == "\u2014"


# ── mistakes ─────────────────────────────────────────────────────────────────

MISTAKES = [
    ("<a", "not well-formed XML: Couldn't find end of Start Tag a"),
    ("", "not well-formed XML: Document is empty"),
    ("<a/>", "cannot be used: line 1: document is not a stylesheet"),
    (sheet('<xsl:value-of select="a["/>'), "could not compile select expression 'a['"),
    (sheet('\n<xsl:value-of select="$p"/>'), "line 2: Variable 'p' has not been declared"),
    (sheet('<xsl:value-of select="nope()"/>'), "Unregistered function"),
    (sheet('<xsl:message terminate="yes">enough\nof it</xsl:message>'), "failed: enough"),
]


@pytest.mark.parametrize(("source", "message"), MISTAKES)
def test_mistake(source: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        run(source)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# ── hostile stylesheets ──────────────────────────────────────────────────────

SECRET = "TOP-SECRET-TEXT"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a secret in the forms in which stylesheets like to read."""
    (tmp_path / "secret.xml").write_text(f"<secret>{SECRET}</secret>")
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.dtd").write_text(f'<!ENTITY e "{SECRET}">')
    (tmp_path / "secret.xsl").write_text(sheet(SECRET))
    return tmp_path


READS = {
    "document": sheet("<xsl:copy-of select=\"document('{}/secret.xml')\"/>"),
    "document, relative": sheet("<xsl:copy-of select=\"document('secret.xml')\"/>"),
    "document, file:": sheet("<xsl:copy-of select=\"document('file://{}/secret.xml')\"/>"),
    "document, computed": sheet(
        "<xsl:copy-of select=\"document(concat('{}/sec', 'ret.xml'), /)\"/>"
    ),
    "document of a node-set": sheet(
        '<xsl:variable name="v"><a>{}/secret.xml</a></xsl:variable>'
        '<xsl:copy-of select="document(exsl:node-set($v)/a)"/>'
    ),
    "import": sheet(head='<xsl:import href="{}/secret.xsl"/>'),
    "import, relative": sheet(head='<xsl:import href="secret.xsl"/>'),
    "include": sheet(head='<xsl:include href="{}/secret.xsl"/>'),
    "include, file:": sheet(head='<xsl:include href="file://{}/secret.xsl"/>'),
    "entity": sheet("<a>&e;</a>", "", '<!DOCTYPE a [<!ENTITY e SYSTEM "{}/secret.txt">]>'),
    "entity in an attribute": sheet(
        '<a b="&e;"/>', "", '<!DOCTYPE a [<!ENTITY e SYSTEM "{}/secret.txt">]>'
    ),
    "parameter entity": sheet(
        "<a>&e;</a>", "", '<!DOCTYPE a [<!ENTITY % p SYSTEM "{}/secret.dtd"> %p;]>'
    ),
    "external subset": sheet("<a>&e;</a>", "", '<!DOCTYPE a SYSTEM "{}/secret.dtd">'),
}


@pytest.mark.parametrize("source", READS.values(), ids=READS)
def test_reads_no_file(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(QueryError) as caught:
        run(source.replace("{}", str(folder)))
    assert "\n" not in str(caught.value)
    (folder / "hostile.xsl").write_text(source.replace("{}", str(folder)))
    with pytest.raises(QueryError):
        run(folder / "hostile.xsl")


def test_xinclude_is_only_an_element(folder: Path) -> None:
    source = sheet(
        f'<x:include href="{folder}/secret.txt" parse="text"'
        ' xmlns:x="http://www.w3.org/2001/XInclude"/>'
    )
    assert SECRET not in run(source)


WRITES = {
    "exsl:document": sheet('<exsl:document href="{}/out.xml"><a/></exsl:document>'),
    "exsl:document, file:": sheet('<exsl:document href="file://{}/out.xml"><a/></exsl:document>'),
    "exsl:document, relative": sheet('<exsl:document href="out.xml"><a/></exsl:document>'),
    "exsl:document, new folder": sheet('<exsl:document href="{}/d/out.xml"><a/></exsl:document>'),
    "xsl:document": sheet('<xsl:document href="{}/out.xml"><a/></xsl:document>').replace(
        'version="1.0"', 'version="1.1"'
    ),
    "saxon:output": sheet('<saxon:output file="{}/out.xml"><a/></saxon:output>'),
    "xt:document": sheet('<xt:document href="{}/out.xml"><a/></xt:document>'),
    "redirect:write": sheet(
        '<redirect:write file="{}/out.xml" select="\'{}/out.xml\'"><a/></redirect:write>'
    ),
}


@pytest.mark.parametrize("read_files", [False, True])
@pytest.mark.parametrize("source", WRITES.values(), ids=WRITES)
def test_writes_no_file(
    source: str, read_files: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    with suppress(QueryError):
        xslt(xmlfix.fromstring(PAGE), source.replace("{}", str(folder)), read_files=read_files)
    assert sorted(folder.rglob("*")) == before


def test_the_attacks_are_real(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # without our factory the reads read and the writes write
    monkeypatch.chdir(folder)
    read, written = [], []
    for name, source in {**READS, **WRITES}.items():
        data = source.replace("{}", str(folder)).encode()
        before = sorted(folder.rglob("*"))
        parser = etree.XMLParser(load_dtd=True, resolve_entities=True)
        try:
            root = etree.fromstring(data, parser, base_url=str(folder / "hostile.xsl"))
            result = str(etree.XSLT(root)(etree.XML("<a/>")))
        except etree.LxmlError:
            result = ""
        if SECRET in result:
            read.append(name)
        if sorted(folder.rglob("*")) != before:
            written.append(name)
            for made in (folder / "out.xml", folder / "d" / "out.xml"):
                made.unlink(missing_ok=True)
    assert {"document", "import", "include", "entity", "external subset"} - {*read} <= {
        "import",  # the template of the importing stylesheet goes before
        "include",
    }
    assert {"exsl:document", "xsl:document", "saxon:output"} <= {*written}


def test_files_can_be_allowed(folder: Path) -> None:
    for source in (
        sheet("<xsl:value-of select=\"document('secret.xml')\"/>"),
        sheet("<xsl:apply-imports/>", '<xsl:import href="secret.xsl"/>'),
    ):
        (folder / "reading.xsl").write_text(source)
        result = xslt(xmlfix.fromstring(PAGE), folder / "reading.xsl", read_files=True)
        assert SECRET in str(result)


class Counting(BaseHTTPRequestHandler):
    """Answers with a document and counts who asks."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"<secret>{SECRET}</secret>".encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.parametrize("read_files", [False, True])
def test_asks_no_network(read_files: bool, folder: Path) -> None:
    server = HTTPServer(("127.0.0.1", 0), Counting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    (folder / "far.xml").write_text(f'<!DOCTYPE a SYSTEM "{address}/a.dtd"><a>&e;</a>')
    attacks = [
        sheet(f"<xsl:copy-of select=\"document('{address}/a.xml')\"/>"),
        sheet(head=f'<xsl:import href="{address}/a.xsl"/>'),
        sheet(head=f'<xsl:include href="{address}/a.xsl"/>'),
        sheet("<a>&e;</a>", "", f'<!DOCTYPE a [<!ENTITY e SYSTEM "{address}/e">]>'),
        sheet("<a>&e;</a>", "", f'<!DOCTYPE a SYSTEM "{address}/e.dtd">'),
        sheet(f'<exsl:document href="{address}/a"><a/></exsl:document>'),
        sheet("<xsl:copy-of select=\"document('far.xml')\"/>"),
    ]
    try:
        for source in attacks:
            (folder / "far.xsl").write_text(source)
            try:
                result = xslt(xmlfix.fromstring(PAGE), folder / "far.xsl", read_files=read_files)
            except QueryError:
                continue
            assert read_files
            assert SECRET not in str(result)
        assert Counting.asked == []
    finally:
        server.shutdown()
        server.server_close()


def test_regular_expressions_are_off() -> None:
    hostile = (
        "<xsl:value-of select=\"r:test('" + "a" * 60 + "b', '(a|aa)+$')\""
        ' xmlns:r="http://exslt.org/regular-expressions"/>'
    )
    with pytest.raises(QueryError, match="Unregistered function"):
        run(sheet(hostile))


def test_endless_recursion_and_entities_end() -> None:
    call = '<xsl:call-template name="t"/>'
    endless = sheet(call, f'<xsl:template name="t">{call}</xsl:template>')
    with pytest.raises(QueryError, match="infinite template recursion"):
        run(endless)
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 12}">' for n in range(1, 10))
    laughs = f'<!DOCTYPE a [<!ENTITY a0 "{"a" * 15}">{levels}]>'
    with pytest.raises(QueryError, match="not well-formed"):
        run(sheet("<a>&a9;</a>", "", laughs))


# ── the command ──────────────────────────────────────────────────────────────


def command(*words: str, given: str = PAGE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "xmlfix", "xslt", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


LOOP = '<xsl:for-each select="//li">'
BOMBS = {
    "time": sheet(LOOP * 40 + "<xsl:if test='/nope'>x</xsl:if>" + "</xsl:for-each>" * 40),
    "memory": sheet(LOOP * 28 + "<b/>" + "</xsl:for-each>" * 28),
    "recursion": sheet(
        '<xsl:call-template name="t"/>',
        '<xsl:template name="t"><xsl:param name="n" select="0"/><xsl:if test="$n &lt; 60">'
        + '<xsl:call-template name="t"><xsl:with-param name="n" select="$n + 1"/>'
        "</xsl:call-template>" * 2 + "</xsl:if></xsl:template>",
    ),
    "text": sheet(
        '<xsl:call-template name="t"/>',
        '<xsl:template name="t"><xsl:param name="s" select="\'xx\'"/><xsl:call-template name="t">'
        '<xsl:with-param name="s" select="concat($s, $s)"/></xsl:call-template></xsl:template>',
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_ended(name: str, tmp_path: Path) -> None:
    (tmp_path / "bomb.xsl").write_text(BOMBS[name])
    limits = ["--timeout-query", "1", "--max-memory", "200"]
    done = command(str(tmp_path / "bomb.xsl"), *limits)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("xmlfix: <stdin>: ")
    assert done.stderr.count("\n") == 1
    if name != "text":  # libxml2 itself may stop this one
        assert "--timeout-query" in done.stderr or "--max-memory" in done.stderr


def test_command(tmp_path: Path) -> None:
    name = tmp_path / "titles.xsl"
    head = '<xsl:output method="text"/><xsl:param name="p">-</xsl:param>'
    body = '<xsl:message>hello</xsl:message><xsl:value-of select="concat($p, //h1)"/>'
    name.write_text(sheet(body, head))
    done = command(str(name), "--param", "p=a=b ")
    assert (done.stdout, done.stderr) == ("a=b News\n", "xmlfix: <stdin>: hello\n")
    (tmp_path / "one.html").write_text("<h1>One")
    (tmp_path / "two.html").write_text("<h1>Two")
    two = [str(tmp_path / "one.html"), str(tmp_path / "two.html")]
    done = command(str(name), *two)
    assert done.stdout == f"==> {two[0]} <==\n-One\n==> {two[1]} <==\n-Two\n"
    assert done.stderr == f"xmlfix: {two[0]}: hello\nxmlfix: {two[1]}: hello\n"
    assert command(str(name), "-0", *two).stdout == "-One\0-Two\0"
    assert command("--json", str(name), two[0]).stdout == '[\n"-One"\n]\n'


def test_command_mistakes(tmp_path: Path) -> None:
    (tmp_path / "bad.xsl").write_text("<a")
    (tmp_path / "good.xsl").write_text(sheet())
    for words, message in (
        ([str(tmp_path / "none.xsl")], "No such file"),
        ([str(tmp_path / "bad.xsl")], "bad.xsl: the stylesheet is not well-formed XML"),
        ([str(tmp_path / "good.xsl"), "--param", "x"], "--param takes NAME=VALUE, not 'x'"),
        ([str(tmp_path / "good.xsl"), "--param", "a b=c"], "no name of a parameter: a b"),
    ):
        done = command(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
