"""The outline, and `xmlfix outline`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import ROOT, Case, cases, pages

import xmlfix
from xmlfix.cli import main
from xmlfix.extract.outline import Line, css_name, label, like_children, outline, quoted
from xmlfix.extract.query import select

PROGRAM = [sys.executable, "-m", "xmlfix", "outline"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80"}
CASES = cases("records/outline.txt")


def run(*words: str, input: bytes = b"", **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `xmlfix outline` with these words."""
    settings = {"capture_output": True, "check": False, "env": ENVIRONMENT, **settings}
    return subprocess.run([*PROGRAM, *words], input=input, **settings)


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_outline(case: Case) -> None:
    body = xmlfix.fromstring(f"<body>{case.given}").find("body")
    assert body is not None
    first, *lines = outline(body, **case.options)
    assert str(first) == "body"
    expected = [line.replace("> ", "  ") for line in case.expected]
    assert [str(line).removeprefix("  ") for line in lines] == expected


@pytest.mark.parametrize("xhtml", [False, True])
def test_names_are_local(xhtml: bool) -> None:
    root = xmlfix.fromstring("<svg><path/></svg>", xhtml=xhtml)
    assert [str(line).strip() for line in outline(root)] == "html head body svg path".split()


PAGES = list(pages())[::30]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:24])
def test_every_element_is_in_one_group(page: Path) -> None:
    root = xmlfix.fromstring(page.read_bytes())
    waiting, seen, groups = [[root]], set(), 0
    while waiting:
        group = waiting.pop()
        groups += 1
        assert seen.isdisjoint(group)
        seen.update(group)
        waiting.extend([members for members, _, _ in like_children(group, ())])
    assert seen == set(root.iter("*"))
    assert groups == len(list(outline(root)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name[:24])
def test_labels_are_selectors(page: Path) -> None:
    root = xmlfix.fromstring(page.read_bytes())
    for element in list(root.iter("*"))[:400:5]:
        assert element in select(root, label([element], ["href", "style", "title"]))


NAMES = [
    "a",
    "-",
    "--",
    "-a",
    "1",
    "-1",
    "a:b",
    "é",
    "a b",
    '"',
    "\\",
    "_",
    "a\nb",
    "\U0001f600",
    "0x",
]


@pytest.mark.parametrize("name", [name for name in NAMES if " " not in name and "\n" not in name])
def test_names_are_escaped(name: str) -> None:
    root = etree.Element("r")
    element = etree.SubElement(root, "p", attrib={"class": f"{name} other", "id": name})
    etree.SubElement(root, "p", attrib={"class": f"{name}x", "id": f"{name}x"})
    assert select(root, f"p.{css_name(name)}") == [element]
    assert select(root, f"p#{css_name(name)}") == [element]


@pytest.mark.parametrize("value", [*NAMES, "]", "'", 'a"]b', "\t", "a\r\n"])
def test_values_are_quoted(value: str) -> None:
    root = etree.Element("r")
    element = etree.SubElement(root, "p", title=value)
    etree.SubElement(root, "p", title=f"{value}x")
    assert select(root, f"p[title={quoted(value)}]") == [element]


def test_deep_and_wide_pages() -> None:
    deep = xmlfix.fromstring("<div>" * 3_000, max_depth=2_000)
    assert max(line.depth for line in outline(deep, samples=True)) == 1_999
    wide = xmlfix.fromstring("<ul>" + "<li><b>a</b>" * 20_000)
    assert str(list(outline(wide))[-2]).strip() == "li ×20000"


def test_line_is_data() -> None:
    lines = list(outline(etree.fromstring("<a><b>x</b><b/></a>"), samples=True))
    assert lines == [Line(0, "a", 1, 1, ""), Line(1, "b", 2, 2, "x")]


# ── the command ──────────────────────────────────────────────────────────────


def test_sample() -> None:
    done = run("samples/trading-report.html", cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[:2] == ["html", "  head"]
    assert "          tr:has-n-children(11) ×4" in lines
    assert "          tr:has-n-children(13) ×4" in lines


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        ("", 0, "html|  head|  body|    ul#l|      li ×2"),
        ("--depth 2", 0, "html|  head|  body"),
        ("--from ul --text", 0, "ul#l|  li ×2 'a'"),
        ("--from //li", 0, "li|li"),
        ("--from li --attribute class,title", 0, 'li[title="t"]|li'),
        ("--from dd", 1, ""),
        ("--repair stack --root page", 0, "ul#l|  li ×2"),
        ("--fragment=div", 0, "div|  ul#l|    li ×2"),
    ],
)
def test_command(words: str, status: int, expected: str) -> None:
    done = run(*words.split(), input=b"<ul id=l><li title=t>a<li>b</ul>")
    assert (done.returncode, done.stderr) == (status, b"")
    assert done.stdout.decode().splitlines() == [line for line in expected.split("|") if line]


def test_several_inputs(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    (tmp_path / "b.html").write_text("<p><p>")
    done = run("--from", "p", "a.html", "absent.html", "b.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"a.html:\np\nb.html:\np\np\n")
    assert done.stderr == b"xmlfix: absent.html: No such file or directory\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--from p[", "xmlfix: column "),
        ("--from p::text", "xmlfix: rows must be elements"),
    ],
)
def test_one_line_complaints(
    words: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    monkeypatch.chdir(tmp_path)
    assert main(["outline", *words.split(), "a.html"]) == 2
    out, told = capsysbinary.readouterr()
    (line,) = told.decode().splitlines()
    assert out == b""
    assert line.startswith(message)


def test_the_terminal_is_not_steered() -> None:
    done = run("--from", "p", "--text", input="<p id='a\u202e'>\u009b31m".encode())
    assert done.stdout.decode() == "p#a\\u202e '\\x9b31m'\n"
