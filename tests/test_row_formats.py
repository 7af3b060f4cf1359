"""Rows as CSV, TSV, JSON and JSON Lines, and the guard against formulas."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Case, cases

from xmlfix.extract.row_formats import FORMATS, RowWriter, guarded, written

VALUES = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=8)
NAMES = ["a", "b,", 'c"']
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES).map(list), max_size=5)


def read_back(form: str, written: str) -> list[list[str]]:
    """The values of the rows by an independent reader."""
    if form == "json":
        return [list(record.values()) for record in json.loads(written)]
    if form == "jsonl":
        lines = written.split("\n")
        assert lines.pop() == ""
        return [list(json.loads(line).values()) for line in lines]
    dialect: dict[str, Any] = {"delimiter": "\t"} if form == "tsv" else {"strict": True}
    head, *rows = csv.reader(io.StringIO(written, newline=""), **dialect)
    assert head == NAMES
    return rows


FORMATS_CASES = cases("records/formats.txt")


@pytest.mark.parametrize("case", FORMATS_CASES, ids=[case.title for case in FORMATS_CASES])
def test_field(case: Case) -> None:
    ours = [written(form, ["x", "y"], [[case.given, "z"]]) for form in ("csv", "tsv", "jsonl")]
    as_csv, as_tsv, as_json = case.expected
    assert ours == [
        f"x,y\r\n{as_csv},z\r\n",
        f"x\ty\n{as_tsv}\tz\n",
        f'{{"x": {as_json}, "y": "z"}}\n',
    ]


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60)
@given(rows=ROWS)
def test_rows_are_read_back(form: str, rows: list[list[str]]) -> None:
    whole = written(form, NAMES, rows)
    assert read_back(form, whole) == rows
    writer = RowWriter(form, NAMES)
    pieces = [writer.head(), *[writer.rows([row]) for row in rows], writer.end()]
    assert "".join(pieces) == whole


@pytest.mark.parametrize(
    ("form", "expected"),
    [("csv", 'x\r\n""\r\n'), ("tsv", "x\n\n"), ("json", '[\n {"x": ""}\n]\n')],
)
def test_one_empty_value(form: str, expected: str) -> None:
    assert written(form, ["x"], [[""]]) == expected


@pytest.mark.parametrize(
    ("form", "expected"), [("csv", "x\r\n"), ("tsv", "x\n"), ("json", "[]\n"), ("jsonl", "")]
)
def test_no_rows(form: str, expected: str) -> None:
    assert written(form, ["x"], []) == expected


FORMULAS_CASES = cases("records/formulas.txt")


@pytest.mark.parametrize("case", FORMULAS_CASES, ids=[case.title for case in FORMULAS_CASES])
def test_guard(case: Case) -> None:
    assert [guarded(case.given)] == case.expected


@pytest.mark.parametrize("form", FORMATS)
def test_guard_is_for_spreadsheets(form: str) -> None:
    given, expected = "=1", "'=1" if form in ("csv", "tsv") else "=1"
    lines = written(form, ["@a"], [[given]], guard=True)
    assert expected in lines
    assert ("'@a" in lines) == (form in ("csv", "tsv"))
    assert "'" not in written(form, ["@a"], [[given]])


def test_a_writer_refuses_what_would_shift() -> None:
    with pytest.raises(ValueError, match="2 values for 1 columns"):
        written("csv", ["a"], [["b", "c"]])
    with pytest.raises(ValueError, match="same name"):
        written("csv", ["a", "a"], [])
    with pytest.raises(ValueError, match="form takes 'csv' or"):
        written("xls", ["a"], [])
