"""The reader's states: the diagram holds all of them, is true, and stands in the docs."""

from __future__ import annotations

import re
from collections.abc import Callable

from nasty import NASTY
from support import ROOT, Collector, RawCollector

from xmlfix.read import doctype, rawtext, references, special, states
from xmlfix.read.diagram import mermaid, transitions
from xmlfix.read.lane import regular_tag
from xmlfix.read.reader import Reader
from xmlfix.read.tokens import Tag

# The project's names for the states of tags; WHATWG #tokenization has others.
TAG_STATES = (
    "content openBracket openTagName tagInner attrName equalWait equal closeBracket attrValueQ"
    " attrValueNQ afterValueQ emptySlash closeTagSlash closeTagName waitEndTagClose"
).split()
TRANSITIONS = transitions()
ARROW = re.compile(r"    (\S+) --> (\S+)")


def test_names_of_the_tag_states() -> None:
    assert set(TAG_STATES) <= set(TRANSITIONS)


def test_each_state_of_the_modules_is_drawn() -> None:
    drawn = TRANSITIONS
    for module in (states, rawtext, references, special, doctype):
        for name, function in vars(module).items():
            code = getattr(function, "__code__", None)
            if code and code.co_varnames[: code.co_argcount] == ("r", "src", "pos", "more"):
                assert name in drawn
                assert function.__doc__, f"{name} has no docstring"


def test_each_arrow_leads_to_a_state() -> None:
    known = {*TRANSITIONS, "home", "back", "[*]"}
    arrows = [ARROW.fullmatch(line) for line in mermaid().splitlines()[1:]]
    assert all(arrows)
    ends = {end for arrow in arrows if arrow for end in arrow.groups()}
    assert ends <= known
    assert ends >= set(TAG_STATES)


def test_the_docs_hold_the_diagram() -> None:
    text = (ROOT / "docs" / "states.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    assert blocks == [mermaid()], "run: python -m xmlfix states"


# ── what the reader really does ──────────────────────────────────────────────

# Read whole, in pieces, and cut off after each character.
LONGEST = (
    "<!DOCTYPE html PUBLIC 'a' 'b' [ <!ENTITY a 'b'> <!-- c --> ] >",
    *("<!DOCTYPE html >", "<!DOCTYPE html PUBLIC >", "<!DOCTYPE html PUBLIC a>"),
    *("<!DOCTYPE html PUBLIC 'a' b>", "<!DOCTYPE html SYSTEM 'a' b>"),
    "<a b = 'c' d='&lt;'/><e f /></g>",
    "&nope" + "e" * 50 + ";&#65;&#x41;",
    "<style>\0</style><title>\0&amp;</title><plaintext>\0",
    "<script>\0<!--\0--><!--</script><script><!--<script>\0</script></script>",
    "<script><!--<script>--></script>",
)


def moves(
    text: str,
    size: int,
    *,
    xml: bool = False,
    raw: bool = False,
    pi: str = "keep",
    shortcut: Callable[[str], Tag | str | None] | None = None,
) -> set[tuple[str, str]]:
    """Each move from state to state while `text` is read in pieces of `size`, 0 for whole.

    A move that is not drawn by the name of the state is one to `home` or `back`, if it
    leads to the reader's.
    """
    sink = Collector() if xml and not raw else RawCollector()
    reader = Reader(sink, xml=xml, pi=pi, shortcut=shortcut)
    if isinstance(sink, RawCollector):
        sink.reader = reader
        reader.cdata = True
    drawn = TRANSITIONS
    found = set()
    pieces = [text[at : at + size] for at in range(0, len(text), size)] if size else [text]
    for number, piece in enumerate([*pieces, ""]):
        more = number < len(pieces)
        reader.src = reader.src[reader.pos :] + piece
        reader.pos = 0
        while reader.pos < len(reader.src) or not more:
            state = reader.state
            following = state(reader, reader.src, reader.pos, more)
            if following is None:
                break
            name = following.__name__
            if name not in drawn[state.__name__]:
                if following is reader.home and "home" in drawn[state.__name__]:
                    name = "home"
                elif following is reader.back and "back" in drawn[state.__name__]:
                    name = "back"
            found.add((state.__name__, name))
            reader.state = following
    return found


def test_the_reader_moves_as_drawn_and_makes_each_move() -> None:
    drawn = {(state, other) for state, others in TRANSITIONS.items() for other in others}
    markups = [markup for markup in NASTY.values() if isinstance(markup, str)]
    markups += [longest[:size] for longest in LONGEST for size in range(len(longest) + 1)]
    made: set[tuple[str, str]] = set()
    for markup in markups:
        if len(markup) < 2000:
            for size in (0, 1, 3):
                made |= moves(markup, size) | moves(markup, size, xml=True)
                made |= moves(markup, size, xml=True, raw=True)
                made |= moves(markup, size, pi="comment")
                made |= moves(markup, size, shortcut=regular_tag)
    assert made - drawn == set()
    assert drawn - made == set()
