"""The public token iterator: what it gives, where each token stands, and how to skip."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from markup import soups

from xmlfix import tokens
from xmlfix.read.stream import Comment, Doctype, EndTag, Instruction, StartTag, Text


def test_tokens() -> None:
    markup = '<!DOCTYPE html><A b="c" d>e&amp;f<!--g--><br/></a><?h i?>'
    assert [*tokens(markup)] == [
        Doctype("html", None, None, False, 0, 15),
        StartTag("a", {"b": "c", "d": ""}, False, False, 15, 26),
        Text("e&f", 26, 33),
        Comment("g", 33, 41),
        StartTag("br", {}, True, True, 41, 46),
        EndTag("a", 46, 50),
        Instruction("h", "i", 50, 57),
    ]


def normalized(source: str) -> str:
    """`source` with the line ends of the token, and without NULs."""
    return source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


@settings(max_examples=400)
@given(soups())
def test_tokens_say_where_they_stand(markup: str) -> None:
    end = 0
    for token in tokens(markup):
        source = markup[token.start : token.end]
        assert token.start >= end
        assert source
        if isinstance(token, Text):
            if "&" not in source and "</>" not in source:
                assert token.data.replace("\0", "\ufffd") == normalized(source)
        else:
            assert source[0] == "<"
            assert source[-1] == ">" or token.end == len(markup)
        end = token.end


@pytest.mark.parametrize(
    ("markup", "rest"),
    [
        ("<a>b</a>c", "c"),
        ("<a>b<a>c</a>d</a>e", "e"),
        ("<a>b<p></a>c", "c"),
        ("<a>b</p>", ""),
        ("<a><a></a>b", ""),
        ("<br>b", "b"),
        ("<script><a></script>b", "b"),
        ("<title></title>b", "b"),
        ("<a/>b</a>c", "c"),
    ],
)
def test_skip(markup: str, rest: str) -> None:
    reading = tokens(markup)
    opener = next(reading)
    assert isinstance(opener, StartTag)
    closer = reading.skip()
    assert (closer is None) == (opener.void or not rest)
    assert "".join(markup[token.start : token.end] for token in reading) == rest


def test_skip_needs_a_start_tag() -> None:
    reading = tokens("<a>b</a>")
    with pytest.raises(ValueError, match="start tag"):
        reading.skip()
    next(reading)
    assert reading.skip() == EndTag("a", 4, 8)
    with pytest.raises(ValueError, match="start tag"):
        reading.skip()


def test_tokens_read_as_they_are_asked_for() -> None:
    reading = tokens("<p>x" * 100_000)
    assert next(reading).end == 3
    assert len(reading._reader.src) < 100_000
