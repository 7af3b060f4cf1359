"""The legacy multi-byte encodings: where Python's codecs differ from the standard.

What Python's codec lacks or has otherwise stands in FACTS; what the standard's decoders
make of malformed bytes (how many of them one U+FFFD stands for) in `malformed`.

Source: WHATWG Encoding #legacy-multi-byte-chinese-(simplified)-encodings and after.
"""

from __future__ import annotations

import codecs
import re
from functools import cache

from xmlfix.encodings import BAD, MULTI_BYTE, bad_for, codec_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_GB18030 = (
    ("80", "\u20ac"),
    ("8135F437", "\ue7c7"),
    ("A3A0", "\u3000"),
    ("A6D9", "\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16"),
    ("A6EC", "\ufe17\ufe18"),
    ("A6F3", "\ufe19"),
    ("A8BC", "\u1e3f"),
    ("FE59", "\u9fb4"),
    ("FE61", "\u9fb5"),
    ("FE66", "\u9fb6\u9fb7"),
    ("FE6D", "\u9fb8"),
    ("FE7E", "\u9fb9"),
    ("FE90", "\u9fba"),
    ("FEA0", "\u9fbb"),
)
_BIG5 = (
    "877A=㡵𡵓𣚞𦀡㻬 "
    "87A1=𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘 "
    "87C9=穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 8E69=箸 8E6F=簆 8E7E=糎 8EAB=緒 "
    "8EB4=縝 8ECD=者 8ED0=耨 8F57=菁 8F69=蒨 8F6E=萏 8FCB=覦覩 8FFE=起 906D=都 907A=銹 90DC=靜 "
    "90F1=響 91BF=鼖 9244=蔃 92AF=兙兛兝兞 92C8=鍮 92D1=瑹 9447=浧 94CA=禛 95D9=邗 9644=靝 "
    "96ED=瀞 96FC=嬨 9B76=爁 9B78=矗 9B7B=纇 9BC6=駖 9BDE=釔 9BEC=惞 9BF6=澶 9C42=輶 9C53=侻 "
    "9C62=營 9C68=鄄 9C6B=鷰 9C77=菏 9CBC=尐秣 9CD0=婧 9D57=輋 9D5A=筑 9DC4=拐 9EA9=恢 9EEF=痹 "
    "9EFD=汊 9F60=鬮 9F66=鼗 9FCB=僭 9FD8=弌 A063=蠏 A077=拎 A0D5=瑨 A0DF=煢 A0E4=牐 A145=‧ "
    "A14E=﹑ A1C2=¯ A1E3=～ A1F2=⊕⊙ A241=∕﹨ A244=￥ A246=￠￡ "
    "A3C0=␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ C6CF=廴 C6D3=无 C6D5=癶 C6D7=隶 C6DE=〃仝 FA5F=倩 "
    "FA66=偽 FABD=包 FAC5=卄 FAD5=卿 FB48=嘅 FBB8=婷 FBF3=幵 FBF9=廐 FC4F=彘 FC6C=悤 FCB9=撐 "
    "FCE2=晴 FCF1=杞 FDB7=沜渝 FDBB=港 FDF1=煮 FE52=猪 FE6F=瑜 FEAA=瓩 FEDD=砉 "
)  # fmt: skip
# Bytes, and the characters of these bytes and of the ones that follow in order.
FACTS: dict[str, tuple[tuple[str, str], ...]] = {
    "big5": tuple((item[:4], item[5:]) for item in _BIG5.split()),
    # Beyond these, NEC's row 13 and IBM's rows 89 to 92, which cp932 has.
    "euc-jp": (
        ("8FA2B7", "\uff5e"),
        ("A1C1", "\uff5e\u2225"),
        ("A1DD", "\uff0d"),
        ("A1F1", "\uffe0\uffe1"),
        ("A2CC", "\uffe2"),
    ),
    "gb18030": _GB18030,
    "gbk": _GB18030,
    "shift_jis": (("A0", BAD), ("FD", BAD * 3)),
}
# Of these, the ones that Python decodes to a character which other bytes mean as well …
AMBIGUOUS = {
    "big5": (b"\xa2\x41", b"\xa2\x42"),
    "euc-jp": (b"\x8f\xa2\xb7",),
}
# … and the bytes after which they would not be what they seem.
INCOMPLETE = {
    "big5": re.compile(rb"[\x81-\xfe]").fullmatch,
    "euc-jp": re.compile(rb"[\x8e\xa1-\xfe]|\x8f[\xa1-\xfe]?").fullmatch,
}


# ── decoders ─────────────────────────────────────────────────────────────────


