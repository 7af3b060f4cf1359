"""Columns files and replace files: CSV, TOML or JSON, by the file's extension."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from typing import NamedTuple

from xmlfix.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import Any, Final, TypeAlias

    Place: TypeAlias = str  # "FILE:LINE", or "FILE" where no line can be told
    Rows: TypeAlias = Iterator[tuple[Place, list[str]]]

COLUMN_KEYS: Final = ("Name", "Selector", "Data")
REPLACE_KEYS: Final = ("Value", "Replacement")

_ARRAY_OF_TABLES = re.compile(r"^[ \t]*\[\[[ \t]*columns[ \t]*\]\]", re.MULTILINE)
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_JSON_SPACE = re.compile(r"[ \t\n\r]*")


class Column(NamedTuple):
    """One column of the records.

    Attributes:
        name: what the column is called.
        selector: what is looked for within a row: CSS; XPath if it begins with `/`, `./` or
            `(`; `.` is the row itself.
        data: the attribute whose value is taken; "" takes the text.
        place: where it stands, for messages.
    """

    name: str
    selector: str
    data: str = ""
    place: str = ""


def read_columns(path: str | PathLike[str]) -> list[Column]:
    """Read a columns file.

    CSV has the header `Name,Selector,Data` and one column a line; Data may be absent. TOML has
    an array of tables `[[columns]]` with these keys, JSON an array of objects with them. The
    case of the keys does not matter.

    Args:
        path: ends in `.toml` or `.json` for these; any other file is CSV. UTF-8.

    Raises:
        OSError: the file cannot be read.
        InputError: it is no columns file; the message names the line.

    Source: RFC 4180; TOML 1.0; RFC 8259.
    """
    path = os.fspath(path)
    return parse_columns(read_text(path), path)


def parse_columns(text: str, name: str) -> list[Column]:
    """The columns of a columns file's text.

    Args:
        text: what the file holds.
        name: of the file; its extension tells the format.

    Raises:
        InputError: it is no columns file; the message names the line.

    >>> parse_columns("Name,Selector,Data\\nEvent,td.event,\\nLink,a,href\\n", "news.csv")[1]
    Column(name='Link', selector='a', data='href', place='news.csv:3')
    """
    columns: list[Column] = []
    seen: dict[str, Place] = {}
    extension = _extension(name)
    if extension == ".json":
        rows = _item_rows(_json_items(text, name), COLUMN_KEYS, 2)
    elif extension == ".toml":
        rows = _item_rows(_toml_items(text, name), COLUMN_KEYS, 2)
    else:
        rows = _csv_rows(text, name, COLUMN_KEYS, 2)
    for place, values in rows:
        title, selector, data = [_sound(value, place).strip() for value in values]
        column = Column(title, selector, data, place)
        if not column.name:
            raise InputError(f"{place}: the column has no Name")
        if not column.selector:
            raise InputError(f"{place}: the column {column.name!r} has no Selector")
        if not data.isprintable():
            raise InputError(f"{place}: Data is not the name of an attribute: {data!r}")
        if column.name in seen:
            raise InputError(
                f"{place}: a second column {column.name!r}, the first is {seen[column.name]}"
            )
        seen[column.name] = place
        columns.append(column)
    if not columns:
        raise InputError(f"{name}: no columns")
    return columns


def read_replace(path: str | PathLike[str]) -> dict[str, str]:
    """Read a replace file: which values become which.

    CSV has the header `Value,Replacement`; TOML and JSON have a table or object of strings.

    Args:
        path: ends in `.toml` or `.json` for these; any other file is CSV. UTF-8.

    Raises:
        OSError: the file cannot be read.
        InputError: it is no replace file; the message names the line.
    """
    path = os.fspath(path)
    return parse_replace(read_text(path), path)


def parse_replace(text: str, name: str) -> dict[str, str]:
    """The replacements of a replace file's text.

    Args:
        text: what the file holds.
        name: of the file; its extension tells the format.

    Raises:
        InputError: it is no replace file; the message names the line.

    >>> parse_replace("Value,Replacement\\nJapan,JPY\\n", "currencies.csv")
    {'Japan': 'JPY'}
    """
    extension = _extension(name)
    if extension in (".json", ".toml"):
        loaded = _load_json_object(text, name) if extension == ".json" else _load_toml(text, name)
        for value, replacement in loaded.items():
            if not isinstance(replacement, str):
                raise InputError(f"{name}: the replacement of {value!r} is not a string")
            _sound(replacement, name)
        return loaded
    replace: dict[str, str] = {}
    for place, (value, replacement) in _csv_rows(text, name, REPLACE_KEYS, 2):
        if value in replace:
            raise InputError(f"{place}: a second replacement of {value!r}")
        replace[value] = replacement
    return replace


def _sound(value: str, place: Place) -> str:
    """`value`, which has no lone surrogate: JSON can spell them, but no file holds them."""
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise InputError(f"{place}: a lone surrogate, which is no character: {value!r}")
    return value


def read_text(path: str) -> str:
    """The text of a file in UTF-8, without byte order mark.

    Raises:
        OSError: it cannot be read.
        InputError: it is in another encoding.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: not UTF-8") from None


# ── the formats ──────────────────────────────────────────────────────────────


