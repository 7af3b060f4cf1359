"""The public calls: what they take, give and refuse."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import pkgutil
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from support import ROOT

import xmlfix
from xmlfix import (
    InputError,
    LimitError,
    OptionError,
    XmlfixError,
    check,
    fix,
    fix_bytes,
    fromstring,
    parse,
    tokens,
)
from xmlfix.options import OPTIONS, Options

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(xmlfix.__path__, "xmlfix.")
    if module.name != "xmlfix.__main__"
)
HTML_CALLS = (fix, fix_bytes, fromstring, parse)
BAD_OPTIONS: list[dict[str, Any]] = [
    {"xhtml": True},
    {"scripting": True},
    {"nope": 1},
    {"repair": "no"},
    {"repair": None},
    {"repair": []},
    {"input": "json"},
    {"encoding": 5},
    {"encoding": b"utf-8"},
    {"root": ""},
    {"root": "a b"},
    {"root": "a:b"},
    {"root": "1"},
    {"root": 5},
    {"root": "r" * 60_000},  # parsers take no such name
    {"body_only": 1},
    {"body_only": None},
    {"drop": "script"},
    {"drop": 5},
    {"drop": None},
    {"drop": [5]},
    {"drop": b"script"},
    {"nbsp": "no"},
    {"bare_attribute": None},
    {"bare_attribute": True},
    {"doctype": True},
    {"pi": "no"},
    {"prefixes": "no"},
    {"xml_declaration": 0},
    {"max_depth": 7},
    {"max_depth": "9"},
    {"max_depth": 9.0},
    {"max_depth": True},
    {"on_finding": 5},
]

# ── signatures and errors ────────────────────────────────────────────────────


def test_public_names() -> None:
    assert {name for name in xmlfix.__all__ if not hasattr(xmlfix, name)} == set()
    undocumented = {name for name in xmlfix.__all__ if not getattr(xmlfix, name).__doc__}
    assert undocumented <= {"ElementTree"}  # a class of lxml's
    with pytest.raises(AttributeError, match="nope"):
        _ = xmlfix.nope


def test_signatures() -> None:
    signature = {call.__name__: [*inspect.signature(call).parameters] for call in HTML_CALLS}
    assert signature == {
        "fix": ["html", "options"],
        "fix_bytes": ["html", "output_encoding", "options"],
        "fromstring": ["html", "options"],
        "parse": ["source", "options"],
    }
    assert [*inspect.signature(check).parameters] == ["xml", "huge"]
    assert [*inspect.signature(tokens).parameters] == ["html", "encoding"]
    assert [*inspect.signature(xmlfix.unescape_name).parameters] == ["name"]


@pytest.mark.parametrize("call", [*HTML_CALLS, check, tokens], ids=lambda call: call.__name__)
@pytest.mark.parametrize("value", [None, 5, ["<p>"], pytest.param(object(), id="object")], ids=repr)
def test_markup_is_str_or_bytes(call: Any, value: object) -> None:
    with pytest.raises(TypeError):
        call(value)


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=lambda options: repr(options)[:40])
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        fix("<p>x", **{"repair": "stack", **options})
    assert next(iter(options)) in str(caught.value)


@pytest.mark.parametrize("call", HTML_CALLS, ids=lambda call: call.__name__)
def test_all_calls_refuse_unknown_options(call: Any) -> None:
    with pytest.raises(OptionError, match="'nope'"):
        call("<p>x", repair="stack", nope=1)


def test_an_option_like_an_unknown_one_is_named() -> None:
    with pytest.raises(OptionError, match=r"unknown option 'repiar'; did you mean repair\?$"):
        fix("<p>x", repiar="stack")  # type: ignore[call-arg]


@pytest.mark.parametrize("encoding", ["klingon", "", "utf-8\0", "rot13", "idna", "undefined"])
def test_unknown_input_encoding(encoding: str) -> None:
    with pytest.raises(InputError):
        fix(b"<p>x", repair="stack", encoding=encoding)
    with pytest.raises(InputError):
        tokens(b"<p>x", encoding=encoding)


# Python's codecs for other ends than a document's encoding are unknown as well.
@pytest.mark.parametrize(
    "encoding",
    ["klingon", "", "utf-8\0", "rot13", "undefined", "idna", "punycode", "unicode_escape"],
)
def test_unknown_output_encoding(encoding: str) -> None:
    with pytest.raises(OptionError, match="output_encoding"):
        fix_bytes("<p>\xe9..x", output_encoding=encoding, repair="stack")


def test_exceptions_have_one_base() -> None:
    for error in (InputError, LimitError, OptionError):
        assert issubclass(error, XmlfixError)
    assert issubclass(OptionError, ValueError)
    assert issubclass(InputError, ValueError)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_kinds_of_bytes(kind: Any) -> None:
    data = kind("<p>é".encode())
    assert fix(data, repair="stack", xml_declaration=False) == "<p>é</p>"
    assert [token.start for token in tokens(data)] == [0, 3]


# ── what the calls give ──────────────────────────────────────────────────────


def test_fix_declares_no_encoding() -> None:
    xml = fix("<p>é", repair="stack")
    assert xml == '<?xml version="1.0" standalone="yes"?>\n<p>é</p>'
    assert etree.fromstring(xml).text == "é"


@pytest.mark.parametrize(
    ("encoding", "declared", "body"),
    [
        ("utf-8", "UTF-8", "<né a='é'>é中&amp;</né>"),
        ("UTF8", "UTF-8", "<né a='é'>é中&amp;</né>"),
        ("utf-16", "UTF-16", "<né a='é'>é中&amp;</né>"),
        ("utf-16-le", "UTF-16LE", "<né a='é'>é中&amp;</né>"),
        ("utf-8-sig", "UTF-8", "<né a='é'>é中&amp;</né>"),
        ("ascii", "US-ASCII", "<nU0000E9 a='&#233;'>&#233;&#20013;&amp;</nU0000E9>"),
        ("latin-1", "ISO-8859-1", "<né a='é'>é&#20013;&amp;</né>"),
        ("iso-8859-2", "ISO-8859-2", "<né a='é'>é&#20013;&amp;</né>"),
        ("windows-1252", "windows-1252", "<né a='é'>é&#20013;&amp;</né>"),
    ],
)
def test_output_encoding(encoding: str, declared: str, body: str) -> None:
    data = fix_bytes("<né a=é>é中&", output_encoding=encoding, repair="stack")
    head, _, rest = data.decode(encoding).partition("\n")
    # names that are registered for XML (§4.3.3), not Python's own
    assert head.lower() == f'<?xml version="1.0" encoding="{declared.lower()}" standalone="yes"?>'
    root = etree.fromstring(data)
    assert (root.text, root.get("a")) == ("é中&", "é")
    assert xmlfix.unescape_name(str(root.tag)) == "né"
    assert rest == body.replace("'", '"')


@pytest.mark.parametrize(
    "markup",
    [
        *("<r><é:ü xmlns:é='u:1' é:ö='ä'>x</é:ü></r>", "<r><!-- é --></r>", "<r><?a é?></r>"),
        *("<r><?é b?></r>", "<r><?a é>b?></r>", "<r title='\"é'>é</r>", "<!DOCTYPE é><é/>"),
        *("<!DOCTYPE r SYSTEM 'é'><r/>", "<r é='1' U0000E9='2'>x</r>"),
    ],
)
def test_ascii_output_of_everything(markup: str) -> None:
    data = fix_bytes(markup, output_encoding="ascii", repair="xml", doctype="keep")
    assert data.isascii()
    root = etree.fromstring(data)
    assert root.xpath("string()") == etree.fromstring(fix(markup, repair="xml")).xpath("string()")


def test_fix_bytes_without_declaration() -> None:
    assert fix_bytes("<p>é", repair="stack", xml_declaration=False) == "<p>é</p>".encode()


def test_fromstring_and_parse() -> None:
    root = fromstring("<ul><li>a<li>b", repair="stack")
    assert isinstance(root, etree._Element)
    assert [item.text for item in root.iter("li")] == ["a", "b"]
    tree = parse("<ul><li>a<li>b", repair="stack")
    assert isinstance(tree, etree._ElementTree)
    assert tree.getroot().tag == "ul"


@pytest.mark.parametrize("options", [{}, {"xml_declaration": False}, {"doctype": "keep"}])
def test_fromstring_takes_any_options(options: dict[str, Any]) -> None:
    root = fromstring("<!DOCTYPE html SYSTEM 'x'><p>é&nbsp;", repair="stack", **options)
    assert root.text == "é\xa0"


def test_fromstring_takes_more_than_lxml_does_by_default() -> None:
    long = "x" * 10_500_000
    assert fromstring(f"<p>{long}", repair="stack").text == long
    root = fromstring("<i>" * 1000, repair="stack", max_depth=1000)
    assert sum(1 for _ in root.iter()) == 1000


def test_parse_sources(tmp_path: Path) -> None:
    path = tmp_path / "é.html"
    path.write_bytes("<p>é".encode())
    sources = [
        *("<p>é", "<p>é".encode(), bytearray("<p>é".encode()), path),
        *(io.StringIO("<p>é"), io.BytesIO("<p>é".encode())),
    ]
    for source in sources:
        assert parse(source, repair="stack").getroot().text == "é"  # type: ignore[arg-type]
    with path.open("rb") as file:
        assert parse(file, repair="stack").getroot().text == "é"
    with pytest.raises(FileNotFoundError):
        parse(tmp_path / "absent.html", repair="stack")


@pytest.mark.parametrize("text", ["page.html", "a/b.HTM", "x.xml", "https://a.example/b"])
def test_a_str_like_a_file_name_warns(text: str) -> None:
    with pytest.warns(UserWarning, match=re.escape(text)) as caught:
        tree = parse(text, repair="stack")
    assert caught[0].filename == __file__
    assert tree.getroot().text == text


@pytest.mark.parametrize("text", ["", "page", "<a>.html", "see a.html\nb", "x" * 2000 + ".html"])
def test_other_str_do_not_warn(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(text, repair="stack")


@pytest.mark.parametrize(
    ("xml", "place", "message"),
    [
        ("<a/>", (0, 0), ""),
        ("", (1, 1), "empty"),
        ("<a>\n<b></a>", (2, 8), "mismatch"),
        ("<a b:c='1'/>", (1, 11), "prefix b"),
        ("<a>\ud800</a>", (1, 4), "surrogate"),
        ("<a>&nbsp;</a>", (1, 10), "nbsp"),
        ("<?xml version='1.0' encoding='klingon'?><a/>", (0, 0), ""),
    ],
)
def test_check(xml: str, place: tuple[int, int], message: str) -> None:
    result = check(xml)
    assert bool(result) == (not message)
    assert (result.line, result.column) == place
    assert message in result.message
    assert repr(result).startswith("<CheckResult ")


def test_check_of_bytes_heeds_the_encoding() -> None:
    assert check("<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>".encode("latin-1"))
    assert not check("<a>é</a>".encode("latin-1"))


def test_check_huge() -> None:
    deep = "<a>" * 300 + "</a>" * 300
    assert not check(deep)
    assert check(deep, huge=True)


def test_check_opens_no_files(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("SECRET")
    xml = f"<!DOCTYPE a [<!ENTITY e SYSTEM '{tmp_path / 'e.txt'}'>]><a>&e;</a>"
    assert "SECRET" not in repr(check(xml))
    assert "SECRET" not in fix(xml, repair="xml")


# ── options ──────────────────────────────────────────────────────────────────


def test_options_are_documented_once() -> None:
    from xmlfix import options

    words = [option.word for option in OPTIONS]
    assert len(set(words)) == len(words)
    assert [*Options.__slots__] == words
    source = inspect.getsource(options)
    settings_class = source[source.index("class Settings") : source.index("class Option:")]
    assert re.findall(r"^        (\w+): ", settings_class, re.MULTILINE) == words
    assert [*Options.__annotations__] == words
    assert all(option.meaning for option in OPTIONS)


def test_options_do_not_change_what_is_given() -> None:
    given_drop = ["script"]
    options: dict[str, Any] = {"repair": "stack", "drop": given_drop}
    assert fix("<script>a</script>", **options) == fix("<script>b</script>", **options)
    assert options == {"repair": "stack", "drop": given_drop}
    assert given_drop == ["script"]


# ── documentation that runs ──────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["xmlfix", *MODULES])
def test_doctests(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    if name in {"xmlfix", "xmlfix.wellformed", "xmlfix.read.stream", "xmlfix.write.names"}:
        assert result.attempted > 0


@pytest.mark.parametrize("name", ["xmlfix", *MODULES])
def test_each_module_can_be_imported_first(name: str) -> None:
    run = subprocess.run([sys.executable, "-c", f"import {name}"], cwd=ROOT, check=False)
    assert run.returncode == 0


def test_max_input() -> None:
    assert xmlfix.fix("abc", max_input=3)
    with pytest.raises(xmlfix.LimitError, match="max_input"):
        xmlfix.fix("abcd", max_input=3)
    fixer = xmlfix.Fixer(max_input=3)
    with pytest.raises(xmlfix.LimitError):
        fixer.feed("abcd" * 1000)


@pytest.mark.parametrize("longest", [9_999_900, 9_999_990])
def test_a_huge_start_tag_is_a_finding(longest: int) -> None:
    """lxml's default parser refuses it, though none of its attributes is that long."""
    attributes = "".join(f' a{number}="{"x" * 1_000_000}"' for number in range(9))
    attributes += f' z="{"z" * (longest - len(attributes) - 8)}"'
    found: list[xmlfix.Finding] = []
    xml = xmlfix.fix(f"<p{attributes}>x</p>", on_finding=found.append)
    is_huge = len(f"<p{attributes}>") > 9_999_900
    assert [f.code for f in found if f.code == "xmlfix-huge-node"] == (
        ["xmlfix-huge-node"] * is_huge
    )
    assert bool(xmlfix.check(xml)) is not is_huge
    assert xmlfix.check(xml, huge=True)
    assert len(xmlfix.parse(xml).find(".//p").attrib) == 10
    assert len(xmlfix.fromstring(xml.encode()).find(".//p").attrib) == 10


def test_a_huge_text_is_a_finding() -> None:
    found: list[xmlfix.Finding] = []
    html = "<p>" + "x" * 5_100_000 + "&lt;" + "x" * 5_000_000
    xml = fix(html, on_finding=found.append)
    assert [f.code for f in found if f.code == "xmlfix-huge-node"] == ["xmlfix-huge-node"]
    assert not xmlfix.check(xml)
    assert xmlfix.check(xml, huge=True)
    assert len(xmlfix.fromstring(html).findtext(".//p") or "") == 10_100_001
