"""What several test modules share: test data, token lists, and how to judge the output."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.parsers import expat

import pytest
from lxml import etree

from xmlfix.elements import RAW_TEXT
from xmlfix.read.reader import Reader
from xmlfix.read.tokens import Doctype, Tag

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"

REPAIRS: Final = ("browser", "stack", "xml")  # what the shared properties are asked of


class Done(NamedTuple):
    """What a run of the command has done."""

    status: int
    out: bytes
    errors: list[str]


Run = Callable[..., Done]


def complaint(done: Done) -> str:
    """The one line that a run with status 2 and no output says."""
    assert (done.status, done.out, len(done.errors)) == (2, b"", 1), done
    return done.errors[0]


def fresh_seed() -> int:
    """A seed for random documents: a new one each time, but where a change is judged."""
    return 1 if os.environ.get("CI") else random.randrange(1 << 32)


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


class RawCollector(Collector):
    """A Collector that tells the reader where raw text begins, as HTML has it."""

    reader: Reader

    def start_tag(self, tag: Tag) -> None:
        super().start_tag(tag)
        if tag.name in RAW_TEXT:
            self.reader.raw(tag.name)


def read_text(text: str, *, xml: bool = False) -> str:
    """The characters of all text tokens, CDATA included, by HTML's or by XML's manners."""
    sink = Collector() if xml else RawCollector()
    reader = Reader(sink, xml=xml)
    reader.cdata = True
    if isinstance(sink, RawCollector):
        sink.reader = reader
    reader.feed(text.replace("\r\n", "\n").replace("\r", "\n"), False)
    return "".join(str(token[1]) for token in sink.tokens if token[0] == "Character")


# ── judging the output ───────────────────────────────────────────────────────

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def parse_strictly(xml: str | bytes) -> etree._Element:
    """The root of `xml` as lxml reads it, which expat with namespaces accepts too.

    Both are strict and have their default limits; whatever they find raises.
    """
    data = xml.encode("utf-8") if isinstance(xml, str) else xml
    parser = expat.ParserCreate(namespace_separator="\x1f")
    parser.Parse(data, True)
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def element_text(root: etree._Element) -> str:
    """All character data of a tree, in order."""
    return "".join(root.xpath("//text()"))


def folded(text: str) -> str:
    """`text` in XML's characters, each run of white space one space, none at the ends."""
    return " ".join(FORBIDDEN.sub("\ufffd", text).split())


# ── case files ───────────────────────────────────────────────────────────────


class Case(NamedTuple):
    """A case of a file in tests/cases."""

    title: str
    options: dict[str, Any]
    given: str
    expected: list[str]


def cases(name: str) -> list[Case]:
    """The cases of tests/cases/NAME.

    A case is a few lines, and a blank line parts it from the next:

        == title
        with {"option": "value"}       (JSON; the line may be absent)
        the input
        -> what is expected            (as often as there are expectations)

    `\\u{41}` stands for the character U+0041, in input and expectations. A line that
    begins with `# ` is a remark.
    """
    found = []
    for block in (CASES / name).read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith("# ")]
        if not lines:
            continue
        title = lines.pop(0)
        assert title.startswith("== "), f"{name}: a case begins with its title, not {title!r}"
        options = json.loads(lines.pop(0)[5:]) if lines[0].startswith("with {") else {}
        given, *expected = lines
        assert all(line.startswith("->") for line in expected), f"{name}: {title}"
        expected = [plain(line[2:].removeprefix(" ")) for line in expected]
        found.append(Case(title[3:], options, plain(given), expected))
    assert len({case.title for case in found}) == len(found), f"{name}: two titles alike"
    return found


def plain(text: str) -> str:
    """`text` with each `\\u{…}` replaced by its character."""
    return re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda found: chr(int(found[1], 16)), text)