def _extension(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _csv_rows(text: str, name: str, keys: tuple[str, ...], needed: int) -> Rows:
    """The records of CSV whose header has the first `needed` of `keys`, or all."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    while True:
        place = f"{name}:{reader.line_num + 1}"
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise InputError(f"{place}: {error}") from None
        if fields is None:
            break
        if not any(field.strip() for field in fields):
            continue
        if header is None:
            header = [field.strip().lower() for field in fields]
            if header not in [[key.lower() for key in keys[:n]] for n in (needed, len(keys))]:
                raise InputError(f"{place}: the header is {','.join(keys)}, not {','.join(fields)}")
            continue
        if len(fields) > len(header):
            raise InputError(
                f"{place}: {len(fields)} fields, the header has {len(header)}"
                " (what contains a comma goes in double quotes)"
            )
        if len(fields) < needed:
            raise InputError(f"{place}: no {keys[len(fields)]}")
        yield place, fields + [""] * (len(keys) - len(fields))
    if header is None:
        raise InputError(f"{name}: it is empty, the header {','.join(keys)} is missing")


def _item_rows(items: Iterator[tuple[Place, object]], keys: tuple[str, ...], needed: int) -> Rows:
    """The values of tables or objects."""
    words = {key.lower(): number for number, key in enumerate(keys)}
    for place, item in items:
        if not isinstance(item, dict):
            raise InputError(f"{place}: not a table with {', '.join(keys)}")
        values: list[str | None] = [None] * needed + [""] * (len(keys) - needed)
        for key, value in item.items():
            number = words.get(key.lower())
            if number is None:
                raise InputError(f"{place}: {key!r} is none of {', '.join(keys)}")
            if not isinstance(value, str):
                raise InputError(f"{place}: {keys[number]} is not a string")
            values[number] = value
        filled = [value for value in values if value is not None]
        if len(filled) < len(keys):
            raise InputError(f"{place}: no {keys[values.index(None)]}")
        yield place, filled


def _json_items(text: str, name: str) -> Iterator[tuple[Place, object]]:
    """The items of a JSON array, each with the line where it begins."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        loaded = dict(pairs)
        if len(loaded) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in loaded if keys.count(key) > 1)
            raise ValueError(f"a second {twice!r} in one object")
        return loaded

    decoder = json.JSONDecoder(object_pairs_hook=once)
    pos = 0

    def after_space(pos: int) -> int:
        found = _JSON_SPACE.match(text, pos)
        return found.end() if found else pos

    def failed(message: str, pos: int) -> InputError:
        return InputError(f"{name}:{_line(text, pos)}: {message}")

    pos = after_space(pos)
    if text[pos : pos + 1] != "[":
        raise failed("not a JSON array of columns", pos)
    pos = after_space(pos + 1)
    closed = text[pos : pos + 1] == "]"
    while not closed:
        try:
            item, end = decoder.raw_decode(text, pos)
        except json.JSONDecodeError as error:
            raise failed(error.msg, error.pos) from None
        except RecursionError:
            raise failed("nested too deep", pos) from None
        except ValueError as error:  # a number of thousands of digits
            raise failed(_first_clause(error), pos) from None
        yield f"{name}:{_line(text, pos)}", item
        pos = after_space(end)
        if text[pos : pos + 1] not in (",", "]"):
            raise failed("no comma or ] after the item", pos)
        closed = text[pos : pos + 1] == "]"
        if not closed:
            pos = after_space(pos + 1)
    pos = after_space(pos + 1)
    if pos < len(text):
        raise failed("something follows the array", pos)


def _load_json_object(text: str, name: str) -> dict[str, Any]:
    """A JSON object, without keys that occur twice.

    Raises:
        InputError: it is none.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        loaded: dict[str, Any] = {}
        for key, value in pairs:
            if key in loaded:
                raise InputError(f"{name}: a second replacement of {key!r}")
            loaded[key] = value
        return loaded

    try:
        loaded = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{error.lineno}: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deep") from None
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{name}: {_first_clause(error)}") from None
    if not isinstance(loaded, dict):
        raise InputError(f"{name}: not a JSON object of strings")
    return loaded


def _load_toml(text: str, name: str) -> dict[str, Any]:
    """A TOML document.

    Raises:
        InputError: it is none.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _TOML_PLACE.search(message)
        line = int(found[1]) if found and found[1] else _line(text, len(text))
        raise InputError(f"{name}:{line}: {_TOML_PLACE.sub('', message)}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deep") from None
    except ValueError as error:
        raise InputError(f"{name}: {_first_clause(error)}") from None


def _toml_items(text: str, name: str) -> Iterator[tuple[Place, object]]:
    """The items of the array `columns`, each with the line where its table begins."""
    loaded = _load_toml(text, name)
    for key in loaded:
        if key != "columns":
            raise InputError(f"{name}: {key!r} is unknown, a columns file has [[columns]] only")
    items = loaded.get("columns", [])
    if not isinstance(items, list):
        raise InputError(f"{name}: columns is not an array of tables, written [[columns]]")
    heads = [_line(text, found.start()) for found in _ARRAY_OF_TABLES.finditer(text)]
    for number, item in enumerate(items):
        # an array written inline has no heads, and a string may hold what looks like one
        told = len(heads) == len(items)
        yield (f"{name}:{heads[number]}" if told else f"{name}: column {number + 1}"), item


def _first_clause(error: ValueError) -> str:
    """What Python says about a number of thousands of digits, without its advice."""
    return str(error).partition(";")[0]


def _line(text: str, pos: int) -> int:
    """The line, from 1, of a position."""
    return text.count("\n", 0, pos) + 1
