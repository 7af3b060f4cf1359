"""The insertion modes: tables from token to rule, filled by the modules that have the rules.

A rule takes the driver and the token, and returns None, or the mode in which the same
token is to be processed again. A text rule that has used the beginning of a run leaves
the rest in `b.rest`.

Source: WHATWG #the-insertion-mode.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from xmlfix.read.tokens import Tag
    from xmlfix.repair.browser import BrowserRepair

    StartRule: TypeAlias = Callable[[BrowserRepair, Tag], "Mode | None"]
    EndRule: TypeAlias = Callable[[BrowserRepair, str], "Mode | None"]
    TextRule: TypeAlias = Callable[[BrowserRepair, str], "Mode | None"]
    EofRule: TypeAlias = Callable[[BrowserRepair], "Mode | None"]


class Mode:
    """One insertion mode.

    Attributes:
        start, end: the rules for tags by name.
        any_start, any_end: the rules for all other tags.
        text, comment, eof: the rules for these tokens.
    """

    __slots__ = ("any_end", "any_start", "comment", "end", "eof", "name", "start", "text")

    any_start: StartRule
    any_end: EndRule
    text: TextRule
    comment: TextRule
    eof: EofRule

    def __init__(self, name: str) -> None:
        self.name = name
        self.start: dict[str, StartRule] = {}
        self.end: dict[str, EndRule] = {}

    def __repr__(self) -> str:
        return f"<Mode {self.name}>"

    def starts(self, rule: StartRule, names: str | Iterable[str]) -> None:
        """`rule` is for the start tags `names`: a set, or a str with spaces between them."""
        self.start.update(dict.fromkeys(names.split() if isinstance(names, str) else names, rule))

    def ends(self, rule: EndRule, names: str | Iterable[str]) -> None:
        """`rule` is for the end tags `names`: a set, or a str with spaces between them."""
        self.end.update(dict.fromkeys(names.split() if isinstance(names, str) else names, rule))

    def otherwise(self, start: StartRule, end: EndRule) -> None:
        """The rules for tags that have none of their own."""
        self.any_start = start
        self.any_end = end


INITIAL = Mode("initial")
BEFORE_HTML = Mode("before html")
BEFORE_HEAD = Mode("before head")
IN_HEAD = Mode("in head")
IN_HEAD_NOSCRIPT = Mode("in head noscript")
AFTER_HEAD = Mode("after head")
IN_BODY = Mode("in body")
TEXT = Mode("text")
IN_TABLE = Mode("in table")
IN_TABLE_TEXT = Mode("in table text")
IN_CAPTION = Mode("in caption")
IN_COLUMN_GROUP = Mode("in column group")
IN_TABLE_BODY = Mode("in table body")
IN_ROW = Mode("in row")
IN_CELL = Mode("in cell")
IN_TEMPLATE = Mode("in template")
AFTER_BODY = Mode("after body")
IN_FRAMESET = Mode("in frameset")
AFTER_FRAMESET = Mode("after frameset")
AFTER_AFTER_BODY = Mode("after after body")
AFTER_AFTER_FRAMESET = Mode("after after frameset")

# those in which tags that belong to no table or head are processed by the rules of "in body"
BODY_MODES = frozenset((IN_BODY, IN_CELL, IN_CAPTION))
