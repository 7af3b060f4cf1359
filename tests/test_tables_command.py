"""The command `xmlfix tables`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from xmlfix.errors import XmlfixError
from xmlfix.extract import tables_command
from xmlfix.output import CommandError

WILD = "<td rowspan=65534 colspan=1000>x"


def run(words: list[str], capsys: pytest.CaptureFixture[bytes]) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    status = tables_command.run_tables(words)
    out, err = capsys.readouterr()
    return status, out.decode("utf-8"), err.decode("utf-8")


HEADERS = str(ROOT / "samples" / "table-headers.html")
NESTED = str(ROOT / "samples" / "table-nested.html")
PLAIN = str(ROOT / "samples" / "table-plain.html")


def test_command_writes_csv(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, err = run([HEADERS], capsysbinary)
    assert (status, err) == (0, "")
    assert (
        out.splitlines()[0] == "Region,Crop,2024 / Spring,2024 / Autumn,2025 / Spring,2025 / Autumn"
    )
    assert out.splitlines()[-1] == 'All,All,"1.735,50","2.010,00","1.801,00","2.144,25"'


def test_command_parts_several_tables(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, _ = run(["--index", "1.1", "--index", "1.2", NESTED, PLAIN], capsysbinary)
    assert status == 0
    assert out.split("\r\n\r\n")[1].startswith("Harbour,Leaves\r\nOld Quay,07:00\r\n")
    _, out, _ = run(["--format", "json", NESTED], capsysbinary)
    assert [len(json.loads(line)) for line in out.splitlines()] == [2, 2, 2]


def test_command_lists(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, _ = run(["--list", NESTED], capsysbinary)
    assert status == 0
    assert out.splitlines() == [
        "1\t3x3\tLine | Harbours | Fare",
        "1.1\t2x3\tHarbour | Leaves",
        "1.2\t2x3\tHarbour | Leaves",
    ]
    _, out, _ = run(["--list", HEADERS, PLAIN], capsysbinary)
    assert out.splitlines() == [
        f"{HEADERS}\t1\t6x7\tHarvest in tonnes (estimates in italics)",
        f"{PLAIN}\t1\t3x5\tArticle | No. | Price",
    ]


def test_command_writes_a_file_a_table(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "out"
    words = ["-d", str(folder), "--format", "tsv", NESTED, PLAIN]
    assert run(words, capsysbinary) == (0, "", "")
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "table-nested-1.1.tsv", "table-nested-1.2.tsv", "table-nested-1.tsv", "table-plain-1.tsv",
    ]  # fmt: skip
    assert (folder / "table-nested-1.1.tsv").read_text("utf-8").startswith("Harbour\tLeaves\n")
    status, _, err = run(words, capsysbinary)
    assert status == 2
    assert err.count("it exists already (--force replaces it)") == 4
    assert run([*words, "--force"], capsysbinary) == (0, "", "")
    status, _, err = run(["-d", str(tmp_path / "o"), PLAIN, PLAIN], capsysbinary)
    assert status == 2
    assert "another input has become table-plain-1.csv already" in err


def test_command_writes_one_file(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    target = tmp_path / "all.csv"
    assert run(["-o", str(target), NESTED], capsysbinary) == (0, "", "")
    _, out, _ = run([NESTED], capsysbinary)
    assert target.read_bytes().decode("utf-8") == out


def test_command_finds_nothing(capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    status, out, err = run(["--index", "7", NESTED], capsysbinary)
    assert (status, out) == (1, "")
    assert err == f"xmlfix: {NESTED}: no such table\n"
    page = tmp_path / "page.html"
    page.write_text("<p>none")
    status, out, err = run([str(page), "-o", str(tmp_path / "o")], capsysbinary)
    assert (status, out, err) == (1, "", f"xmlfix: {page}: no table\n")
    assert not (tmp_path / "o").exists()


def test_command_goes_on_after_a_bad_input(
    capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    wild = tmp_path / "wild.html"
    wild.write_text("<table><tr>" + WILD)
    status, out, err = run([str(wild), str(tmp_path / "none.html"), PLAIN], capsysbinary)
    assert status == 2
    assert out.startswith("Article,No.,Price\r\n")
    assert err.splitlines() == [
        f"xmlfix: {wild}: the tables have more than 2000000 cells (--max-cells)",
        f"xmlfix: {tmp_path / 'none.html'}: No such file or directory",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--match", "("], "match takes a regular expression"),
        (["--css", "td["], "td["),
        (["--index", "x"], "index takes"),
        (["-o", "x", "-d", "y"], "exclude each other"),
        (["--force"], "--force is for -d DIR"),
        (["--list", "-d", "x"], "exclude each other"),
        (["--format", "json", "--guard-formulas"], "--guard-formulas is for csv and tsv"),
        (["--encoding", "nonsense"], "nonsense"),
    ],
)
def test_command_refuses(
    words: list[str], message: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    try:
        _, out, err = run([*words, PLAIN], capsysbinary)
    except XmlfixError as error:
        out, err = "", str(error)
    assert message in err
    assert "\n" not in err.strip()
    assert out == ""


def test_command_in_a_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "xmlfix", "tables", "--css", "td[", PLAIN],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode("utf-8").startswith("xmlfix: column 4: ")
    assert done.stderr.count(b"\n") == 1
    done = subprocess.run(
        [sys.executable, "-m", "xmlfix", "tables", "--format", "markdown"],
        input=Path(PLAIN).read_bytes(),
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout.startswith(b"| Article | No. | Price |\n| --- | --- | --- |\n")


def test_command_refuses_a_header_that_is_no_number(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    with pytest.raises(CommandError, match="--header needs a value"):
        run(["--header", "-1x", PLAIN], capsysbinary)


def test_nothing_steers_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert tables_command.shown("a\u009b1m\tb\r\n") == b"a\\u009b1m\tb\n"
