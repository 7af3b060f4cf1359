"""The examples of README and docs are run: commands with their output, and calls."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from xmlfix.options import OPTIONS

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples(document: Path) -> list[tuple[str, str]]:
    """Each command of a document, with the output that it shows."""
    found = []
    for block in _BLOCK.findall(document.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                line, _, output = output.partition("\n")
                command = f"{command}\n{line}"
            found.append((command, output))
    return found


COMMANDS = [(path, *example) for path in DOCUMENTS for example in examples(path)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose `xmlfix` is this one."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "xmlfix"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m xmlfix "$@"\n')
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


@pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize(
    ("path", "command", "output"), COMMANDS, ids=lambda item: str(getattr(item, "name", item))[:60]
)
def test_command(path: Path, command: str, output: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    shown = (done.stdout + done.stderr).decode().replace("\r\n", "\n")
    assert shown == output


def test_there_are_examples() -> None:
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_calls(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    if "```pycon" in path.read_text(encoding="utf-8"):
        assert result.attempted


def test_readme_lists_every_dependency() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[(.*?)^\]", project, re.DOTALL | re.MULTILINE)
    assert block is not None
    for name in re.findall(r'^    "([a-z-]+)', block[1], re.MULTILINE):
        assert f"| {name} |" in readme


def test_every_choice_is_explained() -> None:
    for option in OPTIONS:
        if option.word == "repair":
            assert all(f"{choice}:" in option.meaning for choice in option.choices)
