"""The reader passes the tokenizer conformance data, errors and their places included."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support import Collector, need_shared, read, shared

from xmlfix.decode import input_errors
from xmlfix.read.doctype import doctypeStart  # noqa: F401  # each room can be imported first
from xmlfix.read.rawtext import escapableText, plainText, rawText, scriptData
from xmlfix.read.reader import Reader
from xmlfix.read.special import cdata
from xmlfix.read.states import content

STATES = {
    "Data state": content,
    "PLAINTEXT state": plainText,
    "RCDATA state": escapableText,
    "RAWTEXT state": rawText,
    "Script data state": scriptData,
    "CDATA section state": cdata,
}
FILES = sorted((shared() or Path()).glob("html5lib-tests/tokenizer/*.test")) or [None]


def unescape(value: object) -> object:
    """Undo the double escaping of some cases."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda found: chr(int(found[1], 16)), value)
    if isinstance(value, list):
        return [unescape(item) for item in value]
    if isinstance(value, dict):
        return {unescape(key): unescape(item) for key, item in value.items()}
    return value


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1; the data counts columns in UTF-16 units."""
    start = text.rfind("\n", 0, offset) + 1
    column = len(text[start:offset].encode("utf-16-le", "surrogatepass")) // 2 + 1
    return text.count("\n", 0, offset) + 1, column


def run(case: dict, state: str, pieces: int) -> tuple[list, list]:
    """Tokens and errors of a case, read whole (0) or in pieces."""
    text = case["input"].replace("\r\n", "\n").replace("\r", "\n")
    errors: list[tuple[str, int]] = []
    sink = Collector()
    reader = Reader(sink, pi="comment", on_error=lambda code, at: errors.append((code, at)))
    reader.state = reader.home = STATES[state]
    if state == "CDATA section state":
        reader.home = content
    reader.raw_name = case.get("lastStartTag", "")
    read(reader, text, pieces)
    errors += [(code, at) for code, at, _ in input_errors(text)]
    assert sink.tokens.pop() == ["End"]
    return sink.tokens, sorted(
        (*place(text, at), code) for code, at in errors if not code.startswith("xmlfix-")
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name if path else "absent")
@pytest.mark.parametrize("pieces", [0, 1, 2, 3], ids=["whole", "by-1", "by-2", "by-3"])
def test_conformance(path: Path | None, pieces: int) -> None:
    need_shared()
    assert path is not None
    cases = json.loads(path.read_text(encoding="utf-8")).get("tests", [])
    count = 0
    for case in cases:
        if case.get("doubleEscaped"):
            case = {**case, **{key: unescape(case[key]) for key in ("input", "output")}}
        expected = sorted((e["line"], e["col"], e["code"]) for e in case.get("errors", []))
        for state in case.get("initialStates", ["Data state"]):
            tokens, errors = run(case, state, pieces)
            assert tokens == case["output"], (case["description"], state)
            assert errors == expected, (case["description"], state, case["input"])
            count += 1
    assert count or path.name == "xmlViolation.test"
