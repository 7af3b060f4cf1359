"""The exception for a query that cannot be asked, with its place."""

from __future__ import annotations

from xmlfix.errors import XmlfixError

HERE = "<-- HERE"
AROUND = 80  # characters of the source that are shown on either side


class QueryError(XmlfixError, ValueError):
    """A selector, XPath expression or stylesheet that cannot be used.

    Args:
        message: what is wrong with it.
        source: the selector or expression; "" where there is none to show.
        place: offset in `source` at which it was noticed, in code points from 0.

    Attributes:
        message, source, place: as given.

    >>> str(QueryError("a selector is missing", "p >", 3))
    'column 4: a selector is missing: p ><-- HERE'
    """

    def __init__(self, message: str, source: str = "", place: int | None = None) -> None:
        self.message = message
        self.source = source
        self.place = place
        told = message
        if place is not None:
            before, after = cut(source[:place][::-1])[::-1], cut(source[place:])
            told = f"column {place + 1}: {message}: {before}{HERE}{after and f' {after}'}"
        elif source:
            told = f"{message}: {cut(source)}"
        super().__init__(told)


def cut(text: str) -> str:
    """As much of `text` as a message can show."""
    return text if len(text) <= AROUND else f"{text[:AROUND]}…"
