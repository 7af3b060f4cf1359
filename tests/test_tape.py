"""The tape gives the tree that a DOM gives: equal to the oracle on random documents.

The conformance data does not prove it, so rules are removed on purpose here too, and the
comparison must notice each.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from dat import coerce_document, xml_dump
from lxml import etree
from oracle import Oracle
from oracle_dom import dump
from soup import random_soup, seeded_soup, select_soup
from support import fresh_seed

import xmlfix
from xmlfix.repair import adoption, body, browser, carry, elements, foreign, outer, select, table
from xmlfix.repair.elements import OpenElements

DOCUMENTS = 20_000
LONG_DOCUMENTS = 300_000
CONTEXTS = [
    *("div", "td", "tr", "table", "tbody", "select", "template", "colgroup", "caption", "html"),
    *("body", "head", "form", "button", "ul", "p", "frameset", "svg svg", "svg desc", "svg path"),
    *("math mi", "math annotation-xml"),
]
# What must have happened, and how often at least, in a run of DOCUMENTS.
REACHED = {
    "adoption": 2_000,
    "foster-element": 2_000,
    "foster-text": 1_000,
    "reconstruct": 2_000,
    "noah": 100,
    "select": 500,
    "template": 1_000,
    "foreign": 2_000,
    "frameset": 100,
    "selectedcontent": 400,
    "selectedcontent-cleared": 3,
    "selectedcontent-detached": 100,
}


def documents(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random documents, each with options."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        kind = rng.random()
        if kind < 0.45:
            html = random_soup(rng, rng.randint(1, 30))
        elif kind < 0.6:
            html = select_soup(rng, rng.randint(1, 16))
        else:
            html = seeded_soup(rng)
        yield (
            html,
            {
                "fragment": rng.choice(CONTEXTS) if rng.random() < 0.3 else None,
                "scripting": rng.random() < 0.2,
                "xhtml": rng.random() < 0.7,
            },
        )


def expected_tree(html: str, options: dict[str, Any]) -> tuple[str, Oracle]:
    """The oracle's dump, and the oracle, which counts what it did."""
    oracle = Oracle(fragment=options["fragment"], scripting=options["scripting"], pi="comment")
    return coerce_document(dump(oracle.run(html)), xhtml=options["xhtml"]), oracle


def tree(html: str, options: dict[str, Any]) -> str:
    """The dump of xmlfix's output."""
    xml = xmlfix.fix(html, input="html", pi="comment", doctype="keep", **options)
    return xml_dump(xml, fragment=options["fragment"] is not None)


def compare(seed: int, count: int) -> dict[str, int]:
    """Compare `count` documents; returns how often each counted rule was reached."""
    reached: dict[str, int] = {}
    for html, options in documents(seed, count):
        expected, oracle = expected_tree(html, options)
        assert tree(html, options) == expected, (html, options)
        for rule, times in oracle.counts.items():
            reached[rule] = reached.get(rule, 0) + times
    return reached


def test_equals_the_oracle() -> None:
    reached = compare(fresh_seed(), DOCUMENTS)
    assert {
        rule: reached.get(rule, 0) for rule in REACHED if reached.get(rule, 0) < REACHED[rule]
    } == {}


@pytest.mark.long
def test_equals_the_oracle_on_many() -> None:
    compare(fresh_seed(), LONG_DOCUMENTS)


# ── rules removed on purpose ─────────────────────────────────────────────────


def without(*_: object, **__: object) -> None:
    """In place of a rule that does nothing any more."""


def drop_waiting(self: OpenElements, element: Any) -> None:
    """`remove` that forgets the end tag, closing in place instead."""
    index = self.stack.index(element)
    del self.stack[index]
    element.is_open = False
    self.forget(element)
    element.home.append(element.end)


def push_without_noah(self: OpenElements, element: Any) -> None:
    self.formatting.append(element)


def foster_in_place(self: OpenElements) -> Any:
    parent = self.stack[-1]
    return parent.box, parent.depth, parent.namespace


def leave_head_without_slot(b: Any) -> Any:
    b.pop()
    b.mode = outer.AFTER_HEAD
    return outer.AFTER_HEAD


def comment_in_body(b: Any, chunk: str) -> None:
    b.stack[1].box.append(chunk)


def template_always_body(b: Any, mode: Any) -> Any:
    b.template_modes[-1] = b.mode = outer.IN_BODY
    return outer.IN_BODY


def start_a_without_removal(b: Any, tag: Any) -> None:
    if adoption.last_formatting(b, "a") is not None and not adoption.adopt(b, "a"):
        body.anyEndInBody(b, "a")
    body.startFormattingInBody(b, tag)


