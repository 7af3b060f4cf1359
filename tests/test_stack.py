"""The plain stack repair: each of its rules, with HTML manners and with XML manners."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from support import Case, cases, parse_strictly

from xmlfix import fix
from xmlfix.elements import VOID

# The start tags that end a p element: WHATWG #parsing-main-inbody, "close a p element".
ENDS_P = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption"
    " figure footer header hgroup main menu nav ol p search section summary ul"
    " h1 h2 h3 h4 h5 h6 pre listing form li dd dt plaintext hr xmp table"
).split()
KEEPS_P = (
    "a b big code em font i nobr s small strike strong tt u span label br img input select"
    " textarea button object iframe script style svg math ins del map video unknown"
).split()


def check(case: Case, repair: Literal["stack", "xml"]) -> None:
    options: dict[str, Any] = {"repair": repair, "xml_declaration": False, **case.options}
    xml = fix(case.given, **options)
    assert [xml] == case.expected
    parse_strictly(xml)


@pytest.mark.parametrize("case", cases("stack.txt"), ids=lambda case: case.title)
def test_html_manners(case: Case) -> None:
    check(case, "stack")


@pytest.mark.parametrize("case", cases("xml.txt"), ids=lambda case: case.title)
def test_xml_manners(case: Case) -> None:
    check(case, "xml")


@pytest.mark.parametrize("name", ENDS_P)
def test_start_tags_that_end_p(name: str) -> None:
    xml = fix(f"<p><b>x<{name}>", repair="stack", xml_declaration=False)
    assert xml.startswith(f"<root><p><b>x</b></p><{name}")


@pytest.mark.parametrize("name", KEEPS_P)
def test_start_tags_that_do_not_end_p(name: str) -> None:
    xml = fix(f"<p><b>x<{name}>", repair="stack", xml_declaration=False)
    assert xml.startswith(f"<p><b>x<{name}")
    assert xml.endswith("</b></p>")


@pytest.mark.parametrize("name", sorted(VOID))
def test_void_elements(name: str) -> None:
    xml = fix(f"<div><{name}>a</{name}>b<{name}/></div>", repair="stack", xml_declaration=False)
    assert xml == f"<div><{name}/>ab<{name}/></div>"


# ── depth ────────────────────────────────────────────────────────────────────


def depth(xml: str) -> int:
    """How deep the elements of `xml` are nested."""
    deepest = 0
    pending = [(parse_strictly(xml), 1)]
    while pending:
        element, level = pending.pop()
        deepest = max(deepest, level)
        pending += [(child, level + 1) for child in element]
    return deepest


@pytest.mark.parametrize("repair", ["stack", "xml"])
@pytest.mark.parametrize("levels", [1, 255, 256, 257, 1000, 20_000])
def test_depth_is_what_parsers_take(levels: int, repair: Any) -> None:
    xml = fix("<i>" * levels + "x", repair=repair)
    assert depth(xml) == min(levels, 256)
    assert parse_strictly(xml).xpath("string()") == "x"


@pytest.mark.parametrize("repair", ["stack", "xml"])
@pytest.mark.parametrize("levels", [254, 255, 256, 257])
def test_depth_with_a_wrapper(levels: int, repair: Any) -> None:
    xml = fix("<i>" * levels + "x" + "</i>" * levels + "y", repair=repair)
    assert depth(xml) == min(levels + 1, 256)
    assert parse_strictly(xml).xpath("string()") == "xy"


@pytest.mark.parametrize("levels", [255, 256, 257])
def test_depth_with_void_elements(levels: int) -> None:
    xml = fix("<i>" * levels + "x<br>y", repair="stack")
    assert depth(xml) == 256
    assert parse_strictly(xml).xpath("string()") == "xy"


def test_depth_may_be_greater() -> None:
    xml = fix("<i>" * 5000 + "x", repair="stack", max_depth=2000, xml_declaration=False)
    assert xml == "<i>" * 2000 + "</i><i>" * 3000 + "x" + "</i>" * 2000


def test_depth_keeps_all_text() -> None:
    markup = "".join(f"<i>{n} " for n in range(400)) + "".join(f"</i>{n} " for n in range(400))
    tree = parse_strictly(fix(markup, repair="stack"))
    numbers = [int(word) for word in str(tree.xpath("string()")).split()]
    assert numbers == [*range(400), *range(400)]


def test_values_that_look_like_attributes() -> None:
    """What a root, a prefix and a meta look for in tags they do not find in values."""
    wrapped = fix(
        "<r>" * 7 + '<i title=" xmlns=" b="c"><b>x</b></i>', repair="stack", root="r", max_depth=8
    )
    assert '<i title=" xmlns=" b="c"></i><b>x</b>' in wrapped
    declared = fix('<o:p title=" xmlns:o=" b="c">x', repair="stack")
    assert declared.endswith(
        '<o:p xmlns:o="urn:schemas-microsoft-com:office:office" title=" xmlns:o=" b="c">x</o:p>'
    )
    meta = '<meta content=" http-equiv=" http-equiv="refresh" charset="latin1" title=" charset="/>'
    updated = fix(meta, repair="stack", meta_charset="update")
    assert updated.endswith(meta.replace("latin1", "utf-8"))
