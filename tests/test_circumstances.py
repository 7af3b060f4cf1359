"""The command where something around it is unusual: pipes, signals, memory, odd arguments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from test_command import (
    ENVIRONMENT,
    HEEDING,
    INTERRUPTIBLE,
    PROGRAM,
    complaint,
    needs_unix,
    run,
)

import xmlfix

XSL = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">{}</{}>'
STOPPED = """
import os, sys
from xmlfix import cli, output

write = output.write_temporary

def write_and_be_stopped(*arguments):
    temporary = write(*arguments)
    os.kill(os.getpid(), int(sys.argv[1]))
    return temporary

output.write_temporary = write_and_be_stopped
raise SystemExit(cli.main(sys.argv[2:]))
"""


def sheet(body: str) -> str:
    """A stylesheet."""
    return XSL.format(body, "xsl:stylesheet")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A file that is no XML."""
    path = tmp_path / "a.html"
    path.write_text("<p>a")
    return path


# ── pipes that are closed or full ────────────────────────────────────────────


@needs_unix
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["check", "a.html", "a.html"], 1),
        (["check", "a.html", "missing", "a.html"], 2),
        (["xpath", "//td", "missing", "big.html"], 2),
        (["xpath", "//td", "big.html"], 0),
        (["big.html"], 0),
        (["--version"], 0),
    ],
)
def test_nobody_reads_the_output(page: Path, words: list[str], status: int) -> None:
    (page.parent / "big.html").write_text("<table><tr><td>1</table>" * 20_000)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=page.parent,
        env=ENVIRONMENT,
        check=False,
    )
    os.close(writing)
    assert done.returncode == status
    assert done.stderr == (b"" if status < 2 else b"xmlfix: missing: No such file or directory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["--version"], ["--help"], ["a.html"], ["check", "a.html"]])
def test_no_room_for_the_output(page: Path, words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=page.parent,
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": ""},
            check=False,
        )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_help_in_ascii() -> None:
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for words in ([], ["outline"], ["extract"], ["tables"], ["xpath"], ["links"]):
        done = run(*words, "--help", env=environment)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii()


# ── signals ──────────────────────────────────────────────────────────────────


@needs_unix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("words", [["-o", "new.xml"], ["-d", "out"]])
@pytest.mark.parametrize("fails", ["", "raise OSError(28, 'full')"])
def test_nothing_is_left_behind(page: Path, words: list[str], name: str, fails: str) -> None:
    number = getattr(signal, name)
    program = (
        STOPPED.replace("return temporary", f"os.unlink(temporary); {fails}") if fails else STOPPED
    )
    done = subprocess.run(
        [sys.executable, "-c", HEEDING, "-c", program, str(int(number)), *words, "a.html"],
        cwd=page.parent,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == (130 if number == signal.SIGINT else -number)
    assert done.stderr == b""
    assert [path.name for path in page.parent.rglob("*") if path.is_file()] == ["a.html"]


@needs_unix
def test_a_query_can_be_interrupted(tmp_path: Path) -> None:
    big = tmp_path / "big.html"
    big.write_text("<table><tr><td>1</table>" * 20_000)
    query = "count(//*[count(//*[count(//*)>0])>0])"
    words = [*INTERRUPTIBLE, "xpath", "--timeout-query", "600", query, str(big)]
    process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE)
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(timeout=2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode in (-signal.SIGINT, 130)


# ── memory ───────────────────────────────────────────────────────────────────


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit that holds")
@pytest.mark.parametrize(
    ("kilobytes", "words"),
    [(150_000, ["xpath", "//p"]), (150_000, ["tables"]), (80_000, ["-o", "out.xml"])],
)
def test_not_enough_memory(page: Path, kilobytes: int, words: list[str]) -> None:
    big = page.parent / "big.html"
    big.write_text("<table><tr><td>1</table>" * 400_000)
    done = subprocess.run(
        ["sh", "-c", f'ulimit -v {kilobytes} && exec "$@"', "sh", *PROGRAM, *words, str(big)],
        capture_output=True,
        cwd=page.parent,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 2
    assert b"there is not enough memory" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert not (page.parent / "out.xml").exists()


# ── arguments ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["check"],
        ["links"],
        ["css", "a"],
        ["xpath", "//a"],
        ["xslt", "s.xsl"],
        ["extract", "--try", "a"],
        ["outline"],
        ["tables"],
    ],
    ids=" ".join,
)
def test_after_two_dashes_nothing_is_a_flag(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "-d.html").write_text("<a href=x>y</a>")
    (tmp_path / "s.xsl").write_text(sheet('<xsl:template match="/"><b/></xsl:template>'))
    command, *rest = words or [""]
    flags, places = rest[:-1], rest[-1:]
    if command == "extract":
        flags, places = rest, []
    done = run(*filter(None, [command]), *flags, "--", *places, "-d.html", cwd=tmp_path)
    assert done.returncode == (1 if command in ("check", "tables") else 0)
    assert b"error" not in done.stderr
    assert done.stdout or command == "tables"


@pytest.mark.parametrize(
    "words",
    [["-o"], ["--drop"], ["--repair"], ["--max-depth"], ["tables", "--index"]],
    ids=" ".join,
)
def test_two_dashes_are_no_value(page: Path, words: list[str]) -> None:
    done = run(*words, "--", "a.html", "b.html", cwd=page.parent)
    assert f"{words[-1]} needs a value" in complaint(done).replace("/--output", "")
    assert page.read_text() == "<p>a"


def test_a_command_that_does_not_exist(page: Path) -> None:
    message = complaint(run("chekc", str(page)))
    assert message == "xmlfix: chekc: no such command, and no such file; did you mean check?"


def test_the_source_cannot_go_to_standard_output(page: Path) -> None:
    assert "--save-source needs a file" in complaint(run("--save-source", "-", str(page)))


@needs_unix
def test_no_table_is_no_error(page: Path) -> None:
    """Also not where nobody reads what other inputs give."""
    (page.parent / "big.html").write_text("<table><tr><td>1</table>" * 20_000)
    words = [*PROGRAM, "tables", "a.html", "big.html"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        words, stdout=writing, stderr=subprocess.PIPE, cwd=page.parent, env=ENVIRONMENT, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"xmlfix: a.html: no table\n")


def test_an_expression_may_begin_with_a_dash(page: Path) -> None:
    assert run("xpath", "--", "-1", str(page)).stdout == b"-1\n"


def test_inputs_may_stand_between_flags(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.html"
    other.write_text("<table><tr><td>b</table>")
    done = run(str(page), "-d", "out", str(other), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.xml", "b.xml"]
    assert run("tables", str(page), "--list", str(other)).stdout.count(b"\n") == 1
    assert run("check", str(page), "--huge", str(other)).stdout.count(b"\n") == 2


@needs_unix
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["xpath", "//p", "--namespace", "x="], "needs a prefix and an address: x="),
        (["tables", "--br", "\udce9"], "which utf-8 cannot write"),
        (["xslt", "-"], "standard input can be read only once"),
        (["check", "-", "-"], "standard input can be read only once"),
        (["-o", "folder/"], "folder/: it does not name a file"),
        (["--scripting", "--repair", "stack"], "--scripting needs --repair browser, not 'stack'"),
        (["tables", "--index", "x"], "--index takes a number"),
        (["--max-input", "2"], "(--max-input)"),
        (["extract", "--rows", "p", "--columns", "control.csv"], "control.csv:2: Data is not"),
        (["extract", "--rows", "p", "--columns", "surrogate.json"], "a lone surrogate"),
        (["extract", "--rows", "p", "--columns", "twice.json"], "a second 'Name' in one object"),
    ],
)
def test_mistakes(tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "control.csv").write_text("Name,Selector,Data\na,.,\1\n")
    (tmp_path / "surrogate.json").write_text(r'[{"Name":"\ud800","Selector":"p"}]')
    (tmp_path / "twice.json").write_text('[{"Name":"a","Name":"b","Selector":"p"}]')
    done = run(*words, input=b"<table><tr><td>a<br>b</table>", cwd=tmp_path)
    assert message in complaint(done)


