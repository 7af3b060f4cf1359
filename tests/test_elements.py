"""The table of elements against the lists of the standard that the oracle has for itself."""

from __future__ import annotations

import oracle_facts as facts
import pytest

from xmlfix import elements

SAME = (
    "SPECIAL SCOPE LIST_ITEM_SCOPE BUTTON_SCOPE TABLE_SCOPE IMPLIED_END IMPLIED_END_THOROUGHLY"
    " HEADINGS BLOCKS TABLE_PARTS BREAKOUT"
).split()


@pytest.mark.parametrize("name", SAME)
def test_sets(name: str) -> None:
    assert getattr(elements, name) == getattr(facts, name)


def test_sets_of_other_names() -> None:
    assert elements.METADATA == facts.HEAD_ELEMENTS
    assert facts.FORMATTING | {"a", "nobr"} == elements.FORMATTING  # which have rules of their own
    assert facts.TABLE_FRAME - {"template"} == elements.TABLE_LIKE
    assert elements.TEXT_POINTS == facts.MATHML_TEXT_INTEGRATION_POINTS
    assert elements.HTML_POINTS == facts.SVG_HTML_INTEGRATION_POINTS
    assert elements.SVG_NAMES == facts.SVG_ELEMENTS


def test_no_element_is_void_and_has_text() -> None:
    assert not elements.VOID & elements.RAW_TEXT


def test_each_word_is_explained() -> None:
    """The table in the docstring has the words that mean something by themselves."""
    assert elements.__doc__ is not None
    explained = set(elements.__doc__.split("`")[1::2])
    shared = {"block", "heading", "item", "preformatted", "marked", "metadata", "resource",
              "ruby-base", "ruby-text", "cell", "section", "table-part"}  # fmt: skip
    assert set(elements._NAMES) <= explained | shared
