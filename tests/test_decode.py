"""The text of bytes: which encoding is found, from what, and what happens when it changes."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from prescan import Prescan
from support import need_shared, parse_strictly

import xmlfix
from xmlfix import InputError, OptionError, Sniffed, fix, fix_bytes, sniff
from xmlfix.decoders import decode_as, decoder
from xmlfix.encodings import lookup
from xmlfix.finding import Finding
from xmlfix.fixer import Run
from xmlfix.sniffing import prescan, sniff_bytes, xml_encoding


def body(markup: bytes | str, **options: Any) -> str:
    """The text of the fixed page."""
    return "".join(parse_strictly(fix(markup, **options)).itertext())


def encoding_of(markup: bytes, **options: Any) -> Sniffed | None:
    """The encoding with which a page has been read in the end."""
    run = Run(markup, options)
    run.output()
    return run.intake.sniffed


# ── the standard's cases ─────────────────────────────────────────────────────


def encoding_cases() -> Iterator[tuple[bytes, str]]:
    """The cases of the encoding/*.dat files: a page, and the encoding that is found."""
    for path in sorted(need_shared("html5lib-tests", "encoding").glob("*.dat")):
        for case in re.split(rb"(?:^|\n)#data\n", path.read_bytes())[1:]:
            data, _, name = case.partition(b"\n#encoding\n")
            yield data, name.decode().strip()


@pytest.mark.parametrize("repair", ["browser", "stack"])
@pytest.mark.parametrize("is_watched", [False, True])
def test_encoding_cases(repair: str, is_watched: bool) -> None:
    options: dict[str, Any] = {"repair": repair, "fallback": "windows-1252"}
    if is_watched:
        options["on_finding"] = lambda finding: None
    found = list(encoding_cases())
    assert len(found) >= 82
    for data, name in found:
        sniffed = encoding_of(data, **options)
        assert sniffed is not None
        assert sniffed.encoding == lookup(name), data[:300]


WORDS = (
    b"<meta|<META |<meta/|charset|charset=|Charset = |=|'|\"|>|/| |\n|<!--|-->|--!>|<!|</|<?|<?xml"
    b"|<p |</p x=y>|<a b='|utf-8|koi8-r|x-user-defined|utf-16|utf-16be|nonsense|replacement"
    b"|http-equiv=|content-type|Content-Type|content=|text/html; |;|,|encoding|encoding=|version"
    b"|\x00|\xff|\xc3|\x0c|<|x|?>|<\x00?\x00x\x00|\x00<\x00?\x00x"
).split(b"|")
soup = st.lists(st.sampled_from(WORDS), max_size=25).map(b"".join)


@given(soup)
@example(b"<?xml encoding\x00='koi8-r'?><meta charset=utf-16>")
@example(b"<meta charset=nonsense content='charset=koi8-r' http-equiv=content-type>")
@example(b"<meta content='charset charset = koi8-r' http-equiv=CONTENT-TYPE>")
@example(b"<a <meta charset=koi8-r>><meta charset='x-user-defined'/>")
def test_the_prescan_is_the_standards(data: bytes) -> None:
    assert (prescan(data) or xml_encoding(data)) == Prescan(data).result()


@given(st.binary(max_size=40), soup)
def test_any_bytes_have_an_encoding(odd: bytes, data: bytes) -> None:
    found = sniff(odd + data)
    assert lookup(found.encoding) == found.encoding
    fix(odd + data)


# ── step by step ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        # the caller overrides everything
        (b"\xef\xbb\xbfa", {"encoding": "koi8-r"}, Sniffed("koi8-r", "encoding", True)),
        (b"a", {"encoding": "latin1"}, Sniffed("windows-1252", "encoding", True)),
        (b"a", {"encoding": "cp437"}, Sniffed("cp437", "encoding", True)),
        (b"\xfe\xff\0a", {"encoding": "utf-16"}, Sniffed("utf-16be", "encoding", True)),
        (b"\xff\xfea\0", {"encoding": "UTF_16"}, Sniffed("utf-16le", "encoding", True)),
        (b"\xfe\xff\0a", {"encoding": "utf-16le"}, Sniffed("utf-16le", "encoding", True)),
        # a byte order mark overrides the transport
        (b"\xef\xbb\xbfa", {"transport_encoding": "koi8-r"}, Sniffed("utf-8", "bom", True)),
        (b"\xfe\xff\0a", {}, Sniffed("utf-16be", "bom", True)),
        (b"\xff\xfea\0", {"fallback": "koi8-r"}, Sniffed("utf-16le", "bom", True)),
        (b"\xff\xfe\0\0", {}, Sniffed("utf-16le", "bom", True)),
        # the transport overrides the page
        (
            b"<meta charset=big5>",
            {"transport_encoding": "koi8-r"},
            Sniffed("koi8-r", "transport", True),
        ),
        (b"<meta charset=big5>", {"transport_encoding": "nonsense"}, Sniffed("big5", "meta")),
        # a meta overrides the XML declaration
        (b"<?xml encoding='koi8-r'?><meta charset=big5>", {}, Sniffed("big5", "meta")),
        (b"<?xml encoding='koi8-r'?>", {}, Sniffed("koi8-r", "xml declaration")),
        (b"<?xml encoding='utf-16'?>", {}, Sniffed("utf-8", "xml declaration")),
        (b"<\0?\0x\0m\0", {}, Sniffed("utf-16le", "meta")),
        (b" " * 1013 + b"<meta charset=big5>", {}, Sniffed("utf-8", "utf-8")),
        (b" " * 1005 + b"<meta charset=big5>", {}, Sniffed("big5", "meta")),
        # what the bytes look like
        (b"", {}, Sniffed("utf-8", "utf-8")),
        (b"abc", {}, Sniffed("utf-8", "utf-8")),
        ("é".encode(), {}, Sniffed("utf-8", "utf-8")),
        (b"caf\xe9", {}, Sniffed("windows-1252", "fallback")),
        (b"\xe9t\xe9", {}, Sniffed("windows-1252", "fallback")),
        ("é".encode(), {"fallback": "l2"}, Sniffed("iso-8859-2", "fallback")),
        (b"abc", {"fallback": "utf-8"}, Sniffed("utf-8", "fallback")),
    ],
)
def test_steps(data: bytes, options: dict[str, Any], expected: Sniffed) -> None:
    assert sniff(data, **options) == expected
    assert sniff(memoryview(data), **options) == expected


def test_utf_8_is_looked_for_in_64_kib_from_the_first_other_byte() -> None:
    euro = "€".encode()
    ascii_text = b"a" * 200_000
    assert sniff(ascii_text + euro * 30_000).encoding == "utf-8"
    # the sequence at the end of what is examined is cut short: 65,536 is no multiple of 3
    assert sniff(ascii_text + euro * 21_846 + b"\xff").encoding == "utf-8"
    assert sniff(ascii_text + euro * 21_845 + b"\xff").encoding == "windows-1252"
    # a document that ends within a character is still UTF-8, if it has others
    assert sniff(euro * 10 + euro[:2]).encoding == "utf-8"
    assert sniff(b"abc" + euro[:2]).encoding == "windows-1252"
    assert sniff(euro * 10 + euro[:2] + b"a").encoding == "windows-1252"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        *[("koi8-r", "koi8-r"), (" KOI8-R ", "koi8-r"), ("nonsense", None), ("", None)],
        *[("text/html", None), ("text/html; charset=koi8-r", "koi8-r")],
        *[("text/html;charset=KOI8-R;x=y", "koi8-r"), ('text/html;charset="koi8-r"', "koi8-r")],
        *[("text/html;CharSet=koi8-r", "koi8-r"), ('text/html;charset="koi8\\-r"', "koi8-r")],
        ("text/html; charset=koi8-r; charset=big5", "koi8-r"),
        ('text/html; x=";charset=big5;"; charset=koi8-r', "koi8-r"),
        *[("text/html; xcharset=big5", None), ("charset=koi8-r", "koi8-r")],
        *[("; charset=koi8-r", "koi8-r"), ('text/html;charset="koi8-r', "koi8-r")],
        ("text/html;charset='koi8-r'", None),
    ],
)
def test_transport(value: str, name: str | None) -> None:
    found = sniff(b"abc", transport_encoding=value)
    assert (found.encoding if found.evidence == "transport" else None) == name


def test_unusable_arguments() -> None:
    with pytest.raises(InputError, match="klingon"):
        sniff(b"", encoding="klingon")
    with pytest.raises(OptionError, match=r"fallback.*klingon"):
        sniff(b"", fallback="klingon")
    with pytest.raises(OptionError, match=r"fallback.*klingon"):
        fix("", fallback="klingon")
    with pytest.raises(TypeError):
        sniff("text")  # type: ignore[arg-type]


def test_sniffed() -> None:
    one, other = sniff(b"<meta charset=l1>"), Sniffed("windows-1252", "meta")
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == "<Sniffed windows-1252: meta, tentative>"
    assert one != Sniffed("windows-1252", "meta", True)
    assert one != "windows-1252"


# ── a detector ───────────────────────────────────────────────────────────────


def test_detector() -> None:
    pytest.importorskip("chardet")
    russian = "Все счастливые семьи похожи друг на друга".encode("koi8-r")
    assert sniff(russian * 5, detect=True) == Sniffed("koi8-r", "detector")
    assert body(russian * 5, detect=True).startswith("Все счастливые")
    japanese = "日本語の文字です。".encode("iso2022_jp")
    assert sniff(b"<p>" + japanese * 9, detect=True).encoding == "iso-2022-jp"
    assert sniff(b"abc", detect=True).evidence == "utf-8"
    assert sniff(b"<meta charset=big5>" + russian, detect=True).evidence == "meta"
    # UTF-32 is none of the standard's encodings
    assert sniff("abc€".encode("utf-32-be") * 30, detect=True).evidence == "fallback"


def test_absent_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "chardet", None)
    with pytest.raises(OptionError, match=r"xmlfix\[detect\]"):
        sniff(b"\xe9", detect=True)
    assert sniff(b"<meta charset=big5>", detect=True).encoding == "big5"


# ── real pages ───────────────────────────────────────────────────────────────


def manifest() -> list[dict[str, str]]:
    path = need_shared("pages", "MANIFEST.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_declared_encodings_of_real_pages() -> None:
    rows = [row for row in manifest() if row["declared_charset"]]
    assert len(rows) > 100
    for row in rows:
        data = need_shared("pages", row["file"]).read_bytes()
        sniffed = encoding_of(data)
        assert sniffed is not None
        assert sniffed.encoding == lookup(row["declared_charset"].removesuffix("-bom")), row["file"]


# The pages that say nothing and are not ASCII: what they are, and what the detector finds,
# where that reads otherwise. UTF-32 is no encoding of the standard; the Big5 page is a table
# of all its characters, each alone, which is no text in any language.
MISSED = {
    "chardet__0010": ("utf-32be", "windows-1252"),
    "tidy__0054": ("big5", "windows-1251"),
}
UNDECLARED = {
    "chardet__0001": "big5",
    "chardet__0002": "euc-jp",
    "chardet__0005": "gb18030",
    "chardet__0006": "koi8-r",
    "chardet__0009": "utf-16le",
    "chardet__0016": "iso-8859-7",
    "chardet__0022": "iso-8859-8",
    "chardet__0023": "windows-1255",
    "mtpanpip__0001": "windows-1251",
}


def test_detected_encodings_of_real_pages() -> None:
    pytest.importorskip("chardet")
    missed = {}
    for row in manifest():
        data = need_shared("pages", row["file"]).read_bytes()
        key = "__".join(row["file"].split("__")[:2])
        if row["declared_charset"] or data.isascii():
            continue
        found = sniff(data, detect=True).encoding
        true = MISSED[key][0] if key in MISSED else UNDECLARED.get(key, "utf-8")
        if key in MISSED or decode_as(data, found) != decode_as(data, true):
            missed[key] = (true, found)
    assert missed == MISSED


# ── a meta element met while parsing ─────────────────────────────────────────

RUSSIAN = "Привет"
LATE = b"<title>" + RUSSIAN.encode("koi8-r") + b"</title><!--" + b"-" * 1100 + b"-->"


@pytest.mark.parametrize("repair", ["browser", "stack"])
@pytest.mark.parametrize("is_watched", [False, True])
@pytest.mark.parametrize(
    ("meta", "is_heeded"),
    [
        ("<meta charset=koi8-r>", True),
        ("<META CHARSET='KOI8-R'/>", True),
        ("<meta charset=nonsense><meta charset=koi8-r>", True),
        ('<meta http-equiv=content-type content="text/html; charset=koi8-r">', True),
        ("<meta charset=nonsense http-equiv=Content-Type content='charset=koi8-r'>", True),
        ("<p>x<table><meta charset=koi8-r>", True),
        ("<body><div><meta charset=koi8-r></div>", True),
        ("<meta name=x><link><meta charset='&#107;oi8-r'>", True),
        ("<meta charset=windows-1252><meta charset=koi8-r>", False),
        ("<meta content='text/html; charset=koi8-r'>", False),
        ("<!--<meta charset=koi8-r>-->", False),
        ("<script><meta charset=koi8-r></script>", False),
    ],
)
def test_late_meta(meta: str, is_heeded: bool, repair: str, is_watched: bool) -> None:
    options: dict[str, Any] = {"repair": repair, "fallback": "windows-1252"}
    if is_watched:
        options["on_finding"] = lambda finding: None
    text = body(LATE + meta.encode(), **options)
    assert (RUSSIAN in text) is is_heeded


@pytest.mark.parametrize("is_watched", [False, True])
def test_how_far_a_meta_may_stand(is_watched: bool) -> None:
    watch = {"on_finding": lambda finding: None} if is_watched else {}
    for size, is_heeded in ((65_500, True), (65_600, False)):
        text = b"<p>" + RUSSIAN.encode("koi8-r") + b"x" * (size - 9)
        text += b"<meta charset=koi8-r>"
        assert (RUSSIAN in body(text, **watch)) is is_heeded
    # bytes are counted, not characters
    text = b"<meta charset=utf-8><p>" + "€".encode() * 30_000 + b"<meta charset=koi8-r>"
    assert "€" in body(text, **watch)


def test_what_a_late_meta_cannot_change() -> None:
    page = LATE + b"<meta charset=koi8-r>"
    for options in ({"encoding": "l1"}, {"transport_encoding": "text/html;charset=l1"}):
        assert RUSSIAN not in body(page, **options)
    assert RUSSIAN not in body(page.decode("latin-1"))
    assert RUSSIAN in body(b"\xef\xbb\xbf<p>" + RUSSIAN.encode() + page)
    # UTF-16 in a meta is UTF-8, and what is UTF-16 stays so
    assert encoding_of(LATE + b"<meta charset=utf-16le>") == Sniffed("utf-8", "meta", True)
    assert encoding_of(LATE + b"<meta charset=x-user-defined>", fallback="l2") == Sniffed(
        "windows-1252", "meta", True
    )
    declared = "<?xml version='1.0'?><html><meta charset=koi8-r>" + RUSSIAN
    assert RUSSIAN in body(declared.encode("utf-16-le"))


def test_findings_of_an_abandoned_pass_are_not_delivered() -> None:
    page = b"<p class=a>\xc1</b><!--" + b"x" * 1100 + b"--><meta charset=koi8-r><p id=b>\xc2"
    twice: list[Finding] = []
    once: list[Finding] = []
    xml = fix(page, on_finding=twice.append)
    assert xml == fix(page, encoding="koi8-r", on_finding=once.append)
    assert twice == once
    assert len(once) > 3


def test_findings_come_at_once_when_the_encoding_is_certain() -> None:
    found: list[Finding] = []

    def receive(finding: Finding) -> None:
        found.append(finding)
        raise KeyError

    for page in (b"<p></b><p></b>", b"<meta charset=utf-8><p></b><p></b>"):
        found.clear()
        with pytest.raises(KeyError):
            fix(page, on_finding=receive)
        assert len(found) == 1


# ── malformed bytes ──────────────────────────────────────────────────────────


def malformed(data: bytes, **options: Any) -> list[tuple[int, int, int]]:
    """The places of the findings about malformed bytes: offset, line, column."""
    found: list[Finding] = []
    xml = fix(data, on_finding=found.append, **options)
    assert xml == fix(data, **options)
    return [(f.offset, f.line, f.column) for f in found if f.code == "xmlfix-malformed-bytes"]


@pytest.mark.parametrize(
    ("data", "encoding", "places"),
    [
        (b"<p>a\xffb\xff\xff\r\n\xe2\x82", "utf-8", [(4, 1, 5), (6, 1, 7), (10, 2, 1)]),
        (b"<p>\xef\xbf\xbd", "utf-8", []),
        (b"\xef\xbb\xbf<p>\xff", "utf-8", [(4, 1, 4)]),
        (b"<p>\x81", "windows-1252", []),
        (b"<p>\xaa", "windows-1253", [(3, 1, 4)]),
        (b"<p>\xa0\x82\xa0", "shift_jis", [(3, 1, 4)]),
        (b"<p>\x84\x31\xa4\x37\xff", "gbk", [(4, 1, 5)]),
        (b"<\0p\0>\0\0\xd8a\0", "utf-16le", [(3, 1, 4)]),
        (b"<p>\x1b$B\x80\x1b(B", "iso-2022-jp", [(3, 1, 4)]),
        (b"abc", "hz-gb-2312", [(0, 1, 1)]),
        (b"<p>\xff", "ascii", []),  # which is windows-1252
        (b"<p>\x81", "cp864", []),
    ],
)
def test_malformed_bytes(data: bytes, encoding: str, places: list[tuple[int, int, int]]) -> None:
    assert malformed(data, encoding=encoding) == places


def test_the_finding_names_the_encoding() -> None:
    found: list[Finding] = []
    fix(b"<meta charset=euc-kr>\xff", on_finding=found.append)
    [one] = [f for f in found if f.code == "xmlfix-malformed-bytes"]
    assert "euc-kr" in one.message
    assert one.lossy


def test_a_codec_of_somebody_elses_that_gives_up() -> None:
    def decode(data: object, errors: str = "strict") -> tuple[str, int]:
        raise UnicodeError("no")

    def search(name: str) -> codecs.CodecInfo | None:
        return codecs.CodecInfo(decode, decode, name=name) if name == "stubborn" else None

    codecs.register(search)
    try:
        with pytest.raises(InputError, match="stubborn"):
            fix(b"a", encoding="stubborn")
    finally:
        codecs.unregister(search)


# ── text that is a str ───────────────────────────────────────────────────────


def test_str_input() -> None:
    assert body("\ufeff<p>é") == "é"
    assert body("<p>\ufeffé") == "\ufeffé"
    assert body("<meta charset=koi8-r><p>é", encoding="big5", fallback="l2") == "é"
    assert body("<?xml version='1.0' encoding='koi8-r'?><a>é</a>") == "é"
    assert body("<?xml version='1.0' encoding='nonsense'?><a>é</a>") == "é"
    found: list[Finding] = []
    assert body("<p>\ud800\udfff", on_finding=found.append) == "\ufffd\ufffd"
    codes = [f.code for f in found]
    assert codes.count("surrogate-in-input-stream") == 2
    assert "xmlfix-malformed-bytes" not in codes


@given(st.text(alphabet="a<p>é\r\n\0\x0c\x85\ufeff\ufffe\ud800\U0001f600", max_size=30))
def test_str_and_its_bytes(text: str) -> None:
    text = "\ufeff" + text.encode("utf-8", "replace").decode("utf-8")
    assert fix(text.encode()) == fix(text)
    assert fix(text.encode("utf-16-le")) == fix(text)


# ── XML ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ("<?xml version='1.0' encoding='koi8-r'?><a>%s</a>".encode("koi8-r"), {}),
        (b"<?xml version='1.0' encoding='koi8-r'?><a><meta charset='big5'/>%s</a>", {}),
        (b"<?xml version='1.0' encoding='koi8-r'?><a>%s</a>", {"encoding": "koi8-r"}),
        (b"<a>%s</a>", {"transport_encoding": "text/xml;charset=koi8-r"}),
        (b"<a>%s</a>", {"input": "xml", "encoding": "koi8-r"}),
        (b"<?xml version='1.0' encoding='koi8-r'?><a>%s</a>", {"repair": "xml"}),
    ],
)
def test_xml_is_decoded_by_its_declaration(data: bytes, options: dict[str, Any]) -> None:
    xml = fix(data.replace(b"%s", RUSSIAN.encode("koi8-r")), xml_declaration=False, **options)
    root = parse_strictly(xml)
    assert (root.tag, "".join(root.itertext())) == ("a", RUSSIAN)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("declared", ["", " encoding='UTF-16'", " encoding='utf-32'"])
def test_xml_in_wide_encodings(codec: str, declared: str) -> None:
    data = f"<?xml version='1.0'{declared}?><a>{RUSSIAN}</a>".encode(codec)
    assert parse_strictly(fix(data)).tag == "a"
    assert body(data) == RUSSIAN


def test_xml_that_is_no_xml_is_decoded_as_html() -> None:
    """By the meta element, not by the declaration."""
    page = b"<?xml version='1.0' encoding='koi8-r'?><meta charset=iso-8859-5><p>%s"
    assert body(page.replace(b"%s", RUSSIAN.encode("iso8859-5"))) == RUSSIAN
    page = b"<?xml version='1.0' encoding='koi8-r'?><p>%s"
    assert body(page.replace(b"%s", RUSSIAN.encode("koi8-r"))) == RUSSIAN
    page = b"<?xml version='1.0' encoding='koi8-r'?><a>%s</a>"
    assert body(page.replace(b"%s", RUSSIAN.encode("koi8-r")), input="html") == RUSSIAN


def test_media_types_of_xml() -> None:
    atom = b"<Feed><Entry/></Feed>"
    for kind in ("application/atom+xml", "text/xml", "Application/XML; charset=utf-8"):
        assert parse_strictly(fix(atom, transport_encoding=kind)).tag == "Feed"
        assert parse_strictly(fix(atom.decode(), transport_encoding=kind)).tag == "Feed"
    for kind in ("text/html", "utf-8", "text/plain; a=text/xml", "application/xmlfoo"):
        assert parse_strictly(fix(atom, transport_encoding=kind)).tag == "html"
    assert parse_strictly(fix(atom, transport_encoding="text/xml", input="html")).tag == "html"
    assert (
        parse_strictly(fix(atom, transport_encoding="text/xml", fragment="p", root="r")).tag == "r"
    )
    assert parse_strictly(fix(b"<a><b></a>", transport_encoding="text/xml")).tag == "html"


@pytest.mark.parametrize(
    "encoding",
    [
        *("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "ascii", "latin-1", "cp437"),
        *("shift_jis", "gb18030", "big5", "euc_kr", "iso2022_jp", "koi8-u", "mac_roman"),
        *("windows-1258", "x-mac-cyrillic", "x-user-defined", "windows-874", "iso-8859-8-i"),
    ],
)
def test_own_output_in_any_encoding_is_left_as_it_is(encoding: str) -> None:
    page = "<p title='é¥\\\\'>¥\\~‾〜～é\x85пр中\U0001f600<!--é--><é ö=ä>"
    once = fix_bytes(page, output_encoding=encoding)
    assert fix_bytes(once, output_encoding=encoding) == once
    same = parse_strictly(fix(page)).findtext(".//p")
    assert parse_strictly(fix(once)).findtext(".//p") == same


@pytest.mark.parametrize("encoding", ["cp037", "utf-7", "hz", "mac_arabic", "idna", "rot13"])
def test_encodings_that_no_xml_parser_reads(encoding: str) -> None:
    with pytest.raises(OptionError):
        fix_bytes("<p>a", output_encoding=encoding)


# ── output ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("label", "declared"),
    [
        *[("sjis", "Shift_JIS"), ("euc-kr", "EUC-KR"), ("cp1251", "windows-1251")],
        *[("x-mac-cyrillic", "x-mac-cyrillic"), ("macintosh", "macintosh"), ("cp850", "IBM850")],
        *[("big5-hkscs", "Big5-HKSCS"), ("iso-2022-jp", "ISO-2022-JP"), ("gbk", "GBK")],
        *[("koi8-r", "KOI8-R"), ("utf-32", "UTF-32"), ("iso8859-15", "ISO-8859-15")],
    ],
)
def test_declared_names(label: str, declared: str) -> None:
    data = fix_bytes("<p>a", output_encoding=label)
    codec = label if label[:2] != "x-" else "mac-cyrillic"
    assert f'encoding="{declared}"' in data.decode(codec)


@pytest.mark.parametrize("label", ["replacement", "hz-gb-2312x", "rot13", "\udc00"])
def test_no_output_encoding(label: str) -> None:
    with pytest.raises(OptionError, match="output_encoding"):
        fix_bytes("", output_encoding=label)


def test_what_others_would_read_otherwise_becomes_a_reference() -> None:
    data = fix_bytes("<p>¥‾〜中", output_encoding="shift_jis")
    assert b"<p>&#165;&#8254;&#12316;\x92\x86</p>" in data
    assert b"<p>&#133;\xe9</p>" in fix_bytes("<p>\x85é", output_encoding="latin-1")


@pytest.mark.parametrize(
    ("page", "encoding", "expected"),
    [
        ("<meta charset=utf-8>", "latin-1", '<meta charset="ISO-8859-1"/>'),
        ("<meta charset=l1>", "windows-1252", '<meta charset="l1"/>'),
        ("<meta charset=nonsense>", "latin-1", '<meta charset="nonsense"/>'),
        ("<meta name=x content='charset=utf-8'>", "latin-1", None),
        (
            "<meta http-equiv=Content-Type content='text/html; charset=utf-8; x'>",
            "koi8-r",
            '<meta http-equiv="Content-Type" content="text/html; charset=KOI8-R; x"/>',
        ),
        (
            "<meta content='text/html;charset=\"utf-8\"' http-equiv=content-type>",
            "koi8-r",
            '<meta content="text/html;charset=&quot;KOI8-R&quot;" http-equiv="content-type"/>',
        ),
        ("<meta charset=koi8-r>", "utf-8", '<meta charset="utf-8"/>'),
        ("<p>&lt;meta charset=koi8-r>", "utf-8", None),
    ],
)
def test_update_of_meta_elements(page: str, encoding: str, expected: str | None) -> None:
    kept = fix_bytes(page, output_encoding=encoding)
    updated = fix_bytes(page, output_encoding=encoding, meta_charset="update")
    if expected is None:
        assert updated == kept
    else:
        assert expected.encode() in updated
        assert (updated == kept) == (expected.encode() in kept)


def test_update_of_meta_elements_in_text() -> None:
    assert '<meta charset="utf-8"/>' in fix("<meta charset=koi8-r>", meta_charset="update")
    assert '<meta charset="utf8"/>' in fix("<meta charset=utf8>", meta_charset="update")
    assert '<meta charset="koi8-r"/>' in fix("<meta charset=koi8-r>")


# ── other ways in ────────────────────────────────────────────────────────────


def test_tokens_find_the_encoding_too() -> None:
    page = b"<meta charset=koi8-r>" + RUSSIAN.encode("koi8-r")
    assert [*xmlfix.tokens(page)][1].data == RUSSIAN  # type: ignore[union-attr]


def test_trees_have_the_text() -> None:
    page = b"<meta charset=koi8-r><p>" + RUSSIAN.encode("koi8-r")
    assert xmlfix.fromstring(page).findtext(".//p") == RUSSIAN
    assert etree.fromstring(fix_bytes(page)).findtext(".//p") == RUSSIAN


def test_a_stream_can_be_decoded_as_it_comes() -> None:
    data = ("é€" * 50).encode() + b"\xe2"
    one = decoder(sniff_bytes(data).encoding)
    text = "".join(one.decode(data[at : at + 7]) for at in range(0, len(data), 7))
    assert text + one.decode(b"", True) == "é€" * 50 + "\ufffd"
