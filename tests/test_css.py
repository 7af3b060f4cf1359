"""CSS selectors: what a browser and an independent implementation select, and what is ours."""

from __future__ import annotations

import base64
import copy
import json
import random
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from lxml import etree
from support import CASES, Case, cases

import xmlfix
from xmlfix.extract.css import translate
from xmlfix.extract.query import css
from xmlfix.extract.query_error import QueryError

PAGE = (CASES / "css-page.html").read_text(encoding="utf-8")
STATES = (CASES / "css-states.html").read_text(encoding="utf-8")
# What Chromium selects, as positions among all elements; and where we deviate, what we do.
BROWSER = [
    (page, json.loads((CASES / name).read_text(encoding="utf-8")))
    for page, name in ((PAGE, "css-browser.json"), (STATES, "css-states-browser.json"))
]


def selected(root: etree._Element, selector: str) -> list[int]:
    """What a selector selects, as positions among all elements of the page."""
    places = {element: place for place, element in enumerate(root.iter("*"))}
    return [places[element] for element in css(root, selector)]


@pytest.mark.parametrize("options", [{}, {"xhtml": True}], ids=["plain", "xhtml"])
@pytest.mark.parametrize(("page", "browser"), BROWSER, ids=["page", "states"])
def test_selects_what_a_browser_selects(page: str, browser: Any, options: Any) -> None:
    root = xmlfix.fromstring(page, **options)
    names = browser["names"].lower().split()
    assert [re.sub("{.*}", "", str(e.tag)).lower() for e in root.iter("*")] == [
        name.removeprefix("o:") for name in names
    ]
    for selector, expected in browser["selected"].items():
        assert selected(root, selector) == browser["deviates"].get(selector, expected), selector