def form_end_pops(b: Any, name: str) -> Any:
    b.form = None
    return body.endBlockInBody(b, name)


def text_with_nul_reopens(b: Any, data: str) -> None:
    b.reconstruct()
    data = data.replace("\0", "")
    b.insert_text(data)
    if data.strip(body.SPACE):
        b.frameset_ok = False


def table_text_at_once(b: Any, data: str) -> Any:
    return table.fosterText(b, data)


def frameset_loses_comments(b: Any, tag: Any) -> Any:
    if len(b.stack) > 1 and b.frameset_ok:
        b.stack[1].after = None
    return body.startFramesetInBody(b, tag)


def item_without_barrier(b: Any, tag: Any) -> None:
    names = ("li",) if tag.name == "li" else ("dd", "dt")
    for node in reversed(b.stack):
        if node.name in names:
            b.pop_until(node.name)
            break
    b.close_p()
    b.insert(tag)


def only_first(self: Any, select: Any, content: Any) -> None:
    select.primary = select.primary or content


MUTANTS: dict[str, tuple[tuple[object, str, object], ...]] = {
    "no Noah's Ark clause": ((OpenElements, "push_formatting", push_without_noah),),
    "no inner loop limit": ((adoption, "INNER_LOOPS", 99),),
    "one outer loop": ((adoption, "OUTER_LOOPS", 1),),
    "three outer loops": ((adoption, "OUTER_LOOPS", 3),),
    "no markers cleared": ((OpenElements, "clear_to_marker", without),),
    "nothing reconstructed": ((OpenElements, "reconstruct", without),),
    "no end tag waits": ((OpenElements, "remove", drop_waiting),),
    "no foster parenting": ((OpenElements, "foster_place", foster_in_place),),
    "no p closed": ((OpenElements, "close_p", without),),
    "no head slot": (
        (outer, "leaveInHead", leave_head_without_slot),
        (outer.IN_HEAD, "eof", leave_head_without_slot),
    ),
    "comments after body in it": ((outer.AFTER_BODY, "comment", comment_in_body),),
    "templates hold body content": ((outer, "continueTemplate", template_always_body),),
    "a stays on the stack": ((body.IN_BODY.start, "a", start_a_without_removal),),
    "form is popped": ((body.IN_BODY.end, "form", form_end_pops),),
    "NUL reopens formatting": ((body.IN_BODY, "text", text_with_nul_reopens),),
    "table text not collected": ((table.IN_TABLE, "text", table_text_at_once),),
    "frameset loses comments": ((body.IN_BODY.start, "frameset", frameset_loses_comments),),
    "li without barriers": ((body.IN_BODY.start, "li", item_without_barrier),),
    "no quirks": ((browser, "is_quirky", lambda doctype: False),),
    "always quirks": ((browser, "is_quirky", lambda doctype: True),),
    "no break-out": ((foreign, "BREAKOUT", frozenset()),),
    "no integration points": ((browser, "is_html_point", lambda name, tag: False),),
    "no text points": ((foreign, "TEXT_POINTS", frozenset()),),
    "no SVG case": ((foreign, "SVG_NAMES", {}),),
    "no late attributes": ((browser.BrowserRepair, "place_late_attributes", without),),
    "select is no marker": ((elements, "SCOPE", elements.SCOPE - {"select"}),),
    "what a copy removes stays": ((select.Selects, "is_gone", without),),
    "no copy where an option is left": ((carry, "close_options", without),),
    "nothing comes back": ((select.Selects, "regain", without),),
    "no copy when an option ends": ((select.Selects, "_close_option", without),),
    "none but the first is cleared": ((select.Selects, "_add_content", only_first),),
    "nothing special": ((adoption, "SPECIAL", frozenset()),),
}


def apply(patch: pytest.MonkeyPatch, where: object, name: str, value: object) -> None:
    """Put a mutation in place, in a module, a class, a mode or a mode's table."""
    if isinstance(where, dict):
        patch.setitem(where, name, value)
    else:
        patch.setattr(where, name, value)


@pytest.mark.parametrize("name", MUTANTS)
def test_notices_a_removed_rule(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, attribute, value in MUTANTS[name]:
        apply(monkeypatch, where, attribute, value)
    for html, options in documents(1, DOCUMENTS):
        expected, _ = expected_tree(html, options)
        try:
            found = tree(html, options)
        except (AssertionError, IndexError, AttributeError, etree.XMLSyntaxError):
            return  # a mutant that breaks is noticed too
        if found != expected:
            return
    pytest.fail(f"{DOCUMENTS} documents did not notice: {name}")
