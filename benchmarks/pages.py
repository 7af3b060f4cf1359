"""The pages that every contender is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".htm", ".html", ".xhtml"}
MEGABYTE = 1_000_000

Thing = TypeVar("Thing")


class Page(NamedTuple):
    """One page: its text and the same in UTF-8, for contenders that want bytes."""

    name: str
    text: str
    data: bytes


def default_folder() -> Path:
    """The shared real pages beside the repository, else the samples in it."""
    shared = ROOT.parent / "shared" / "pages"
    return shared if shared.is_dir() else ROOT / "samples"


def load(path: Path) -> Page:
    """Read one page.

    UTF-8, or windows-1252 where it is not that: what matters here is not the right encoding
    but that all are given the same text.
    """
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("windows-1252", "replace")
    text = text.removeprefix("\ufeff")
    return Page(path.name, text, text.encode("utf-8"))


def load_folder(folder: Path) -> list[Page]:
    """All pages of a folder, by name."""
    return [load(path) for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES]


def spread(things: Sequence[Thing], count: int) -> list[Thing]:
    """`count` of the things at equal distances; 0 means all."""
    if not 0 < count < len(things):
        return list(things)
    return [things[index * len(things) // count] for index in range(count)]


def size(pages: Sequence[Page]) -> int:
    """Bytes of UTF-8."""
    return sum(len(page.data) for page in pages)
