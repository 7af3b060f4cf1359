"""By name: the quick loop gives what the rules alone give, for each element in each context.

What the loop knows of a name stands in tables beside those of the rules (kinds.py, lane.py,
quick.py). A name that is missing in one of them is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import oracle_facts
import pytest
from test_lane import by_states

import xmlfix
from xmlfix import elements
from xmlfix.read import lane
from xmlfix.repair import body, foreign, kinds, modes, quick, quick_foreign
from xmlfix.repair.modes import Mode

# The elements of the HTML standard, those that it calls obsolete included.
HTML_NAMES: Final = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big"
    " blink blockquote body br button canvas caption center cite code col colgroup data datalist"
    " dd del details dfn dialog dir div dl dt em embed fencedframe fieldset figcaption figure font"
    " footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img"
    " input ins isindex kbd keygen label legend li link listing main map mark marquee menu menuitem"
    " meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option"
    " output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search"
    " section select selectedcontent slot small source spacer span strike strong style sub summary"
    " sup table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr"
    " xmp"
).split()
FOREIGN_NAMES: Final = (
    "svg g path use symbol defs desc foreignobject circle clippath text textpath tspan filter"
    " fegaussianblur animate altglyph view switch metadata"
    " math mi mo mn ms mtext mrow mfrac mglyph malignmark annotation annotation-xml semantics"
).split()
NO_ELEMENTS: Final = (
    "x foo my-element h7 div2 bb tdx o:p a:b:c xml:a xmlns:a o:td svg:g c_d".split()
)
CONTEXTS: Final = {
    "body": "<body>x",
    "svg": "x<svg>",
    "paragraph": "x<p>y",
    "cell": "x<table><tbody><tr><td>y",
    "table": "x<table>",
    "rows": "x<table><tbody>",
    "row": "x<table><tr>",
    "caption": "x<table><caption>y",
    "columns": "x<table><colgroup>",
    "select": "x<select><option>y",
    "head": "<head>",
    "after-head": "<head></head>",
    "after-body": "x</body>",
    "formatting": "x<div><a><b>y",
    "misnested": "x<p><b>y</p>",
    "svg-point": "x<svg><desc>y",
    "math": "x<math><mi>y",
    "button": "x<p><button>y",
    "heading": "x<h2>y",
    "item": "x<ul><li>y",
    "description": "x<dl><dd><p>y",
    "ruby": "x<ruby>y<rt>",
    "form": "x<form><div>",
    "template": "x<template>",
    "frameset": "<frameset>",
}
# what comes after the context: the name as start and end tag, alone, in itself, spelled oddly
FORMS: Final = (
    "<{n}>s",
    "<{n}>s</{n}>t",
    "</{n}>s<p>t<{n}><{n}>u</{n}>",
    "<{n}/>s</{n}>",
    '<{n} id="1" class=c><div><li><{n} id="1" hidden>s</{n}>t</{n}>',
    "<{N} ><p>s<i></{N} >t</p>u",
    "<b><div><{n}><td>s</b></{n}>t<table><tr><td><{n}>u",
    "<{n}><p>s</{n}>t<li><{n}><li>u",
)
END: Final = "<br>e</div>f<span>g</span>h<br>"  # the last tag of all is the reader's
STANDING: Final = "</xyz>"  # a matter for the rules, so that what was open is on the stack


def all_modes() -> Iterator[Mode]:
    return (mode for mode in vars(modes).values() if isinstance(mode, Mode))


def all_names() -> list[str]:
    """Every name that any table has, of the parser and of the standard, and some that none has."""
    names = {*HTML_NAMES, *FOREIGN_NAMES, *NO_ELEMENTS}
    for mode in all_modes():
        names |= mode.start.keys() | mode.end.keys()
    for module in (elements, kinds, quick, quick_foreign, foreign):
        for key, value in vars(module).items():
            if isinstance(value, (frozenset, dict)) and not key.startswith("__"):
                names.update(name for name in value if isinstance(name, str))
    names -= foreign.SVG_ATTRIBUTES.keys() | foreign.MATHML_ATTRIBUTES.keys()
    return sorted(name.lower() for name in names if not set(name) & set(" /"))


NAMES: Final = all_names()
HERE: Final = sorted({*NAMES} - elements.SVG_NAMES.keys() | {"foreignobject"})  # outside of SVG


def documents(context: str, name: str) -> Iterator[str]:
    start = CONTEXTS[context]
    for form in FORMS:
        tags = form.format(n=name, N=name.upper())
        yield start + tags + END
    yield start + STANDING + FORMS[1].format(n=name) + END
    yield start + STANDING + FORMS[2].format(n=name) + END


def disagreement(name: str, context: str, **options: Any) -> str:
    """The first document of which the loop makes something else than the rules; "" if none."""
    for html in documents(context, name):
        if xmlfix.fix(html, input="html", **options) != by_states(html, input="html", **options):
            return html
    return ""


@pytest.mark.parametrize("context", CONTEXTS)
def test_each_name(context: str) -> None:
    """The first tag of each name is new to the memo."""
    found = []
    for name in NAMES:
        found.append(disagreement(name, context))
    assert [html for html in found if html] == []


OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "none": {},
    "xhtml": {"xhtml": True},
    "scripting": {"scripting": True},
    "depth": {"max_depth": 8},
    "formatting": {"max_formatting": 1},
    "escape": {"prefixes": "escape"},
    "cell": {"fragment": "td"},
    "select": {"fragment": "select"},
}


@pytest.mark.parametrize("options", OPTIONS)
def test_each_name_with_options(options: str) -> None:
    """The memo knows all tags from the context before, the first of which is foreign."""
    contexts = ("svg", "body", "cell", "select", "formatting", "item")
    found = []
    for name in NAMES:
        for context in contexts:
            html = CONTEXTS[context] + FORMS[1].format(n=name) + FORMS[2].format(n=name) + END
            given = {"input": "html", **OPTIONS[options]}
            if xmlfix.fix(html, **given) != by_states(html, **given):
                found.append(html)
    assert found == []


# ── the facts themselves ─────────────────────────────────────────────────────

# WHATWG #void-elements, and those that the parser pops at once
VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr".split()
)
ALL_FORMATTING: Final = oracle_facts.FORMATTING | {"a", "nobr"}


def of_kinds(table: dict[str, int], *wanted: int) -> frozenset[str]:
    return frozenset(name for name, kind in table.items() if kind in wanted)


def of_rules(table: dict[str, Any], *rules: Callable[..., Any]) -> frozenset[str]:
    return frozenset(name for name, rule in table.items() if rule in rules)


def wrong_facts() -> list[str]:
    """Which tables have not the names that the oracle's list of the same kind has."""
    start, end = modes.IN_BODY.start, modes.IN_BODY.end
    blocks, headings = oracle_facts.BLOCKS, oracle_facts.HEADINGS
    empty = (kinds.EMPTY, kinds.EMPTY_IN_HEAD, kinds.EMPTY_BLOCK, kinds.FIELD)
    facts = {
        "SPECIAL": (elements.SPECIAL, oracle_facts.SPECIAL),
        "SCOPE": (elements.SCOPE, oracle_facts.SCOPE),
        "IMPLIED_END": (elements.IMPLIED_END, oracle_facts.IMPLIED_END),
        "BLOCKS": (elements.BLOCKS, blocks),
        "HEADINGS": (elements.HEADINGS, headings),
        "FORMATTING": (elements.FORMATTING, ALL_FORMATTING),
        "VOID": (elements.VOID, VOID),
        "BREAKOUT": (elements.BREAKOUT, oracle_facts.BREAKOUT),
        "blocks by rule": (of_rules(start, body.startBlockInBody), blocks | {"p"}),
        "headings by rule": (of_rules(start, body.startHeadingInBody), headings),
        "formatting by rule": (
            of_rules(start, body.startFormattingInBody, body.startAInBody, body.startNobrInBody),
            ALL_FORMATTING,
        ),
        "ends of blocks by rule": (
            of_rules(end, body.endBlockInBody),
            blocks | {"button", "listing", "pre", "select"},
        ),
        "ends of headings by rule": (of_rules(end, body.endHeadingInBody), headings),
        "ends of formatting by rule": (of_rules(end, body.endFormattingInBody), ALL_FORMATTING),
        "blocks of the loop": (of_kinds(kinds.START_KINDS, kinds.BLOCK), blocks),
        "headings of the loop": (of_kinds(kinds.START_KINDS, kinds.HEADING), headings),
        "formatting of the loop": (
            of_kinds(kinds.START_KINDS, kinds.FORMAT),
            ALL_FORMATTING - {"nobr"},
        ),
        "void of the loop": (of_kinds(kinds.START_KINDS, *empty), VOID - {"col", "frame"}),
        "ends of formatting of the loop": (
            of_kinds(kinds.END_KINDS, kinds.END_FORMAT),
            ALL_FORMATTING - {"nobr"},
        ),
        "ends of blocks of the loop": (
            of_kinds(kinds.END_KINDS, kinds.END_ORDINARY) & (blocks | headings),
            blocks | headings,
        ),
        "what closes implied ends": (
            quick.CLOSES_IMPLIED,
            blocks | headings | {"td", "th", "li", "form", "button"},
        ),
    }
    return [fact for fact, (ours, right) in facts.items() if ours != right]


