"""Columns files and replace files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Case, cases

from xmlfix.errors import InputError
from xmlfix.extract.columns import Column, parse_columns, parse_replace, read_columns, read_replace

COLUMNS_CASES = cases("records/columns.txt")


@pytest.mark.parametrize("case", COLUMNS_CASES, ids=[case.title for case in COLUMNS_CASES])
def test_no_columns_file(case: Case) -> None:
    source = case.given.replace("|", "\n") * case.options.get("repeat", 1)
    with pytest.raises(InputError) as raised:
        parse_columns(source, f"F.{case.options['extension']}")
    assert str(raised.value).replace(f"F.{case.options['extension']}", "F") == case.expected[0]


COLUMNS = [("Time", "td:nth-child(1)", ""), ("Both", "td, th", ""), ("Link", "a", "href")]
COLUMNS_FILES = {
    "a.csv": 'Name,Selector,Data\nTime,td:nth-child(1),\n\nBoth,"td, th"\nLink,a,href\n',
    "bom.csv": "\ufeffname, selector ,DATA\r\nTime,td:nth-child(1),\r\n"
    'Both,"td, th",\r\nLink,a,href',
    "mac.CSV": 'Name,Selector,Data\rTime,td:nth-child(1),\r,,\rBoth," td, th ",\rLink,a,href\r',
    "a.json": '[{"Name": "Time", "Selector": "td:nth-child(1)"},\n{"Name": "Both",'
    ' "Selector": "td, th", "Data": ""},\n{"name":"Link","selector":"a","data":"href"}]\n',
    "a.toml": '[[columns]]\nName = "Time"\nSelector = "td:nth-child(1)"\n[[columns]]\n'
    'Name = "Both"\nSelector = "td, th"\n[[columns]]\nname = "Link"\nselector = "a"\n'
    'data = "href"\n',
    "inline.toml": 'columns = [{Name = "Time", Selector = "td:nth-child(1)"}, {Name = "Both",'
    ' Selector = "td, th"}, {Name = "Link", Selector = "a", Data = "href"}]\n',
}


@pytest.mark.parametrize("name", COLUMNS_FILES)
def test_columns_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(COLUMNS_FILES[name].encode())
    assert [column[:3] for column in read_columns(path)] == COLUMNS


def test_two_fields_are_a_header_too() -> None:
    assert parse_columns("Name,Selector\na,td\n", "F.csv") == [Column("a", "td", "", "F.csv:2")]


@pytest.mark.parametrize(
    ("name", "lines"),
    [("a.csv", [2, 4, 5]), ("bom.csv", [2, 3, 4]), ("a.json", [1, 2, 3]), ("a.toml", [1, 4, 7])],
)
def test_columns_know_their_line(name: str, lines: list[int]) -> None:
    columns = parse_columns(COLUMNS_FILES[name].removeprefix("\ufeff"), name)
    assert [column.place for column in columns] == [f"{name}:{line}" for line in lines]


def test_columns_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b"Name,Selector,Data\na,td,\nb\xe9,td,\n")
    with pytest.raises(InputError, match=r"c\.csv:3: not UTF-8$"):
        read_columns(path)


SIGNS = st.sampled_from("{}[]\",:=\n\r\t columnsNameSelectorData1'#\\.\0é")


@pytest.mark.parametrize("extension", ["csv", "json", "toml"])
@settings(max_examples=100)
@given(
    source=st.text(st.sampled_from("{}[]\",:=\n\r\t columnsNameSelectorData1'#\\.\0é"), max_size=60)
)
def test_any_text_is_a_file_or_refused(extension: str, source: str) -> None:
    for parse in (parse_columns, parse_replace):
        try:
            parse(source, f"F.{extension}")
        except InputError as error:
            assert str(error).startswith(f"F.{extension}:")  # noqa: PT017


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("F.json", '[{"Name": 1%s}]'),
        ("F.toml", "[[columns]]\nName = 1%s"),
    ],
)
def test_a_number_of_thousands_of_digits(name: str, source: str) -> None:
    for parse in (parse_columns, parse_replace):
        with pytest.raises(InputError, match=r"^F\.\w+:[\d:]* .*(digits|array|not a string)"):
            parse(source % ("0" * 5_000), name)


REPLACE_FILES = {
    "a.csv": "Value,Replacement\nJapan,JPY\n\nUnited States,USD\nnone,\n",
    "a.json": '{"Japan": "JPY", "United States": "USD", "none": ""}',
    "a.toml": 'Japan = "JPY"\n"United States" = "USD"\nnone = ""\n',
}


@pytest.mark.parametrize("name", REPLACE_FILES)
def test_replace_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(REPLACE_FILES[name])
    assert read_replace(path) == {"Japan": "JPY", "United States": "USD", "none": ""}


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        ("a.csv", "", "a.csv: it is empty, the header Value,Replacement is missing"),
        ("a.csv", "From,To\na,b\n", "a.csv:1: the header is Value,Replacement, not From,To"),
        ("a.csv", "Value,Replacement\na,b\na,c\n", "a.csv:3: a second replacement of 'a'"),
        ("a.csv", "Value,Replacement\na\n", "a.csv:2: no Replacement"),
        ("a.json", '{"a": "b",\n"a": "c"}', "a.json: a second replacement of 'a'"),
        ("a.json", '{"a":\n}', "a.json:2: Expecting value"),
        ("a.json", "[" * 100_000, "a.json: nested too deep"),
        ("a.json", '["a"]', "a.json: not a JSON object of strings"),
        ("a.json", '{"a": 1}', "a.json: the replacement of 'a' is not a string"),
        ("a.toml", "a = 1", "a.toml: the replacement of 'a' is not a string"),
        ("a.toml", 'a = "b"\na = "c"', "a.toml:2: Cannot overwrite a value"),
    ],
)
def test_no_replace_file(name: str, source: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_replace(source, name)
    assert str(raised.value) == message
