"""Labels and decoders of the Encoding Standard, held to what a browser decodes."""

from __future__ import annotations

import html
import random
import re
import zlib
from collections.abc import Iterator
from time import process_time

import pytest
from lxml import etree
from support import CASES, parse_strictly, plain

import xmlfix
from xmlfix import decoders, multibyte
from xmlfix.decoders import decode_as, decoder
from xmlfix.encodings import BAD, MARK, lookup, lookup_any

SINGLE_BYTE = (
    "ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8"
    " iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u"
    " macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254"
    " windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic x-user-defined"
).split()
MULTI_BYTE = ["big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"]
UNICODE = ["utf-8", "utf-16le", "utf-16be"]
ALL = [*SINGLE_BYTE, *MULTI_BYTE, *UNICODE, "iso-2022-jp", "replacement"]


def lines(name: str) -> Iterator[list[str]]:
    """The fields of each line of a file in tests/cases, remarks left out."""
    for line in (CASES / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            yield line.split(" ")


# ── labels ───────────────────────────────────────────────────────────────────


def test_labels() -> None:
    count = 0
    for name, *labels in lines("labels.txt"):
        for label in labels:
            assert lookup(label) == name[:-1]
            assert lookup(f"\t\n\f\r {label.upper()} ") == name[:-1]
            count += 1
    assert count == 228
    assert {name[:-1] for name, *_ in lines("labels.txt")} == {*ALL}


@pytest.mark.parametrize(
    "label", ["", "utf8x", "utf-7", "utf-32", "\x0butf-8", "ＵＴＦ-8", "\ud800"]
)
def test_what_is_no_label(label: str) -> None:
    assert lookup(label) is None


@pytest.mark.parametrize(
    ("label", "name"),
    [
        *[("latin-1", "windows-1252"), ("utf_8", "utf-8"), ("euc_jp", "euc-jp")],
        *[("cp949", "euc-kr"), ("cp932", "shift_jis"), ("big5hkscs", "big5")],
        *[("cp874", "windows-874"), ("mac_roman", "macintosh"), ("utf-16-be", "utf-16be")],
        *[("utf-32", "utf-32"), ("cp437", "cp437"), ("utf-7", "utf-7"), ("hz", "hz")],
        *[("rot13", None), ("idna", None), ("hex", None), ("klingon", None), ("a\0b", None)],
    ],
)
def test_python_names_for_the_override(label: str, name: str | None) -> None:
    assert lookup_any(label) == name


# ── decoders ─────────────────────────────────────────────────────────────────


def crc(text: str) -> str:
    """How the checksums are made."""
    return f"{zlib.crc32(text.encode()):08X}"


def four_byte_sequences() -> Iterator[bytes]:
    """Those of gb18030 that the checksum covers."""
    for first in (*range(0x81, 0x85), *range(0x90, 0xE5)):
        for second in range(0x30, 0x3A):
            for third in range(0x81, 0xFF):
                for fourth in range(0x30, 0x3A):
                    yield bytes((first, second, third, fourth))


def decoded(name: str, key: str) -> str:
    """What a checksum is of."""
    if key == "*":
        return "".join([decode_as(bytes([byte]), name) for byte in range(256)])
    if key == "00":
        return "".join([decode_as(bytes([byte]), name) for byte in range(128)])
    if key == "8F+":
        rows = range(0xA1, 0xFF)
        return "".join([decode_as(bytes((0x8F, a, b)), name) for a in rows for b in rows])
    if key == "4":
        decode = decoder(name).decode
        return "".join([decode(data, True) for data in four_byte_sequences()])
    first = int(key, 16)
    pairs = [decode_as(bytes((first, second)), name) for second in range(256)]
    return decode_as(bytes([first]), name) + "".join(pairs)


def checksums() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, *items in lines("checksums.txt"):
        found.setdefault(name, {}).update(zip(items[::2], items[1::2], strict=True))
    return found


@pytest.mark.parametrize(("name", "sums"), checksums().items())
def test_everything_that_a_browser_decodes(name: str, sums: dict[str, str]) -> None:
    wrong = [key for key in sums if crc(decoded(name, key)) != sums[key]]
    assert wrong == []


def test_the_checksums_are_complete() -> None:
    sums = checksums()
    assert set(sums) == {*SINGLE_BYTE, *MULTI_BYTE}
    assert all(len(sums[name]) >= 129 for name in MULTI_BYTE)


def differences() -> list[tuple[str, bytes, str]]:
    found = []
    for name, *items in lines("differences.txt"):
        for item in items:
            code, _, char = item.partition("=")
            found.append((name, bytes.fromhex(code), chr(int(char, 16))))
    return found


def test_differences_from_python() -> None:
    found = differences()
    assert len(found) > 800
    for name, data, char in found:
        for before, after in ((b"", b""), (b"a", b"<"), (data, data)):
            text = decode_as(before + data + after, name)
            expected = char * 3 if before == data else before.decode() + char + after.decode()
            assert text == expected, (name, data, before)


def test_every_difference_that_is_noted_is_one() -> None:
    listed = {(name, data) for name, data, _ in differences()}
    noted = {(name, data) for name in multibyte.FACTS for data in multibyte.facts(name)}
    noted |= {(name, bytes([code])) for name, codes in decoders.FACTS.items() for code in codes}
    listed |= {("gbk", data) for name, data in listed if name == "gb18030"}
    assert noted <= listed


def malformed() -> list[tuple[str, bytes, str]]:
    found = []
    for name, code, text in lines("malformed.txt"):
        found.append((name, bytes.fromhex(code), plain(text.replace("?", BAD))))
    return found


@pytest.mark.parametrize("name", sorted({name for name, _, _ in malformed()}))
def test_malformed_bytes(name: str) -> None:
    for _, data, text in [case for case in malformed() if case[0] == name]:
        assert decode_as(data, name) == text, data.hex()
        assert decode_as(data, name, mark=True).replace(MARK, BAD) == text, data.hex()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b(I1\x1b(J\\~\x1b(B\\~", "ｱ¥‾\\~"),
        (b'\x1b$B$"\x1b$@0!\x1b(Ba', "あ亜a"),
        (b'\x1b$B$"\x1b(B\x1b$@0!\x1b(Ba', f"あ{BAD}亜a"),
        (b"\x1b$B-!|q\x1b(B", "①ⅰ"),
        (b"\x1b(B\x1b(Ba", f"{BAD}a"),
        (b"\x1b$B!A\n!A\x1b(B", f"～{BAD}～"),
        (b"a\x0e\x0f\x80", f"a{BAD * 3}"),
    ],
)
def test_iso_2022_jp(data: bytes, text: str) -> None:
    assert decode_as(data, "iso-2022-jp") == text


def test_replacement() -> None:
    assert decode_as(b"", "replacement") == ""
    assert decode_as(b"<p>abc", "replacement") == BAD


@pytest.mark.parametrize("name", ALL)
def test_pieces_of_any_size_and_marks(name: str) -> None:
    """The incremental decoder gives what the whole gives; so does marking."""
    chance = random.Random(name)
    pool = [data for other, data, _ in [*malformed(), *differences()] if other == name]
    pool += [b"a", b"<", b"\x80", b"\xff", b"\x1b", b"\x1b$B", b"\x1b(J", b"\xa1\xa1", b"\x8f"]
    for _ in range(150):
        data = b"".join(chance.choices(pool, k=chance.randint(0, 8)))
        text = decode_as(data, name)
        assert decode_as(data, name, mark=True).replace(MARK, BAD) == text
        for size in (1, 2, 3, 5):
            one = decoder(name)
            pieces = [one.decode(data[at : at + size]) for at in range(0, len(data), size)]
            assert "".join(pieces) + one.decode(b"", True) == text, (data, size)


# ── round trips ──────────────────────────────────────────────────────────────


def sequences(name: str) -> Iterator[bytes]:
    """All byte sequences that an encoding may have a character for."""
    if name in ("utf-8", "utf-16le", "utf-16be"):
        codec = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}[name]
        for code in (*range(0x20, 0xFFFE), *range(0x10000, 0x110000, 997)):
            if not 0xD800 <= code < 0xE000:
                yield chr(code).encode(codec)
        return
    if name == "iso-2022-jp":
        for first in range(0x21, 0x7F):
            for second in range(0x21, 0x7F):
                yield b"\x1b$B" + bytes((first, second)) + b"\x1b(B"
        yield from (b"\x1b(J" + bytes([code]) + b"\x1b(B" for code in b"\\~")
        return
    yield from (bytes([code]) for code in range(0x20, 0x100))
    if name in MULTI_BYTE:
        yield from (bytes((a, b)) for a in range(0x81, 0xFF) for b in range(0x40, 0xFF))
    if name == "euc-jp":
        yield from (bytes((0x8F, a, b)) for a in range(0xA1, 0xFF) for b in range(0xA1, 0xFF))
    if name in ("gbk", "gb18030"):
        yield from (data for index, data in enumerate(four_byte_sequences()) if index % 101 == 0)


def own_characters(name: str) -> str:
    """The characters that an encoding has, and XML too."""
    found = dict.fromkeys("".join([decode_as(data, name) for data in sequences(name)]))
    return "".join([char for char in found if char not in f"{BAD}\ufffe\uffff\x1b" and char >= " "])


@pytest.mark.parametrize("name", [name for name in ALL if name != "replacement"])
def test_round_trip(name: str) -> None:
    """Written in an encoding, its own characters are read again, by its name alone."""
    text = own_characters(name)
    assert len(text) >= 95 + 84
    data = xmlfix.fix_bytes(f"<p>{html.escape(text)}</p>", output_encoding=name, repair="stack")
    assert xmlfix.sniff(data).encoding == name
    back = xmlfix.fix(data, xml_declaration=False)
    assert parse_strictly(back).text == text


@pytest.mark.parametrize("name", [name for name in ALL if name != "replacement"])
def test_characters_in_bytes_that_say_nothing(name: str) -> None:
    """All byte sequences of an encoding, in a page, by `encoding`."""
    wanted = {}
    for data in sequences(name):
        if name == "iso-2022-jp":
            data += b"."  # two escapes in a row are malformed
        char = decode_as(data, name)
        if BAD not in char and char not in "<&>\xa0":
            wanted[data] = char
    body = b"".join(wanted)
    xml = xmlfix.fix(body, encoding=name, repair="stack", root="r", xml_declaration=False)
    assert parse_strictly(xml).text == re.sub("[\ufffe\uffff]", BAD, "".join(wanted.values()))


# ── pace ─────────────────────────────────────────────────────────────────────

HEAVY = {
    "big5": (b"\xa2\x41", b"\xa1\x45", b"\xff", b"\x87\x7a", b"\x81\x80"),
    "euc-jp": (b"\x8f\xa2\xb7", b"\xad\xa1", b"\x8f\xa1", b"\xff", b"\xa1\xc1"),
    "gb18030": (b"\x80", b"\xff", b"\x81\x30\x81", b"\xa3\xa0"),
    "iso-2022-jp": (b"\x1b", b"\x1b(B", b"\x1b$B!", b"\x1b(I1", b"\x80"),
    "shift_jis": (b"\xa0", b"\x81\x00", b"\xfd", b"\x81\xff"),
    "utf-8": (b"\xff", b"\xe2\x82", b"\xf0\x90"),
    "windows-1253": (b"\xaa", b"\xc1"),
}


@pytest.mark.parametrize("name", HEAVY)
def test_time_grows_with_the_size(name: str) -> None:
    for unit in HEAVY[name]:
        small, big = unit * 5_000, unit * 40_000
        times = []
        for data in (small, big):
            runs = []
            for _ in range(3):
                start = process_time()
                decode_as(data, name, mark=True)
                runs.append(process_time() - start)
            times.append(min(runs))
        assert times[1] < 24 * times[0] + 0.02, (unit, times)


@pytest.mark.parametrize("encoding", ["shift_jis", "sjis", "windows-31j", "x-sjis", "johab"])
def test_bytes_that_are_two_characters(encoding: str) -> None:
    """A backslash of ours is a yen or won sign to libxml2."""
    text = (
        "".join(char for char in map(chr, range(32, 127)) if char not in '<&>"')
        + "\u203e\u20a9\xa5"
    )
    html = f'<p title="{text}">{text}<!--\\~-->'
    data = xmlfix.fix_bytes(html, output_encoding=encoding)
    found = etree.fromstring(data).find(".//p")
    assert found is not None
    assert (found.get("title"), found.text) == (text, text)
    assert b"<!--\\~-->" in data
