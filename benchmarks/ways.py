"""What a loaded contender can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.pages import Page


class Absent(Exception):
    """A contender cannot run here; the message says why."""


@dataclass(frozen=True)
class Ways:
    """The ways of a contender.

    Args:
        version: of the package.
        to_text: from a page to text.
        to_tree: from a page to an lxml tree; None where it has no such way.
        is_xml: whether the text claims to be XML.
        before_turn: called, untimed, with the contender's pages before its turn in a round.
        before_page: called, untimed, before each page.
    """

    version: str
    to_text: Callable[[Page], str | bytes]
    to_tree: Callable[[Page], object] | None = None
    is_xml: bool = True
    before_turn: Callable[[list[Page]], None] | None = None
    before_page: Callable[[], None] | None = None
