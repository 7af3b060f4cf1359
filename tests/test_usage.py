"""What the command says to a user's slip: one line that tells what to do."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from test_command import ENVIRONMENT, PROGRAM, needs_unix
from test_command import run as run_process

import xmlfix
from xmlfix.cli import main
from xmlfix.options import OPTIONS


class Done(NamedTuple):
    """What a run of the command has done."""

    returncode: int
    stdout: bytes
    stderr: bytes


Run = Callable[..., Done]


@pytest.fixture
def run(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Run:
    """Runs the command in this process, in a folder with a page and a stylesheet."""
    (tmp_path / "page.html").write_text("<p><b>x</p>")
    (tmp_path / "s.xsl").write_text("<a/>")
    (tmp_path / "td").write_text("<table><td>1</table>")
    monkeypatch.chdir(tmp_path)

    def call(*words: str, input: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input)))
        status = main(words)
        return Done(status, *capsysbinary.readouterr())

    return call


COMMANDS: list[list[str]] = [
    *([], ["check"], ["css", "p"], ["xpath", "//p"], ["xslt", "s.xsl"], ["extract", "--try", "p"]),
    *(["outline"], ["tables"], ["links"]),
]

SLIPS = [
    # the words, and what is said after "xmlfix: "
    ("--repiar stack", "--repiar: no such option; did you mean --repair? (xmlfix --help)"),
    ("--xyzzy=1", "--xyzzy: no such option (xmlfix --help)"),
    ("-Q", "-Q: no such option (xmlfix --help)"),
    ("css li --txt", "--txt: no such option; did you mean --text? (xmlfix css --help)"),
    ("check --hgue", "--hgue: no such option; did you mean --huge? (xmlfix check --help)"),
    (
        "--repair stak",
        "--repair takes browser, stack or xml, not 'stak'; did you mean stack? (xmlfix --help)",
    ),
    (
        "tables --format cvs",
        "--format takes csv, tsv, json, grid-json or markdown, not 'cvs'; did you mean csv?"
        " (xmlfix tables --help)",
    ),
    ("--max-depth x", "--max-depth takes a whole number, not 'x' (xmlfix --help)"),
    (
        "tables --header x",
        "--header takes a number of rows, auto or none, not 'x' (xmlfix tables --help)",
    ),
    (
        "ftp://example.org/page.html",
        "ftp://example.org/page.html: No such file or directory;"
        " addresses begin with http:// or https://",
    ),
    (
        "links file:///page.html",
        "file:///page.html: No such file or directory; addresses begin with http:// or https://",
    ),
    ("-d page.html page.html", "page.html: not a folder, but a file"),
    ("--timeout 0", "--timeout takes a positive number, not '0' (xmlfix --help)"),
    ("--drop", "--drop needs a value (xmlfix --help)"),
    ("--report=x", "--report takes no value, not 'x' (xmlfix --help)"),
    ("css", "SELECTOR is missing (xmlfix css --help)"),
    ("xslt", "STYLESHEET is missing (xmlfix xslt --help)"),
    ("states x", "unexpected argument: x (xmlfix states --help)"),
    ("xpath -0 --json a", "--json: not allowed with argument -0/--null (xmlfix xpath --help)"),
    ("tabels page.html", "tabels: no such command, and no such file; did you mean tables?"),
    ("chekc", "chekc: no such command, and no such file; did you mean check?"),
    ("xyzzy page.html", "xyzzy: no such command, and no such file"),
    ("xyzzy", "xyzzy: No such file or directory"),
    ("--repair xml check page.html", "the command comes before everything else: xmlfix check …"),
    # a flag whose value is the next word
    ("--fragment tr", "--fragment takes its element after a =: --fragment=tr"),
    ("css --fragment tr th", "--fragment takes its element after a =: --fragment=tr"),
    ("css p --fragment tr page.html", "--fragment takes its element after a =: --fragment=tr"),
    ("xpath --fragment tr //th", "--fragment takes its element after a =: --fragment=tr"),
    ("css --fragment li absent.html", "absent.html: No such file or directory"),
    ("tables --fragment my-card", "--fragment takes its element after a =: --fragment=my-card"),
    # the first word and the second changed places
    (
        "css page.html li",
        "page.html is an input, and the selector comes first: xmlfix css li page.html",
    ),
    (
        "xpath page.html //li",
        "page.html is an input, and the expression comes first: xmlfix xpath //li page.html",
    ),
    (
        "css https://a.example/ a[href]",
        "https://a.example/ is an input, and the selector comes first:"
        " xmlfix css 'a[href]' https://a.example/",
    ),
    (
        "css page.html",
        "page.html is an input, and the selector comes first: xmlfix css SELECTOR page.html",
    ),
    (
        "xslt page.html s.xsl",
        "page.html: the stylesheet is not well-formed XML: Opening and ending tag mismatch: b line"
        " 1 and p, line 1, column 12; the stylesheet comes first, then the inputs",
    ),
    # names that nothing has
    ("--drop div.ad", "--drop takes names of elements and #comment, not the selector 'div.ad'"),
    (
        "--drop p,A[href]",
        "--drop takes names of elements and #comment, not the selector 'A[href]'",
    ),
    ("--drop .ad", "--drop takes names of elements and #comment, not '.ad'"),
    ("links --element a.ad", "--element takes names of elements, not the selector 'a.ad'"),
    ("links --element a,*", "--element takes names of elements, not '*'"),
    ("--drop #text", "--drop takes names of elements and #comment, not '#text'"),
    ("--repair xml --drop 1", "--drop takes names of elements and #comment, not '1'"),
    (
        "--fragment=nosuch",
        "--fragment takes an element of HTML, a custom one (my-card) or e.g. 'svg desc',"
        " not 'nosuch'",
    ),
    (
        "css --fragment=tbl td",
        "--fragment takes an element of HTML, a custom one (my-card) or e.g. 'svg desc',"
        " not 'tbl'; did you mean table?",
    ),
]


@pytest.mark.parametrize(("words", "message"), SLIPS)
def test_slips(run: Run, words: str, message: str) -> None:
    done = run(*words.split(), input=b"<li>a")
    assert done == (2, b"", f"xmlfix: {message}\n".encode())


def test_what_is_no_slip(run: Run, tmp_path: Path) -> None:
    """A file may have the name of an element, a selector that of a file."""
    (tmp_path / "page.html").write_text("<table><td>2</table>")
    for words in (
        ["css", "td", "td"],
        ["css", "--fragment", "td", "page.html"],
        ["css", "--text", "td", "--fragment", "td"],
        ["xpath", "td | //td", "td"],
        ["--fragment", "td"],
        ["--fragment=TD", "td"],
        ["--drop", "my.tag,x-a.b,o:p,#comment,foreignobject", "td"],
        ["--repair", "xml", "--drop", "div.ad,é", "td"],
    ):
        done = run(*words)
        assert (done.returncode, done.stderr) == (0, b""), words
    done = run("tables", "--fragment", "td", "absent.html")
    assert done == (2, b"1\r\n", b"xmlfix: absent.html: No such file or directory\n")


@pytest.mark.parametrize(
    ("value", "label"),
    [("nope", "nope"), ("text/html; charset=nope", "nope"), ("charset=\x1b", "\\x1b")],
)
def test_an_unknown_encoding_from_the_transport_is_not_heeded(
    run: Run, value: str, label: str
) -> None:
    done = run("--transport-encoding", value, input=b"<p>a")
    assert done.returncode == 0
    assert done.stdout.endswith(b"<p>a</p></body></html>\n")
    expected = f"xmlfix: --transport-encoding: unknown encoding '{label}'; it is ignored\n"
    assert done.stderr.decode() == expected


@pytest.mark.parametrize("value", ["utf-8", "text/html", "text/html;charset=latin1", "a/b;c=d"])
def test_a_usable_word_from_the_transport(run: Run, value: str) -> None:
    assert run("--transport-encoding", value, input=b"<p>a").stderr == b""


def test_names_that_are_dropped_in_svg() -> None:
    html = "<svg><foreignObject>a</foreignObject><linearGradient/></svg>b"
    for name in ("foreignobject", "foreignObject", "FOREIGNOBJECT"):
        xml = xmlfix.fix(html, drop=[name], body_only=True, xml_declaration=False)
        assert xml == "<body><svg><linearGradient></linearGradient></svg>b</body>"


# ── what could steer a terminal ──────────────────────────────────────────────

STEERING = "\x1b]0;x\x07\u202e\x9b"


@needs_unix
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_message_steers_a_terminal(run: Run, tmp_path: Path, command: list[str]) -> None:
    bad = tmp_path / f"{STEERING}.xml"
    bad.write_text("<b")
    asked = [
        [f"--{STEERING}"],
        [f"--repair={STEERING}"],
        [f"--max-depth={STEERING}"],
        [f"--fragment={STEERING}"],
        [f"--drop=.{STEERING}"],
        [f"--root={STEERING}"],
        [f"--encoding={STEERING}", bad.name],
        [f"--fallback={STEERING}"],
        [f"--timeout={STEERING}"],
        [STEERING],
        [f"http://{STEERING}/"],
        [bad.name, f"{STEERING}x"],
    ]
    shown = b"".join(
        done.stdout + done.stderr for words in asked for done in [run(*command, *words)]
    ).decode()
    assert "\\u001b" in shown
    assert not any(char in shown for char in STEERING if not char.isprintable())


# ── standard input ───────────────────────────────────────────────────────────


@needs_unix
@pytest.mark.parametrize("words", [*COMMANDS, ["-"], ["-d", "out", "-"]], ids=" ".join)
def test_a_terminal_is_told_that_it_is_waited_for(tmp_path: Path, words: list[str]) -> None:
    import pty

    (tmp_path / "s.xsl").write_text(
        '<a xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xsl:version="1.0"/>'
    )
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=follower,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    os.close(follower)
    os.write(leader, b"<p>a<a href=x>b</a></p>\n\x04")
    _, errors = process.communicate(timeout=30)
    os.close(leader)
    told = b"xmlfix: reading standard input (Ctrl-D ends it, --help explains)\n"
    assert errors.count(told) == 1
    assert errors.replace(told, b"") in (b"", b"xmlfix: -: no table\n")


def test_nobody_else_is_told() -> None:
    assert run_process(input=b"<p>a").stderr == b""


def test_check_reads_standard_input(run: Run) -> None:
    assert run("check", input=b"<p>").stdout.startswith(b"<stdin>:1:")
    assert run("check", "--huge", input=b"<p>").stdout.startswith(b"<stdin>:1:")
    assert run("check", input=b"<p/>") == (0, b"", b"")


# ── help and version ─────────────────────────────────────────────────────────


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_help_that_cannot_be_written(unbuffered: str, columns: str) -> None:
    """Whatever its length, which decides when it leaves the buffer."""
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered, "COLUMNS": columns}
    for words in (["--help"], ["--version"], ["links", "--help"], ["states", "-h"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*PROGRAM, *words],
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment,
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr == b"xmlfix: standard output: No space left on device\n"


def test_every_option_has_one_flag() -> None:
    """So that a hint at a flag is a hint at one option."""
    from xmlfix.cli import filter_parser

    flags = [flag for action in filter_parser().actions() for flag in action.option_strings]
    assert len(flags) == len(set(flags))
    assert len(flags) > len(OPTIONS)
