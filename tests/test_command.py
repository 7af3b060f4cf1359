"""The command, run as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import ROOT

import xmlfix
from xmlfix.cli import filter_parser, usual_values
from xmlfix.options import OPTIONS

PROGRAM = [sys.executable, "-m", "xmlfix"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80"}
# Started in the background by a shell, this process may ignore signals, and so would the command.
HEEDING = (
    "import os, signal, sys\n"
    "for name in ('SIGINT', 'SIGTERM', 'SIGHUP'):\n"
    "    signal.signal(getattr(signal, name), signal.SIG_DFL)\n"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
INTERRUPTIBLE = [sys.executable, "-c", HEEDING, "-m", "xmlfix"]
HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

needs_unix = pytest.mark.skipif(os.name != "posix", reason="needs a Unix system")


def run(*words: str, input: bytes = b"", **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `xmlfix` with these words."""
    settings = {"capture_output": True, "check": False, "env": ENVIRONMENT, **settings}
    return subprocess.run([*PROGRAM, *words], input=input, **settings)


def stack(*words: str, input: bytes = b"", **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `xmlfix` with the stack repair, and expect no complaint."""
    done = run("--repair", "stack", *words, input=input, **settings)
    assert (done.returncode, done.stderr) == (0, b"")
    return done


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line that a run that must fail with status 2 says."""
    assert done.returncode == 2
    assert done.stdout == b""
    [line] = done.stderr.decode().splitlines()
    assert line.startswith("xmlfix: ")
    return line


# ── input and output ─────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [[], ["-"]])
def test_standard_input(words: list[str]) -> None:
    assert stack(*words, input="<p>é<br>".encode()).stdout == HEAD + "<p>é<br/></p>\n".encode()


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "page é.html"
    path.write_bytes(b"<p>a")
    assert stack(str(path)).stdout == HEAD + b"<p>a</p>\n"


@pytest.mark.parametrize("name", ["check", "states"])
def test_file_named_like_a_command(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"<p>a")
    assert stack(f"./{name}", cwd=tmp_path).stdout == HEAD + b"<p>a</p>\n"
    assert stack("--", name, cwd=tmp_path).stdout == HEAD + b"<p>a</p>\n"


@pytest.mark.parametrize("data", [b"\0\xff\xfe\x80", bytes(range(256)), b"<\0!\0-\0"])
def test_odd_input(data: bytes) -> None:
    assert etree.fromstring(stack(input=data).stdout).tag == "root"


def test_empty_input() -> None:
    assert stack().stdout == HEAD + b"<root></root>\n"


def test_nine_megabytes_of_brackets() -> None:
    xml = stack(input=b"<" * 9_000_000).stdout
    assert xml == HEAD + b"<root>" + b"&lt;" * 9_000_000 + b"</root>\n"


def test_output_file(tmp_path: Path) -> None:
    target = tmp_path / "a.xml"
    assert stack("-o", str(target), input=b"<p>a").stdout == b""
    assert target.read_bytes() == HEAD + b"<p>a</p>\n"
    assert os.listdir(tmp_path) == ["a.xml"]


def test_output_file_may_be_the_input(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<p>a")
    stack(str(path), "--output", str(path))
    assert path.read_bytes() == HEAD + b"<p>a</p>\n"


@needs_unix
def test_output_file_keeps_its_mode(tmp_path: Path) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    old.write_bytes(b"before")
    old.chmod(0o604)
    for target in (old, new):
        stack("-o", str(target), input=b"<p>a", umask=0o027)
    assert stat.S_IMODE(old.stat().st_mode) == 0o604
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


@needs_unix
def test_output_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.xml", tmp_path / "link.xml"
    target.write_bytes(b"before")
    link.symlink_to(target)
    stack("-o", str(link), input=b"<p>a")
    assert link.is_symlink()
    assert target.read_bytes() == HEAD + b"<p>a</p>\n"
    assert os.listdir(tmp_path / "real") == ["a.xml"]


@needs_unix
def test_output_to_a_device() -> None:
    assert stack("-o", "/dev/stdout", input=b"<p>a").stdout == HEAD + b"<p>a</p>\n"
    assert stack("-o", "/dev/null", input=b"<p>a").stdout == b""
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_output_file_is_left_alone_on_failure(tmp_path: Path) -> None:
    target = tmp_path / "a.xml"
    target.write_bytes(b"before")
    complaint(run("--root", "a b", "-o", str(target), input=b"x"))
    complaint(run("-o", str(target), str(tmp_path / "absent.html")))
    assert target.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["a.xml"]


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent" / "a.xml")
    assert (
        complaint(run("-o", absent, input=b"x")) == f"xmlfix: {absent}: No such file or directory"
    )
    assert complaint(run("-o", str(tmp_path), input=b"x")) == f"xmlfix: {tmp_path}: Is a directory"


def test_output_encoding() -> None:
    done = stack("--output-encoding", "ascii", input="<p>é".encode())
    assert done.stdout.endswith(b"\n<p>&#233;</p>\n")
    done = stack("--output-encoding", "utf-16", input="<p>é".encode())
    assert etree.fromstring(done.stdout).text == "é"


def test_without_declaration() -> None:
    assert stack("--no-xml-declaration", input=b"<p>a").stdout == b"<p>a</p>\n"


def test_options_reach_the_call() -> None:
    done = stack(
        *("--drop", "b, i", "--drop", "u", "--nbsp", "space", "--bare-attribute", "name"),
        *("--doctype=keep", "--pi", "comment", "--prefixes", "escape", "--max-depth", "9"),
        *("--root", "r", "--input", "html", "--encoding", "latin-1", "--no-xml-declaration"),
        input=b"<!DOCTYPE html><b>1</b><i>2</i><u>3</u><a:b c>\xe9&nbsp;</a:b>4<?d e?>",
    )
    expected = '<!DOCTYPE html><r><aU00003Ab c="c">é </aU00003Ab>4<!--?d e?--></r>\n'
    assert done.stdout.decode() == expected


# ── complaints ───────────────────────────────────────────────────────────────


def test_unreadable_files(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent.html")
    assert complaint(run(absent)) == f"xmlfix: {absent}: No such file or directory"
    assert complaint(run(str(tmp_path))) == f"xmlfix: {tmp_path}: Is a directory"


@needs_unix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads everything")
def test_forbidden_file(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"x")
    path.chmod(0)
    assert complaint(run(str(path))) == f"xmlfix: {path}: Permission denied"


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["--nope"], "--nope"),
        (["--rep", "stack"], "--rep"),
        (["a.html", "b.html"], "b.html"),
        (["--repair", "no"], "--repair"),
        (["--max-depth", "x"], "--max-depth"),
        (["--max-depth", "1"], "--max-depth"),
        (["--root", "a b"], "root"),
        (["--encoding", "klingon"], "klingon"),
        (["--output-encoding", "klingon"], "klingon"),
        (["-o"], "--output"),
        (["css"], "SELECTOR is missing"),
        (["check", "--nope", "x"], "--nope"),
        (["states", "x"], "x"),
    ],
)
def test_unusable_arguments(words: list[str], about: str) -> None:
    assert about in complaint(run(*words, input=b"x"))


