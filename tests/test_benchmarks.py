"""The benchmark and the profile command run, and the JSON has what it promises."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

LARGE = 120_000  # characters; memory is measured on large pages only
ROUNDS = 3


def command(*arguments: str) -> str:
    """What `python -m benchmarks` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four samples, and a large page."""
    folder = tmp_path_factory.mktemp("pages")
    samples = sorted((ROOT / "samples").glob("*.html"))[:4]
    for sample in samples:
        shutil.copy(sample, folder)
    text = samples[0].read_text(encoding="utf-8")
    (folder / "large.html").write_text(text * (LARGE // len(text) + 1), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(pages: Path) -> tuple[dict[str, Any], str]:
    """The JSON and the text of one run with a few contenders and families."""
    target = pages / "found.json"
    text = command(
        "--quick",
        *("--pages", str(pages)),
        *("--rounds", str(ROUNDS)),
        *("--only", "xmlfix cold", "--only", "html5lib etree", "--only", "html5-parser"),
        *("--families", "2"),
        *("--json", str(target)),
    )
    return json.loads(target.read_text(encoding="utf-8")), text


def rows(run: tuple[dict[str, Any], str]) -> dict[str, dict[str, Any]]:
    """The contenders by name."""
    return {row["name"]: row for row in run[0]["rows"]}


def test_says_on_what_it_rests(run: tuple[dict[str, Any], str]) -> None:
    found, text = run
    assert found["pages"] == found["pages_there"] == 5
    assert found["rounds"] == ROUNDS
    assert "pages: all 5" in text
    assert f"rounds: {ROUNDS}" in text
    assert str(ROOT) not in text + json.dumps(found)


def test_reference_is_always_there(run: tuple[dict[str, Any], str]) -> None:
    assert list(rows(run)) == ["xmlfix cold", "lxml.html", "html5-parser", "html5lib etree"]
    assert rows(run)["lxml.html"]["text"]["ratio"] == 1


def test_speed(run: tuple[dict[str, Any], str]) -> None:
    for way in ("text", "tree"):
        speed = rows(run)["xmlfix cold"][way]
        assert speed["pages"] == 5
        assert len(speed["seconds"]) == ROUNDS
        assert speed["megabytes"] > 0
        assert speed["lowest"] <= speed["ratio"] <= speed["highest"]
        assert speed["subject"] == 1
        assert len(speed["by_page"]) == 5
    assert rows(run)["html5lib etree"]["tree"] is None


def test_absent_contender_has_a_reason(run: tuple[dict[str, Any], str]) -> None:
    for row in rows(run).values():
        assert row["absent"] or row["text"]["megabytes"] > 0


def test_own_outputs_are_well_formed(run: tuple[dict[str, Any], str]) -> None:
    row = rows(run)["xmlfix cold"]
    assert row["well_formed"] == 1
    assert row["trial"]["failed_text"] == row["trial"]["failed_tree"] == {}


def test_memory_of_the_large_page(run: tuple[dict[str, Any], str]) -> None:
    row = rows(run)["xmlfix cold"]
    assert list(row["memory"]["text"]) == list(row["memory"]["tree"]) == ["large.html"]
    assert 0 < row["large"]["large.html"] < 100


def test_growth(run: tuple[dict[str, Any], str]) -> None:
    found, text = run
    whole = [growth for growth in found["growth"] if growth["way"] == "whole"]
    assert len(whole) == 2
    for growth in whole:
        assert growth["refused"] or len(growth["seconds"]) == 2
    assert f"growth, whole: 2 of {found['families_there']} hostile families" in text


def test_marks(run: tuple[dict[str, Any], str]) -> None:
    for mark in run[0]["marks"]:
        assert set(mark) == {"what", "wanted", "found", "at_most", "met"}
        assert (mark["found"] is None) == (mark["met"] is None)


def test_table(pages: Path) -> None:
    arguments = ["--quick", "--pages", str(pages), "--only", "xmlfix cold", "--part", "text"]
    lines = command(*arguments, "--table").splitlines()
    assert lines[0].startswith("| | HTML to XML, MB/s")
    assert [line.split()[1] for line in lines[2:4]] == ["**xmlfix", "lxml.html"]
    assert len({line.count("|") for line in lines[:4]}) == 1


def test_profile(pages: Path) -> None:
    text = command("profile", "--pages", str(pages), "--top", "3")
    assert text.startswith("5 of 5 pages")
    assert "repair/" in text
    assert "writer: " in text