def test_facts() -> None:
    assert wrong_facts() == []


# ── that the tests see a name which is missing in one place ───────────────────


def note_again() -> None:
    """Let the memo heed the tables as they are now."""
    kinds.note(
        kinds.start_kind,
        kinds.end_kind,
        kinds.SLOW,
        kinds.IRREGULAR,
        kinds.USUAL,
        kinds.TELLING,
        kinds.escape_value,
    )


Place: TypeAlias = tuple[Any, str]  # a module or mode, and the name of a table of it
SUBJECTS: Final = sorted(oracle_facts.BLOCKS | oracle_facts.HEADINGS | ALL_FORMATTING | VOID)

# Where a missing name makes another document, with the names that the loop never takes there.
DISAGREEING: Final[list[tuple[Place, set[str]]]] = [
    ((modes.IN_BODY, "start"), {"col", "frame", "nobr"}),
    ((modes.IN_BODY, "end"), {"br", "nobr"}),
    ((lane, "VOID"), {"col", "frame"}),
    ((quick_foreign, "BREAKOUT"), set(VOID)),
    ((body, "SPECIAL"), {*VOID, "address", "div"}),
    ((body, "HEADINGS"), set()),
    ((quick, "HEADINGS"), set()),
]
# Where a missing name makes the loop leave a tag to the rules, or both go wrong alike.
TOLD: Final[list[Place]] = [
    (modes.IN_BODY, "start"),
    (modes.IN_BODY, "end"),
    (kinds, "START_KINDS"),
    (kinds, "END_KINDS"),
    (quick, "CLOSES_IMPLIED"),
    (elements, "BLOCKS"),
    (elements, "HEADINGS"),
    (elements, "FORMATTING"),
    (elements, "SPECIAL"),
    (elements, "BREAKOUT"),
    (elements, "VOID"),
]
# names that are in a table for another reason than that of the facts
OTHERWISE: Final = {"start": {*VOID}, "end": {"br"}, "START_KINDS": set(), "END_KINDS": set()}


def without_each(
    monkeypatch: pytest.MonkeyPatch, place: Place, sees: Callable[[str], bool]
) -> list[str]:
    """The names whose absence from a table is not seen."""
    owner, key = place
    table = getattr(owner, key)
    unseen = []
    for name in SUBJECTS:
        if name not in table:
            continue
        with monkeypatch.context() as patch:
            if isinstance(table, dict):
                patch.delitem(table, name)
            else:
                patch.setattr(owner, key, table - {name})
            note_again()
            if not sees(name):
                unseen.append(name)
        note_again()
    return unseen


@pytest.mark.parametrize(("place", "never"), DISAGREEING)
def test_a_missing_name_is_a_disagreement(
    monkeypatch: pytest.MonkeyPatch, place: Place, never: set[str]
) -> None:
    def sees(name: str) -> bool:
        return name in never or any(disagreement(name, context) for context in CONTEXTS)

    assert without_each(monkeypatch, place, sees) == []


@pytest.mark.parametrize("place", TOLD)
def test_a_missing_name_is_a_wrong_fact(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    other = OTHERWISE.get(place[1], set())
    assert set(without_each(monkeypatch, place, lambda name: bool(wrong_facts()))) <= other
