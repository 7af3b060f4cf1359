"""What several test modules share: the folder of test data, and token lists."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from xmlfix.read.reader import Reader
from xmlfix.read.tokens import Doctype, Tag

ROOT = Path(__file__).resolve().parent.parent


def shared() -> Path | None:
    """The folder with conformance data and pages, or None where there is none."""
    folder = Path(os.environ.get("XMLFIX_SHARED", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


def need_shared(*parts: str) -> Path:
    """A path in the shared folder; the test is skipped where the folder is absent."""
    folder = shared()
    if folder is None:
        pytest.skip("no shared test data here")
    return folder.joinpath(*parts)


def pages() -> Iterator[Path]:
    """The real pages, none where the folder is absent."""
    folder = shared()
    if folder is not None:
        yield from sorted(p for p in folder.joinpath("pages").iterdir() if p.suffix != ".tsv")


class Collector:
    """A sink that keeps tokens in the form of the tokenizer test data."""

    def __init__(self) -> None:
        self.tokens: list[list[object]] = []

    def start_tag(self, tag: Tag) -> None:
        token: list[object] = ["StartTag", tag.name, dict(tag.attrs)]
        self.tokens.append([*token, True] if tag.self_closing else token)

    def end_tag(self, name: str) -> None:
        self.tokens.append(["EndTag", name])

    def text(self, data: str) -> None:
        if self.tokens and self.tokens[-1][0] == "Character":
            data = str(self.tokens.pop()[1]) + data
        self.tokens.append(["Character", data])

    def comment(self, data: str) -> None:
        self.tokens.append(["Comment", data])

    def doctype(self, doctype: Doctype) -> None:
        self.tokens.append(
            [
                "DOCTYPE",
                doctype.name,
                doctype.public_id,
                doctype.system_id,
                not doctype.force_quirks,
            ]
        )

    def instruction(self, target: str, data: str) -> None:
        self.tokens.append(["Instruction", target, data])

    def end(self) -> None:
        self.tokens.append(["End"])


def read(reader: Reader, text: str, pieces: int) -> None:
    """Feed `text` whole (0) or in pieces of that many characters."""
    if pieces:
        for start in range(0, len(text), pieces):
            reader.feed(text[start : start + pieces], True)
        reader.feed("", False)
    else:
        reader.feed(text, False)