@needs_unix
@pytest.mark.parametrize("redirection", ["<&-", ">&-", "> /dev/full"])
def test_unusable_streams(redirection: str) -> None:
    command = f'"$0" -m xmlfix --repair stack {redirection}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable],
        input=b"<p>a",
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 2
    assert done.stderr.startswith(b"xmlfix: ")


# ── closed pipes ─────────────────────────────────────────────────────────────


@needs_unix
@pytest.mark.parametrize("words", [["--repair", "stack"], ["states"]])
def test_reader_that_has_enough(words: list[str]) -> None:
    """As in `xmlfix … | head -c 10`, where head has ended before all is written."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    os.close(writing)
    os.close(reading)
    _, errors = process.communicate(b"<p>" + b"x" * 1_000_000)
    assert errors == b""
    assert process.returncode == 0


@needs_unix
def test_reader_of_the_report_that_has_enough(tmp_path: Path) -> None:
    """Whoever closes standard error still gets the document."""
    reading, writing = os.pipe()
    os.close(reading)
    target = tmp_path / "a.xml"
    done = subprocess.run(
        [*PROGRAM, "--repair", "stack", "--report", "-o", str(target)],
        input=b"<p class=a>x",
        stderr=writing,
        env=ENVIRONMENT,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert target.read_bytes() == HEAD + b'<p class="a">x</p>\n'


@needs_unix
def test_interruption() -> None:
    process = subprocess.Popen(
        [*INTERRUPTIBLE, "--repair", "stack"],  # which writes nothing before the end
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        text=False,
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * 200_000)  # more than a pipe holds: it is reading now
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == b""


# ── --report ─────────────────────────────────────────────────────────────────


def test_report(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<p class=a>\nx</b>")
    done = run("--repair", "stack", "--report", str(path))
    assert done.returncode == 0
    assert done.stdout == HEAD + b'<p class="a">\nx</p>\n'
    assert done.stderr.decode().splitlines() == [
        f"{path}:1:4: xmlfix-attribute-without-quotes: attribute value without quotes; quoted",
        f"{path}:2:2: xmlfix-end-tag-without-start: </b> closes no open element; dropped",
        f"{path}:2:6: xmlfix-missing-end-tag: <p> has no end tag here; closed",
    ]


def test_report_says_what_is_lossy() -> None:
    done = run(
        "--report", "--output-encoding", "ascii", input="<p a='1' a='2'>x<!--é--></p>".encode()
    )
    assert done.stderr.decode().splitlines() == [
        "<stdin>:1:11: duplicate-attribute: duplicate attribute; dropped (lossy)",
        "<stdin>:1:29: xmlfix-comment-not-in-encoding: <!--é--> has characters that the output"
        " encoding lacks; they are escaped (lossy)",
    ]


def test_report_of_standard_input_steers_no_terminal() -> None:
    done = run("--repair", "stack", "--report", input="<p></\x1b[31m></a\x1b\x07\u202e>".encode())
    assert b"\x1b" not in done.stderr
    assert b"\x07" not in done.stderr
    assert "\u202e" not in done.stderr.decode()
    lines = done.stderr.decode().splitlines()
    assert all(re.match(r"<stdin>:1:\d+: [a-z-]+: .+; .+", line) for line in lines)


# ── check, states, --help, --version ─────────────────────────────────────────


def test_check(tmp_path: Path) -> None:
    (tmp_path / "good.xml").write_bytes(b"<a/>")
    (tmp_path / "bad.xml").write_bytes(b"<a>\n<b></a>")
    (tmp_path / "worse.xml").write_bytes(b"")
    assert run("check", "good.xml", cwd=tmp_path).returncode == 0
    done = run("check", "good.xml", "bad.xml", "worse.xml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.decode().splitlines() == [
        "bad.xml:2:8: Opening and ending tag mismatch: b line 2 and a",
        "worse.xml:1:1: Document is empty",
    ]
    done = run("check", "absent.xml", "bad.xml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == "xmlfix: absent.xml: No such file or directory\n"
    assert done.stdout.startswith(b"bad.xml:2:8: ")


def test_check_standard_input() -> None:
    assert run("check", "-", input=b"<a/>").stdout == b""
    done = run("check", "-", input=b"<a>")
    assert done.returncode == 1
    assert done.stdout.startswith(b"<stdin>:1:4: ")


def test_check_huge() -> None:
    deep = b"<a>" * 300 + b"</a>" * 300
    assert run("check", "-", input=deep).returncode == 1
    assert run("check", "--huge", "-", input=deep).returncode == 0


@needs_unix
def test_check_of_a_file_with_an_odd_name(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[31m.xml"
    with open(path, "wb") as file:
        file.write(b"<a>")
    strict = {**ENVIRONMENT, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([*PROGRAM, "check", path], capture_output=True, env=strict, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\x1b" not in done.stdout


def test_states() -> None:
    from xmlfix.read.diagram import mermaid

    assert run("states").stdout.decode() == mermaid()


def test_version() -> None:
    done = run("--version")
    assert done.stdout.decode() == f"xmlfix {xmlfix.__version__}\n"


def test_help_lists_every_option() -> None:
    shown = run("--help").stdout.decode()
    flags = set(re.findall(r"(?<=[ ,\n])--[a-z-]+", shown))
    expected = {"--help", "--output", "--output-encoding", "--report", "--version", "--huge"}
    for option in OPTIONS:
        if option.kind != "call":
            word = option.word.replace("_", "-")
            expected.add(f"--no-{word}" if option.default is True else f"--{word}")
    assert expected - flags == {"--huge"}
    assert "--huge" in run("check", "--help").stdout.decode()
    assert run("states", "--help").returncode == 0


# ── a fast start ─────────────────────────────────────────────────────────────


USUAL_WORDS: list[list[str]] = [[], ["-"], ["a.html"], ["a.html", "b.html", "-"]]


@pytest.mark.parametrize("words", USUAL_WORDS, ids=" ".join)
def test_usual_arguments_need_no_parser(words: list[str]) -> None:
    assert usual_values(words) == vars(filter_parser().parse_args(words))


@pytest.mark.parametrize("words", [["-o", "x"], ["a.html", "--report"], ["--"]], ids=" ".join)
def test_other_arguments_do(words: list[str]) -> None:
    assert usual_values(words) is None


def test_the_usual_run_imports_little(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<!DOCTYPE html><title>a</title><p class=a>x &amp; y<table><tr><td>z")
    code = (
        "import sys; from xmlfix.cli import main;"
        f"main([{str(path)!r}]);"
        "print(sorted({'argparse', 'html.entities', 'lxml', 'xmlfix.repair.stack'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=ENVIRONMENT,
        check=True,
    )
    assert done.stdout.endswith(b"\n[]\n")


def test_the_filter_imports_no_lxml(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"<p class=a>x")
    code = (
        "import sys; from xmlfix.cli import main;"
        f"main(['--repair', 'stack', '--report', {str(path)!r}]);"
        "print(sorted(name for name in sys.modules if name.split('.')[0] == 'lxml'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=ENVIRONMENT, check=True
    )
    assert done.stdout.endswith(b"</p>\n[]\n")