@needs_unix
def test_a_name_that_is_not_utf_8_in_json(page: Path) -> None:
    other = os.fsencode(page.parent) + b"/caf\xe9.html"
    with open(other, "wb") as file:
        file.write(b"<p>b")
    columns = page.parent / "c.csv"
    columns.write_text("Name,Selector\nx,.\n")
    words = ["extract", "--rows", "p", "--columns", str(columns), "--format", "json"]
    done = run(*words, str(page), os.fsdecode(other))
    assert [row["x"] for row in json.loads(done.stdout)] == ["a", "b"]


def test_the_output_may_be_a_dash(page: Path) -> None:
    assert run("-o", "-", str(page), cwd=page.parent).stdout.endswith(b"</html>\n")
    assert sorted(path.name for path in page.parent.iterdir()) == ["a.html"]


@needs_unix
def test_what_was_private_stays_private(page: Path) -> None:
    """Also while it is written: only its owner may read the temporary file."""
    target = page.parent / "x.xml"
    target.touch(0o600)
    watched = STOPPED.replace("os.kill(os.getpid(), int(sys.argv[1]))", SHOW_MODE)
    words = [sys.executable, "-c", watched, "0", "-o", str(target), str(page)]
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, check=False)
    assert done.stdout == b"0o600\n"
    assert target.stat().st_mode & 0o777 == 0o600


