"""Where things stand in the input as given."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

_NEWLINE = re.compile(r"\r\n|\r|\n")


class Positions:
    """Maps offsets in the normalised text to offset, line and column in the input.

    Args:
        skipped: how many characters of the input stand before the text (a U+FEFF); they
            count in offsets, but are no characters of the first line.
    """

    __slots__ = ("_crlf", "_lines", "_size", "_skipped")

    def __init__(self, skipped: int = 0) -> None:
        self._skipped = skipped
        self._lines = [0]  # where each line begins in the normalised text
        self._crlf: list[int] = []  # where each CR LF, now LF, stands in it
        self._size = 0

    def skip(self, count: int) -> None:
        """The input begins with `count` characters that are not in the text."""
        self._skipped = count

    def add(self, text: str) -> None:
        """Take note of the next piece of the text as given, not split within CR LF."""
        shift = self._size
        for found in _NEWLINE.finditer(text):
            at = shift + found.start()
            if found.end() - found.start() == 2:
                self._crlf.append(at)
                shift -= 1
            self._lines.append(at + 1)
        self._size = shift + len(text)

    def locate(self, at: int) -> tuple[int, int, int]:
        """0-based offset, 1-based line and 1-based column for a normalised offset."""
        line = bisect_right(self._lines, at)
        column = at - self._lines[line - 1] + 1
        return at + bisect_left(self._crlf, at) + self._skipped, line, column