@pytest.mark.long
@pytest.mark.parametrize(("page", "browser"), BROWSER, ids=["page", "states"])
def test_a_browser_still_selects_so(page: str, browser: Any, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no browser here")
    selectors = list(browser["selected"])
    script = """
        const page = new DOMParser().parseFromString(PAGE, "text/html");
        const all = [...page.querySelectorAll("*")];
        const found = SELECTORS.map(s => [...page.querySelectorAll(s)].map(e => all.indexOf(e)));
        const bytes = new TextEncoder().encode(JSON.stringify(found));
        document.body.textContent = "@" + btoa(String.fromCharCode(...bytes)) + "@";
    """
    for word, value in (("PAGE", page), ("SELECTORS", selectors)):
        script = script.replace(f"{word}", json.dumps(value).replace("</", "<\\/"), 1)
    asking = tmp_path / "asking.html"
    asking.write_text(f"<!DOCTYPE html><body><script>{script}</script>", encoding="utf-8")
    words = [chromium, "--headless", "--no-sandbox", "--disable-gpu"]
    words += [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", asking.as_uri()]
    told = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    found = json.loads(base64.b64decode(told.stdout.split("@")[1]))
    assert dict(zip(selectors, found, strict=True)) == browser["selected"]


# ── random selectors ─────────────────────────────────────────────────────────

NAMES = ["div", "b", "i", "x", "y"]
SIMPLE = (
    ":first-child :last-child :only-child :first-of-type :last-of-type :only-of-type :empty"
    " :nth-child(2n+1) :nth-of-type(2) :nth-last-child(-n+2) :nth-last-of-type(2n) .k .q .k .q"
    " [t] [class=q] #z"
).split()


class Maker:
    """Makes random pages and selectors that have a chance to meet."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)

    def page(self) -> str:
        return "".join([self.element(6) for _ in range(3)])

    def element(self, levels: int) -> str:
        pick = self.choose.choice
        name = pick(NAMES)
        inner = pick(["", "", "", "t"])
        if levels:
            inner += "".join([self.element(levels - 1) for _ in range(pick([0, 1, 2, 3]))])
        attribute = pick(["", "", " class=k", ' class="k q"', " class=q", " id=z", " t=q"])
        return f"<{name}{attribute}>{inner}</{name}>"

    def group(self, level: int = 0) -> str:
        return ", ".join([self.complex(level) for _ in range(self.choose.choice([1, 1, 2]))])

    def complex(self, level: int) -> str:
        pick = self.choose.choice
        out = self.compound(level)
        for _ in range(pick([0, 1, 1, 2, 3, 4] if level == 0 else [0, 0, 1, 2])):
            out += pick([" ", " ", " > ", " + ", " ~ "]) + self.compound(level)
        return out

    def compound(self, level: int) -> str:
        pick = self.choose.choice
        out = pick(["", "", "", "*", *NAMES])
        for _ in range(pick([0, 1, 1, 2])):
            out += self.nested(level) if level < 2 and pick([0, 0, 0, 1]) else pick(SIMPLE)
        return out or pick(["*", ".k", "div"])

    def nested(self, level: int) -> str:
        pick = self.choose.choice
        if level == 0 and pick([0, 0, 1]):
            return f":has({pick(['', '> ', '+ ', '~ '])}{self.compound(2)})"
        opening = pick([":not(", ":is(", ":nth-child(2n+1 of ", ":nth-last-child(2 of "])
        return f"{opening}{self.group(level + 1)})"


@pytest.mark.parametrize("seed", range(5))
def test_selects_what_soupsieve_selects(seed: int) -> None:
    soupsieve = pytest.importorskip("soupsieve")
    bs4 = pytest.importorskip("bs4")
    maker = Maker(seed)
    met = 0
    for _ in range(5):
        page = maker.page()
        soup = bs4.BeautifulSoup(page, "html5lib")
        places = {id(element): place for place, element in enumerate(soup.find_all(True))}
        root = xmlfix.fromstring(page)
        for _ in range(25):
            selector = maker.group()
            expected = [places[id(element)] for element in soupsieve.select(selector, soup)]
            assert selected(root, selector) == expected, (selector, page)
            met += bool(expected)
    assert met > 20  # most of these selectors select something


# ── what is ours ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", cases("css.txt"), ids=lambda case: case.title)
def test_case(case: Case) -> None:
    root = xmlfix.fromstring(PAGE, **case.options)
    if case.title.startswith("mistake"):
        with pytest.raises(QueryError) as caught:
            css(root, case.given)
        assert str(caught.value).startswith(f"{case.expected[0]}: ")
        place = caught.value.place
        assert place is not None
        told = f": {case.given[:place]}<-- HERE {case.given[place:]}".rstrip()
        assert str(caught.value).rstrip().endswith(told)
    else:
        found = css(root, case.given)
        assert [e if isinstance(e, str) else f"<{e.tag}>" for e in found] == case.expected


def test_an_element_is_asked_where_it_stands() -> None:
    root = xmlfix.fromstring("<table id=a><tr><td>1<td>2<tr><td>3</table><table><tr><td>4</table>")
    row = css(root, "tr")[0]
    assert css(row, "td::text") == ["1", "2"]
    assert css(row, "#a td::text") == ["1", "2"]  # what lies around counts
    assert css(row, "> td + td::text") == ["2"]
    assert css(row, ":scope > td:first-child::text") == ["1"]
    assert css(row, ":scope") == [row]
    assert css(row, "table") == []
    assert css(row, "td + tr > td") == []  # nothing outside is selected


BESIDE = """<h2 id=a>A</h2><p class=k>1</p><p>2 <b>x</b></p><p class=k>3</p><h2 id=b>B</h2>
<ul><li>4</ul><p>5 <b>y</b></p>"""


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("+ p", ["1"]),
        ("+p ~ p", ["2 ", "3", "5 "]),
        ("~ p", ["1", "2 ", "3", "5 "]),
        ("~ .k + p", ["2 "]),
        ("~ p > b", ["x", "y"]),
        ("~ ul li", ["4"]),
        ("~ * b", ["x", "y"]),
        ("+ ul", []),
        ("+ p, ~ ul > li, > i", ["1", "4"]),
        ("~ p b, ~ p > b", ["x", "y"]),  # each once
        ("~ .k::attr(class)", ["k", "k"]),
        ("~ p:has(+ h2)", ["3"]),
    ],
)
def test_a_leading_sibling_combinator_starts_at_the_element(
    selector: str, expected: list[str]
) -> None:
    heading = css(xmlfix.fromstring(BESIDE), "#a")[0]
    found = css(heading, selector)
    assert [each if isinstance(each, str) else each.text for each in found] == expected


XML = (
    '<?xml version="1.0"?><list><Tag Name="1" type="A"/><tag name="2" type="a"/>'
    "<svg viewBox='x'/></list>"
)


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("Tag", "1"),
        ("tag", "2"),
        ("TAG", ""),
        ("*|Tag", "1"),
        (":is(Tag, svg)", "1 x"),
        ("[Name]", "1"),
        ("[name]", "2"),
        ("[*|Name]", "1"),
        ("[|name]", "2"),
        ("[viewbox]", ""),
        ("[viewBox]", "x"),
        ("[type=a]", "2"),
        ("[type=a i]", "1 2"),
        ("Tag:FIRST-CHILD", "1"),
    ],
)
def test_names_have_case_in_xml_documents_only(selector: str, names: str) -> None:
    for root in (xmlfix.fromstring(XML), xmlfix.fromstring(XML[21:], repair="xml"), etree.XML(XML)):
        assert " ".join([str(e.values()[0]) for e in css(root, selector)]) == names
    root = xmlfix.fromstring(XML[21:].replace("Tag", "TAG"))
    assert len(css(root, "Tag")) == len(css(root, "TAG")) == 2
    assert [len(css(root, f"[{name}]")) for name in ("Name", "|NAME", "*|Name", "VIEWBOX")] == [
        2, 2, 2, 1
    ]  # fmt: skip


def test_trees_of_others() -> None:
    page = "<p Data-ItemId=1>a"
    for root in (
        etree.XML(xmlfix.fix(page, xml_declaration=False)),  # root html
        etree.HTML(page),
        lxml.html.fromstring(page),
        xmlfix.fromstring(page, repair="stack"),
        copy.deepcopy(xmlfix.fromstring(page)),
    ):
        assert css(root, "P[data-itemID]::attr(data-itemId)") == ["1"]


LANGUAGES = {  # RFC 4647 §3.3.2, the example; and what is ours
    "de-*-DE": "de-DE de-de de-Latn-DE de-Latf-DE de-DE-x-goethe de-Latn-DE-1996 de-Deva-DE",
    "de-DE": "de-DE de-de de-Latn-DE de-Latf-DE de-DE-x-goethe de-Latn-DE-1996 de-Deva-DE",
    "*-CH": "de-CH gsw-Latn-CH",
    "de": "de de-DE de-de de-Latn-DE de-Latf-DE de-DE-x-goethe de-Latn-DE-1996 de-Deva-DE de-x-DE"
    " de-Deva de-CH",
    "*": "de de-DE de-de de-Latn-DE de-Latf-DE de-DE-x-goethe de-Latn-DE-1996 de-Deva-DE de-x-DE"
    " de-Deva de-CH gsw-Latn-CH",
    "DE-1996": "de-Latn-DE-1996",
    "de-CH-1996": "",
    "d": "",
    "de-": "",
}


@pytest.mark.parametrize("wanted", LANGUAGES)
def test_language_ranges(wanted: str) -> None:
    tags = LANGUAGES["*"].split()
    root = xmlfix.fromstring("".join([f"<p lang={tag}>{tag}</p>" for tag in tags]) + "<p lang>none")
    assert " ".join(css(root, f'p:lang("{wanted}")::text')) == LANGUAGES[wanted]
    assert css(root, 'p:lang("")::text') == ["none"]


def test_a_changed_tree_is_counted_anew() -> None:
    root = xmlfix.fromstring("<ul><li>a<li>b<li>c</ul>")
    assert css(root, "li:nth-of-type(2)::text") == ["b"]
    css(root, "ul")[0].remove(css(root, "li")[0])
    assert css(root, "li:nth-of-type(2)::text") == ["c"]


def test_siblings_of_different_parents_and_comments() -> None:
    root = xmlfix.fromstring("<div><!--x--><p>a</p>t<?pi x?><p>b</p></div><div><p>c</div>")
    assert css(root, "p:first-child::text") == ["a", "c"]
    assert css(root, "p + p::text") == ["b"]


@pytest.mark.parametrize(
    ("meta", "selected"),
    [("en", "a"), (" EN-gb ", "a"), ("en fr", "a"), ("de", ""), ("en,fr", ""), ("", "")],
)
def test_language_of_the_page(meta: str, selected: str) -> None:
    page = f'<meta http-equiv="Content-Language" content="{meta}"><p>a<p lang>b<p lang=fr>c'
    assert "".join(css(xmlfix.fromstring(page), "p:lang(en)::text")) == selected
    assert css(xmlfix.fromstring(page, xhtml=True), "p:lang(fr)::text") == ["c"]


def test_looking_back_never_tries_twice() -> None:
    # 240 levels: a reader that tries each choice of five ancestors takes years
    root = xmlfix.fromstring("<div>" * 240 + "<p>" + "<b></b>" * 300 + "<i>")
    assert css(root, "section " + "div " * 8 + "> p > i") == []
    assert len(css(root, "div " * 8 + "> p > i")) == 1
    assert css(root, "section > p > " + "b ~ " * 8 + "i") == []
    assert css(root, "u ~ " + "b ~ " * 8 + "i") == []
    assert len(css(root, "b ~ " * 8 + "i")) == 1


@pytest.mark.parametrize(
    "selector",
    [
        "li:nth-child(2n+1)",
        "li:nth-last-child(2n of .k)",
        "*:nth-of-type(3n)",
        "li + li",
    ],
)
def test_long_rows_of_siblings_take_linear_time(selector: str) -> None:
    times = []
    for count in (4000, 32_000):
        root = xmlfix.fromstring("<ul>" + "<li class=k>" * count)
        runs = []
        for _ in range(3):
            start = time.process_time()
            assert css(root, selector)
            runs.append(time.process_time() - start)
        times.append(min(runs))
    assert times[1] < 8 * 4 * times[0]  # quadratic: 64 times


def test_hostile_selectors_are_refused() -> None:
    root = xmlfix.fromstring("<p>a")
    nested = ":nth-child(1 of " * 25 + "p" + ")" * 25
    for selector, message in (
        (":is(" * 1000, "column 121: more than 30 levels"),
        (f":is({nested})", "too long"),
        (":not(" * 1000, "column 151: more than 30 levels"),
        (nested, "too long"),
        ("p" + ", p" * 15_000, "too long or too deeply nested"),
        ('[a="\x01"]', "no XML holds"),
    ):
        with pytest.raises(QueryError, match=message) as caught:
            css(root, selector)
        assert len(str(caught.value)) < 300


def test_quotes_and_backslashes_are_data() -> None:
    root = xmlfix.fromstring("""<p title='a"b'>1<p title="a'b">2<p title="a\\b">3""")
    root.findall(".//p")[2].set("title", "\"'] | //*['")
    assert css(root, """[title='a"b']::text""") == ["1"]
    assert css(root, """[title="a'b"]::text""") == ["2"]
    assert css(root, r"""[title="\"'] | //*['"]::text""") == ["3"]


def test_translation_is_plain_xpath() -> None:
    root = xmlfix.fromstring("<ul><li><a href=x>1</a></ul><a>2</a>")
    assert root.xpath(translate("ul > li a[href]::text")) == ["1"]