@cache
def facts(name: str) -> dict[bytes, str]:
    """FACTS of one encoding, one by one."""
    found = {}
    for code, chars in FACTS.get(name, ()):
        first = int(code, 16)
        for index, char in enumerate(chars):
            found[(first + index).to_bytes(len(code) // 2)] = char
    return found


class MultiByteDecoder:
    """Python's decoder for one of the legacy multi-byte encodings, set right by FACTS."""

    __slots__ = ("_amend", "_decoder", "_name", "_rare")

    def __init__(self, name: str, errors: str) -> None:
        self._name = name
        self._decoder = codecs.getincrementaldecoder(codec_of(name))(errors)
        self._amend = amender(name, errors)
        self._rare = AMBIGUOUS.get(name, ())

    def decode(self, data: bytes, final: bool = False, /) -> str:
        return self._amend(self._decode(data, final))

    def _decode(self, data: bytes, final: bool) -> str:
        """`data` by Python's decoder but for the ambiguous bytes."""
        if self._rare:
            pending = self._decoder.getstate()[0]
            if pending:
                self._decoder.reset()
                data = pending + data
            if any(code in data for code in self._rare):
                out = []
                known = facts(self._name)
                for piece in re.split(b"(" + b"|".join(self._rare) + b")", data):
                    if piece in self._rare and not self._is_inside():
                        out.append(self._finish(b"", True) + known[piece])
                    else:
                        out.append(self._decoder.decode(piece))
                out.append(self._finish(b"", final))
                return "".join(out)
        return self._finish(data, final)

    def _is_inside(self) -> bool:
        """Whether a lead byte waits for its trail byte."""
        return INCOMPLETE[self._name](self._decoder.getstate()[0]) is not None

    def _finish(self, data: bytes, final: bool) -> str:
        """`data` by Python's decoder, which at the end stops after the first malformed bytes."""
        text = self._decoder.decode(data, final)
        while final and self._decoder.getstate()[0]:
            text += self._decoder.decode(b"", True)
        return text


@cache
def amender(name: str, errors: str) -> Callable[[str], str]:
    """What sets right, by FACTS, the text that Python's codec makes."""
    found = {}
    for code, char in facts(name).items():
        try:
            text = code.decode(codec_of(name))
        except UnicodeDecodeError:
            continue  # `malformed` knows
        if text != char and code not in AMBIGUOUS.get(name, ()):
            found[text] = bad_for(errors) if char == BAD else char
    if not found:
        return str
    sub = re.compile("[" + "".join(found) + "]").sub
    return lambda text: sub(lambda match: found[match[0]], text)


@cache
def missing(codec: str) -> dict[bytes, str]:
    """What Python's codec has no character for, by FACTS."""
    name = next(name for name in MULTI_BYTE if codec_of(name) == codec)
    return facts(name)


# ── malformed bytes ──────────────────────────────────────────────────────────


def malformed(codec: str, data: bytes, start: int) -> tuple[str, int]:
    """What the standard's decoder makes of bytes that Python's refuses.

    Args:
        codec: Python's name of the codec.
        data: the bytes.
        start: where those begin that it refuses.

    Returns:
        The character, "" if they are malformed, and the offset at which to go on.
    """
    lead = data[start]
    known = missing(codec)
    if data[start : start + 1] in known:
        return known[data[start : start + 1]], start + 1
    if not LEADS[codec](data[start : start + 1]):
        return "", start + 1
    left = len(data) - start
    if codec == "gb18030" and left > 1 and 0x30 <= data[start + 1] <= 0x39:
        return "", four_bytes(data, start)
    if codec == "euc_jp":
        if lead == 0x8F and left > 1 and data[start + 1] >= 0xA1 and data[start + 1] != 0xFF:
            # a third byte belongs to it
            size = 2 if left == 2 or data[start + 2] < 0x80 else 3
            return "", start + size
        text = jis0208(data[start : start + 2])
        if text:
            return text, start + 2
    two = data[start : start + 2]
    if two in known:
        return known[two], start + 2
    return "", start + (1 if left == 1 or two[1] < 0x80 else 2)


# The lead bytes of each codec's encoding, by the standard's decoder.
LEADS = {
    "big5hkscs": re.compile(rb"[\x81-\xfe]").match,
    "cp932": re.compile(rb"[\x81-\x9f\xe0-\xfc]").match,
    "cp949": re.compile(rb"[\x81-\xfe]").match,
    "euc_jp": re.compile(rb"[\x8e\x8f\xa1-\xfe]").match,
    "gb18030": re.compile(rb"[\x81-\xfe]").match,
}


def four_bytes(data: bytes, start: int) -> int:
    """Where to go on after a malformed sequence of four bytes [#gb18030-decoder]."""
    third, fourth = data[start + 2 : start + 3], data[start + 3 : start + 4]
    if not third or (b"\x81" <= third <= b"\xfe" and not fourth):
        return len(data)  # the input ends in it
    if b"\x81" <= third <= b"\xfe" and b"0" <= fourth <= b"9":
        return start + 4
    return start + 1


def jis0208(two: bytes) -> str:
    """The character of JIS X 0208 with its extensions, in EUC form; "" if there is none.

    cp932 has NEC's row 13 and IBM's rows 89 to 92, which Python's EUC-JP lacks.
    """
    if len(two) < 2 or not (0xA1 <= two[0] <= 0xFE and 0xA1 <= two[1] <= 0xFE):
        return ""
    lead, trail = divmod((two[0] - 0xA1) * 94 + two[1] - 0xA1, 188)
    code = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
    try:
        text = code.decode("cp932")
    except UnicodeDecodeError:
        return ""
    return "" if "\ue000" <= text <= "\uf8ff" else text


# ── ISO-2022-JP ──────────────────────────────────────────────────────────────

_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([BIJ])").search
_CUT_ESCAPE = re.compile(rb"\x1b[$(]?\Z").search
_PAIRS = re.compile(
    rb"""( (?:[\x21-\x7e]{2})+ )       # characters of JIS X 0208
    | [\x21-\x7e] (?= \x1b | \Z )      # a lead byte, and an escape or the end
    | [\x21-\x7e]? [^\x21-\x7e\x1b]    # no trail byte, or no lead byte
    | \x1b                             # an escape that is none
    """,
    re.VERBOSE | re.DOTALL,
).finditer
_TO_EUC = bytes((code + 0x80) % 0x100 for code in range(256))
_JIS0208 = "jis0208"


def _table(chars: dict[int, str]) -> str:
    """A table of 256 characters, U+FFFE for none."""
    return "".join([chars.get(code, "\ufffe") for code in range(256)])


_ASCII = {code: chr(code) for code in range(0x80) if code not in (0x0E, 0x0F, 0x1B)}
_MODES = {
    b"\x1b(B": _table(_ASCII),
    b"\x1b(J": _table({**_ASCII, 0x5C: "\xa5", 0x7E: "\u203e"}),
    b"\x1b(I": _table({code: chr(0xFF61 - 0x21 + code) for code in range(0x21, 0x60)}),
    b"\x1b$@": _JIS0208,
    b"\x1b$B": _JIS0208,
}


class Iso2022JpDecoder:
    """Cuts at the escape sequences, then decodes what lies between by its mode.

    Source: WHATWG Encoding #iso-2022-jp-decoder.
    """

    __slots__ = ("_bad", "_errors", "_is_empty", "_mode", "_pending")

    def __init__(self, errors: str) -> None:
        self._errors = errors
        self._bad = bad_for(errors)
        self._mode = _MODES[b"\x1b(B"]
        self._is_empty = False  # the "output flag": an escape sequence came last
        self._pending = b""

    def decode(self, data: bytes, final: bool = False, /) -> str:
        data = self._pending + data
        self._pending = b""
        out = []
        pos = 0
        while pos < len(data):
            found = _ESCAPE(data, pos)
            end = found.start() if found else len(data)
            if not found and not final:
                end = self._settled(data, pos)
                self._pending = data[end:]
            if end > pos:
                out.append(self._between(data[pos:end]))
                self._is_empty = False
            if not found:
                break
            if self._is_empty:
                out.append(self._bad)
            self._is_empty = True
            self._mode = _MODES[found[0]]
            pos = found.end()
        return amender("euc-jp", self._errors)("".join(out))

    def _settled(self, data: bytes, pos: int) -> int:
        """Where the bytes end whose meaning does not depend on further ones."""
        cut = _CUT_ESCAPE(data, pos)
        end = cut.start() if cut else len(data)
        if self._mode == _JIS0208:
            *_, last = (pos, *(found.start() for found in _PAIRS(data, pos, end)))
            if last == end - 1 and 0x21 <= data[last] <= 0x7E:
                return end - 1  # a lead byte
        return end

    def _between(self, data: bytes) -> str:
        """The text of bytes without escape sequences."""
        if self._mode != _JIS0208:
            return codecs.charmap_decode(data, self._errors, self._mode)[0]
        out = []
        for found in _PAIRS(data):
            if found[1] is None:
                out.append(self._bad)
            else:
                out.append(found[1].translate(_TO_EUC).decode("euc_jp", self._errors))
        return "".join(out)