SHOW_MODE = "print(oct(os.stat(temporary).st_mode & 0o777), flush=True)"


def test_a_list_of_tables_has_a_line_for_each(tmp_path: Path) -> None:
    path = tmp_path / "a\tb.html"
    path.write_text("<table><tr><td>1</table>")
    done = run("tables", "--list", "a\tb.html", "a\tb.html", cwd=tmp_path)
    assert done.stdout == b"a\\u0009b.html\t1\t1x1\t1\n" * 2


# ── stylesheets ──────────────────────────────────────────────────────────────

STYLESHEETS = [
    (
        '<xsl:template match="/">\n<xsl:foo/></xsl:template>',
        "s.xsl: line 2: XSLT 1.0 has no xsl:foo",
    ),
    ('<xsl:output encoding=""/>', "s.xsl: line 1: no encoding that can be written: "),
    ('<xsl:output encoding="unicode"/>', "no encoding that can be written: unicode"),
    ('<xsl:output encoding="klingon"/>', "s.xsl: line 1: no encoding that can be written: klingon"),
    (
        '\n<xsl:template match="/">\n<xsl:value-of select="//li["/></xsl:template>',
        "line 3: xsl:value-of : could not compile select expression '//li['",
    ),
    ('<xsl:include href="bad.xml"/>', "bad.xml:1: Opening and ending tag mismatch"),
    (
        '<xsl:template match="/"><xsl:value-of select="document(\'bad.xml\')"/></xsl:template>',
        "bad.xml:1: Opening and ending tag mismatch",
    ),
]


@pytest.mark.parametrize(("body", "message"), STYLESHEETS)
def test_a_stylesheet_that_cannot_be_used(page: Path, body: str, message: str) -> None:
    (page.parent / "s.xsl").write_text(sheet(body))
    (page.parent / "bad.xml").write_text("<a><b></a>")
    assert message in complaint(run("xslt", "--read-files", "s.xsl", "a.html", cwd=page.parent))


def test_an_instruction_with_a_fallback_can_be_used(page: Path) -> None:
    body = "<xsl:foo><xsl:fallback>x</xsl:fallback></xsl:foo>"
    path = page.parent / "s.xsl"
    path.write_text(sheet(f'<xsl:template match="/">{body}</xsl:template>'))
    assert run("xslt", str(path), str(page)).returncode == 0


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE", "utf-32"])
def test_a_result_of_two_bytes_a_character(page: Path, encoding: str) -> None:
    body = f'<xsl:output encoding="{encoding}"/><xsl:template match="/"><a>é</a></xsl:template>'
    path = page.parent / "s.xsl"
    path.write_text(sheet(body), encoding="utf-8")
    done = run("xslt", str(path), str(page))
    assert done.stdout.decode(encoding).lstrip("\ufeff").rstrip().endswith("<a>é</a>")
    assert xmlfix.check(done.stdout) or encoding != "UTF-16"
    assert run("xslt", str(path), str(page), str(page)).returncode == 2


DATA = """<d:data xmlns:d="u"><xsl:foo/></d:data>
<xsl:template match="/"><a xsl:version="2.0"><xsl:if test="false()"><xsl:foo/></xsl:if></a>
</xsl:template>"""


def test_what_is_data_or_for_later_versions_may_be_unknown(page: Path) -> None:
    path = page.parent / "s.xsl"
    path.write_text(sheet(DATA))
    done = run("xslt", str(path), str(page))
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_text_of_two_bytes_a_character(page: Path) -> None:
    body = (
        '<xsl:output method="text" encoding="UTF-16LE"/><xsl:template match="/">{}</xsl:template>'
    )
    path = page.parent / "s.xsl"
    path.write_text(sheet(body.format("\u4e2d\u6587")), encoding="utf-8")
    assert run("xslt", str(path), str(page)).stdout == "\u4e2d\u6587".encode("utf-16-le")
    assert run("xslt", str(path), str(page), str(page)).returncode == 2


# ── what is final leaves at once ─────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "meta"),
    [
        (["--encoding", "utf-8"], b""),
        (["--transport-encoding", "utf-8"], b""),
        ([], b"<meta charset=utf-8>"),
        ([], b"<META http-equiv=Content-Type content='text/html;charset=koi8-r'>"),
    ],
)
def test_a_slow_input(words: list[str], meta: bytes) -> None:
    """Where the encoding is certain, nothing waits for a <meta>."""
    with subprocess.Popen(
        [*PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"<html>" + meta + b"<body><p>a</p>")
        process.stdin.flush()
        seen = b""
        while not seen.endswith(b"<p>a</p>"):
            seen += process.stdout.read(1)
        process.stdin.write(b"<p>b")
        process.stdin.close()
        assert process.stdout.read() == b"<p>b</p></body></html>\n"
