"""The lines of the start tags of a page that hold addresses.

The tree that the repair makes does not know where its elements stood. The tags are therefore
read once more, most of them by one regular expression that only passes over what holds no
address; what is not plain is left to the reader's states, which alone are correct.
"""

from __future__ import annotations

import re
from collections import deque

from xmlfix.elements import RAW_TEXT
from xmlfix.patterns import late
from xmlfix.read.lane import read_tag
from xmlfix.read.reader import Reader
from xmlfix.read.states import ASCII_LETTERS, LONGEST_WHOLE, content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from xmlfix.read.reader import State
    from xmlfix.read.tokens import Doctype, Tag


def skipping(attributes: Collection[str]) -> Callable[[str, int], re.Match[str] | None]:
    """What passes over text, comments and plain tags without any of some attributes.

    It stops at the "<" of all else, at the end, or after a tag that has one, if `_ATTRIBUTES`
    finds that tag's attributes as they are: that is group 1, its name group 2.

    Args:
        attributes: in lower case.
    """
    wanted = "|".join(map(re.escape, attributes))
    raw = "|".join(RAW_TEXT)
    return re.compile(
        rf"""(?: [^<]++
        | </[A-Za-z][^>"'\0]*+>
        | <(?!(?i:{raw})[\t\n\f />])[A-Za-z][^\t\n\f\r />\0]*+
          (?: [\t\n\f /]++
            | (?!(?i:{wanted})[\t\n\f />=]) [^\t\n\f\r />="'<\0]++
              (?: [\t\n\f ]*+ = [\t\n\f ]*+
                  (?: "[^"\0]*+" | '[^'\0]*+' | [^\t\n\f\r "'=<>`\0]++ (?=[\t\n\f >]) ) )?+
          )*+ >
        | <!--(?!-?>) (?: [^-]++ | -(?!-!?>) )*+ -->
        )*+
        (<(?!(?:{raw})[ />])([a-z][a-z0-9]*+)
          (?: [ ][a-z][a-z-]*+=
              (?: "[^"&<>\0\r]*+" | '[^'&<>\0\r]*+' | [^\t\n\f\r "'=<>`&\0]++ (?=[ >]) )
          )*+ [ ]?+/?+>)?+""",
        re.VERBOSE,
    ).match


# a name, and its value in double quotes, in single ones, or without
_ATTRIBUTES = late(
    globals(), "_ATTRIBUTES", "findall", """ ([a-z-]++)=(?:"([^"]*+)"|'([^']*+)'|([^ >]++))"""
)
_INVISIBLE = late(globals(), "_INVISIBLE", "sub", "[^!-~]+")


def visible(value: str) -> str:
    """The characters of a value that no repair changes."""
    if value.isascii() and value.isprintable():
        return value.replace(" ", "")
    return str(_INVISIBLE("", value))


class Lines:
    """The lines of the start tags in a text, found again by the values of their attributes.

    The tree that the repair makes has each start tag's attributes as they are, but maybe
    more than once, or elsewhere: equal ones have their lines in the order of the source, and
    the copies of the last have its line.

    Args:
        text: the markup, with LF for each newline.
        attributes: that may hold addresses, in lower case.
        may_hold: whether one does on an element, both in lower case.
        is_xml: whether XML's rules read it.
        is_well_formed: whether it is well-formed XML.
    """

    def __init__(
        self,
        text: str,
        attributes: Collection[str],
        may_hold: Callable[[str, str], bool],
        *,
        is_xml: bool,
        is_well_formed: bool = False,
    ) -> None:
        # by attribute and value; "" is the text of a <style>
        self._lines: dict[str, dict[str, int | deque[int]]] = {name: {} for name in attributes}
        self._lines[""] = {}
        self._text = text
        self._may_hold = may_hold
        self._is_xml = is_xml
        self._line = 1
        self._pos = 0  # where that was counted
        self._reader = Reader(self, xml=is_xml, well_formed=is_well_formed)
        if is_xml:
            self._reader.feed(text, False)
        else:
            self._read(skipping(attributes))

    def of(self, attribute: str, value: str) -> int | None:
        """The line of an attribute with its value, or of a `<style>`: "".

        They must be asked for in document order.
        """
        found = self._lines[attribute].get(visible(value) if attribute else "")
        if isinstance(found, deque):
            return found.popleft() if len(found) > 1 else found[0]
        return found

    def _read(self, skip: Callable[[str, int], re.Match[str] | None]) -> None:
        """Read markup that is no XML."""
        reader, text = self._reader, self._text
        size = len(text)
        reader.src = text
        pos = 0
        while True:
            passed = skip(text, pos)
            assert passed is not None  # it matches nothing at all, too
            pos = passed.end()
            if passed.lastindex is not None:
                attributes = [
                    (name, double or single or bare)
                    for name, double, single, bare in _ATTRIBUTES(passed[1])
                ]
                if len(attributes) > 1:  # the first of equal ones counts
                    attributes = list(dict(reversed(attributes)).items())
                self._take(passed[2], attributes, passed.start(1))
                continue
            if pos == size:
                return
            state: State = content
            tag = None
            if text[pos + 1 : pos + 2] in ASCII_LETTERS:
                end = text.find(">", pos, pos + LONGEST_WHOLE)
                tag = read_tag(text[pos + 1 : end]) if end >= 0 else None
            if tag is not None:
                reader.start = pos
                self.start_tag(tag)
                pos = end + 1
                state = reader.home
            if state is not content or tag is None:
                reader.pos = pos
                if not self._read_by_states(state):
                    return
                pos = reader.pos

    def _read_by_states(self, state: State) -> bool:
        """Let the states read until they are between two tokens; False at the end."""
        reader, text = self._reader, self._text
        while True:
            following = state(reader, text, reader.pos, False)
            if following is None:
                return False
            if following is content:
                return True
            state = following

    # ── the reader's sink ────────────────────────────────────────────────────

    def start_tag(self, tag: Tag) -> None:
        name = tag.name
        if tag.attrs or name == "style":
            self._take(name.lower(), tag.attrs, self._reader.start)
        if name in RAW_TEXT and not self._is_xml:
            self._reader.raw(name)

    def _take(self, name: str, attributes: Iterable[tuple[str, str]], start: int) -> None:
        self._line += self._text.count("\n", self._pos, start)
        self._pos = start
        lines = self._lines
        if name == "image":  # what the repair makes of it
            name = "img"
        for attribute, value in attributes:
            if attribute not in lines:
                attribute = attribute.lower()
                if attribute not in lines:
                    continue
            if self._may_hold(name, attribute):
                self._put(lines[attribute], visible(value))
        if name == "style":
            self._put(lines[""], "")

    def _put(self, lines: dict[str, int | deque[int]], value: str) -> None:
        before = lines.get(value)
        if before is None:
            lines[value] = self._line
        elif isinstance(before, deque):
            before.append(self._line)
        else:
            lines[value] = deque((before, self._line))

    def end_tag(self, name: str) -> None:
        """Nothing to see."""

    def text(self, data: str) -> None:
        """Nothing to see."""

    def comment(self, data: str) -> None:
        """Nothing to see."""

    def doctype(self, doctype: Doctype) -> None:
        """Nothing to see."""

    def instruction(self, target: str, data: str) -> None:
        """Nothing to see."""

    def end(self) -> None:
        """Nothing more."""
