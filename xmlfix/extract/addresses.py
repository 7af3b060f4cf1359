"""Addresses resolved and normalised: by RFC 3986, or by the WHATWG URL Standard.

urllib.parse takes an address apart for the first, ada-url (an extra) does all of the second.
What is here is the algebra between the parts: which come from the base, and their one form.

Both begin as browsers do: white space and controls at the ends and line breaks and tabs
within are no part of an address, and characters outside ASCII in a query are bytes of the
page's encoding.

Source: RFC 3986 sections 5 and 6; WHATWG URL #concept-basic-url-parser.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote, urlsplit

from xmlfix.encodings import MULTI_BYTE, codec_of, lookup, lookup_any, single_byte_table
from xmlfix.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, Protocol

    class Resolver(Protocol):
        """Resolves the addresses of one page."""

        def resolve(self, written: str) -> str | None:
            """The address that `written` means, or None if it is none."""

        def rebase(self, written: str) -> None:
            """Have a `<base href>` count from now on, if it is an address."""


RULES: Final = ("rfc3986", "whatwg")
DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
# The standard's special schemes: their "\" is a "/", and "http:x" is relative within http.
SPECIAL: Final = frozenset((*DEFAULT_PORTS, "file"))
# Those whose queries are bytes of the page's encoding: all special ones but ws and wss.
PAGE_ENCODED: Final = frozenset(("http", "https", "ftp", "file"))

C0_AND_SPACE: Final = "".join(map(chr, range(0x21)))
NO_LINE_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\r"))


def resolver(rules: str, base: str | None, encoding: str | None = None) -> Resolver:
    """What resolves the addresses of a page.

    Args:
        rules: "rfc3986" or "whatwg".
        base: the absolute address that relative ones are relative to, or None.
        encoding: of the page, by any label; None for UTF-8.

    Raises:
        OptionError: other rules, a base that is no absolute address, or ada-url is missing.
        InputError: an encoding that nobody knows.

    >>> resolver("rfc3986", "http://a/b/c/d;p?q").resolve(" ../g\\n")
    'http://a/b/g'
    """
    if rules not in RULES:
        raise OptionError(f"rules takes {' or '.join(map(repr, RULES))}, not {rules!r}")
    encoder = Encoder(encoding)
    return Rfc3986(base, encoder) if rules == "rfc3986" else Whatwg(base, encoder)


def trimmed(written: str) -> str:
    """An address without the white space and the controls that browsers leave out.

    Source: WHATWG URL #concept-basic-url-parser, its first three steps.

    >>> trimmed(" /long\\n  name ")
    '/long  name'
    """
    return written.strip(C0_AND_SPACE).translate(NO_LINE_BREAKS)


# ── RFC 3986 ─────────────────────────────────────────────────────────────────


class Parts(NamedTuple):
    """The components of an address; None for one that is absent, which "" is not.

    Source: RFC 3986 section 3.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def split(address: str) -> Parts:
    """Take an address apart.

    The query and the fragment are cut off first, since urllib.parse does not tell an empty
    one from none.

    Raises:
        ValueError: its authority is none.

    >>> split("http://a/b?#c")
    Parts(scheme='http', authority='a', path='/b', query='', fragment='c')
    """
    rest, hash_mark, fragment = address.partition("#")
    rest, question_mark, query = rest.partition("?")
    found = urlsplit(rest)
    hierarchy = rest[len(found.scheme) + 1 :] if found.scheme else rest
    return Parts(
        found.scheme or None,
        found.netloc if hierarchy.startswith("//") else None,
        found.path,
        query if question_mark else None,
        fragment if hash_mark else None,
    )


def compose(parts: Parts) -> str:
    """The address of its components.

    Source: RFC 3986 section 5.3, with "/." before a path that would become an authority and
    "./" before one that would become a scheme (section 4.2).
    """
    scheme, authority, path, query, fragment = parts
    out = [] if scheme is None else [scheme, ":"]
    if authority is not None:
        out += ["//", authority]
    elif path.startswith("//"):
        out.append("/.")
    elif scheme is None and ":" in path.partition("/")[0]:
        out.append("./")
    out.append(path)
    if query is not None:
        out += ["?", query]
    if fragment is not None:
        out += ["#", fragment]
    return "".join(out)


def join(base: Parts, reference: Parts) -> Parts:
    """A reference made absolute, or less relative if the base is not absolute itself.

    A reference with the scheme of its base and no authority is relative within a special
    scheme: "for backward compatibility" in the RFC, what browsers do in the standard.

    Source: RFC 3986 section 5.2.2.

    >>> compose(join(split("http://a/b/c/d;p?q"), split("../g?y#s")))
    'http://a/b/g?y#s'
    """
    scheme, authority, path, query, fragment = reference
    if scheme is not None and scheme == base.scheme in SPECIAL and authority is None:
        scheme = None
    if scheme is not None or authority is not None:
        return Parts(scheme or base.scheme, authority, without_dots(path), query, fragment)
    if not path:
        query = base.query if query is None else query
        path = base.path
    elif not path.startswith("/"):
        path = merged(base, path)
    return Parts(base.scheme, base.authority, without_dots(path), query, fragment)


def merged(base: Parts, path: str) -> str:
    """A relative path after the base's last slash.

    Source: RFC 3986 section 5.2.3.
    """
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def without_dots(path: str) -> str:
    """A path without "." and ".." segments.

    A path without leading slash keeps what leads out of it, and the path of a scheme without
    hierarchy, such as that of a `mailto:`, is not for this function.

    Source: RFC 3986 section 5.2.4.

    >>> without_dots("/a/b/c/./../../g"), without_dots("../a/../b/..")
    ('/a/g', '../')
    """
    if "." not in path:
        return path
    absolute = path.startswith("/")
    *segments, last = path[absolute:].split("/")
    out: list[str] = []
    for segment in segments:
        climb(out, segment, absolute)
    if last in (".", ".."):
        climb(out, last, absolute)
        last = ""
    return "/" * absolute + "/".join([*out, last]) or "./"


def climb(out: list[str], segment: str, absolute: bool) -> None:
    """Take one more segment into a path."""
    if segment == "..":
        if out and out[-1] != "..":
            out.pop()
        elif not absolute:
            out.append(segment)
    elif segment != ".":
        out.append(segment)


class Rfc3986:
    """Resolves by RFC 3986 section 5, and normalises by section 6.2.

    Scheme and host get lower case, escapes upper case; what needs no escape is unescaped and
    what needs one is escaped, so that the result is always a URI; dot segments, default and
    empty ports go, and an authority with an empty path gets "/". Hosts become ASCII by UTS 46.

    Deviates: within the schemes that browsers treat alike (http, https, ws, wss, ftp, file)
    "\\" before query and fragment is a "/", because no URI has one and browsers take it so;
    all but file need a host, before which there may be any number of slashes, likewise; dot
    segments stay in a path that does not begin with a slash after a scheme
    (`javascript:a/../b`), because it has no hierarchy.

    Args:
        base: absolute, or None: then what is relative stays so.
        encoder: for queries.

    Raises:
        OptionError: the base is not absolute.
    """

    def __init__(self, base: str | None, encoder: Encoder) -> None:
        self._encoder = encoder
        self._base: Parts | None = None
        if base is not None:
            self._base = self._parts(base, Encoder(None))
            if self._base is None or self._base.scheme is None:
                raise OptionError(f"base takes an absolute address, not {base!r}")

    def rebase(self, written: str) -> None:
        """Have a `<base href>` count from now on, if it is an address."""
        parts = self._parts(written, self._encoder)
        if parts is not None and parts.scheme not in ("data", "javascript"):
            self._base = parts

    def resolve(self, written: str) -> str | None:
        """The address that `written` means, normalised, or None if its authority is none.

        >>> Rfc3986(None, Encoder(None)).resolve("HTTP://Example.org:80/%7euser/./a%2fb")
        'http://example.org/~user/a%2Fb'
        """
        parts = self._parts(written, self._encoder)
        return None if parts is None else compose(parts)

    def _parts(self, written: str, encoder: Encoder) -> Parts | None:
        try:
            return self._joined(trimmed(written), encoder)
        except ValueError:  # urllib.parse refuses it, or `host_of`, or UTS 46
            return None

    def _joined(self, address: str, encoder: Encoder) -> Parts:
        base = self._base
        given = repaired(address, None if base is None else base.scheme)
        scheme = given.scheme or (None if base is None else base.scheme)
        authority, path, query, fragment = given[1:]
        if query is not None:
            is_of_page = scheme is None or scheme in PAGE_ENCODED
            query = escaped(query, _QUERY, encoder if is_of_page else None)
        parts = Parts(
            given.scheme,
            None if authority is None else authority_of(authority, scheme),
            escaped(path, _PATH),
            query,
            None if fragment is None else escaped(fragment, _QUERY),
        )
        if not has_opaque_path(parts, base):
            if base is not None:
                parts = join(base, parts)
            elif parts.scheme is not None or parts.path.startswith("/"):
                parts = parts._replace(path=without_dots(parts.path))
        if parts.authority and not parts.path:
            parts = parts._replace(path="/")
        if parts.scheme == "file" and parts.authority is None:
            parts = parts._replace(authority="")
        return parts


def repaired(address: str, base_scheme: str | None) -> Parts:
    """The components of an address, its slashes as browsers take them.

    Raises:
        ValueError: its authority is none.

    Source: WHATWG URL #special-authority-ignore-slashes-state.

    >>> compose(repaired("https:/a/b", None)), compose(repaired("///a/b", "http"))
    ('https://a/b', '//a/b')
    """
    parts = split(address)
    scheme = parts.scheme or base_scheme
    if "\\" in address and (scheme is None or scheme in SPECIAL):
        found = _BEFORE_QUERY(address)
        assert found is not None  # it matches nothing at all, too
        parts = split(found[0].replace("\\", "/") + address[found.end() :])
    if scheme in DEFAULT_PORTS and not parts.authority:
        is_elsewhere = parts.scheme not in (None, base_scheme)
        if parts.authority == "" or is_elsewhere:
            found_parts = split("//" + parts.path.lstrip("/"))
            return parts._replace(authority=found_parts.authority, path=found_parts.path)
    return parts


_BEFORE_QUERY = re.compile("[^?#]*").match


def has_opaque_path(parts: Parts, base: Parts | None) -> bool:
    """Whether an address has a scheme and a path without hierarchy."""
    if parts.scheme is None or parts.authority is not None or parts.path.startswith("/"):
        return False
    return not (base is not None and parts.scheme == base.scheme in SPECIAL)


def authority_of(authority: str, scheme: str | None) -> str:
    """An authority in its normal form.

    Raises:
        ValueError: its host or port is none.

    Source: RFC 3986 sections 3.2, 6.2.2 and 6.2.3.
    """
    found = urlsplit(f"//{authority}")
    port = found.port  # raises if it is no number, or too big
    user, at, _ = authority.rpartition("@")
    host = found.hostname or ""
    host = f"[{host}]" if "[" in authority else host_of(host, scheme)
    if port is not None and port != DEFAULT_PORTS.get(scheme or ""):
        host = f"{host}:{port}"
    return f"{escaped(user, _USER)}@{host}" if at else host


_NO_HOST = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%\"`{}]").search


def host_of(host: str, scheme: str | None) -> str:
    """A host in ASCII and lower case.

    Raises:
        ValueError: it holds characters that no host of the web can have.

    Source: RFC 3986 section 3.2.2; UTS 46; WHATWG URL #host-parsing.

    >>> host_of("B\\u00fccher.example", "http"), host_of("fa%C3%9F.de", None)
    ('xn--bcher-kva.example', 'xn--fa-hia.de')
    """
    if scheme is not None and scheme not in SPECIAL:
        return escaped(escaped(host, _USER).lower(), _USER)
    host = unquote(host, errors="strict")
    host = host.lower() if host.isascii() else to_ascii(host)
    if _NO_HOST(host):
        raise ValueError("no host")
    if not host and scheme in DEFAULT_PORTS:
        raise ValueError("such a scheme needs a host")
    return host


def to_ascii(host: str) -> str:
    """An internationalised host by UTS 46, not transitional, as browsers have it.

    IDNA 2003, which Python's codec has, makes another host of one with \\u00df or \\u03c2;
    IDNA 2008 refuses symbols that browsers take.

    Raises:
        ValueError: a character that no host can have.

    >>> to_ascii("\\u2603.net")
    'xn--n3h.net'
    """
    from idna import uts46_remap

    labels = uts46_remap(host, std3_rules=False, transitional=False).split(".")
    return ".".join(
        [
            label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")
            for label in labels
        ]
    )


# ── escapes ──────────────────────────────────────────────────────────────────

UNRESERVED: Final = r"A-Za-z0-9._~\-"
_SUB_DELIMS: Final = "!$&'()*+,;="
_PATH = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:@/]+")
_QUERY = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:@/?]+")
_USER = re.compile(rf"%[0-9A-Fa-f]{{2}}|%|[^%{UNRESERVED}{_SUB_DELIMS}:]+")
_IS_UNRESERVED = re.compile(f"[{UNRESERVED}]").fullmatch


def escaped(text: str, rule: re.Pattern[str], encoder: Encoder | None = None) -> str:
    """A component with its escapes in their normal form.

    Args:
        text: the component.
        rule: finds escapes and what needs one.
        encoder: for characters outside ASCII; None for UTF-8.

    Source: RFC 3986 sections 2.1, 2.4 and 6.2.2.

    >>> escaped("%7euser/100%/a b", _PATH)
    '~user/100%25/a%20b'
    """

    def one_form(found: re.Match[str]) -> str:
        piece = found[0]
        if piece[0] == "%" and len(piece) == 3:
            char = chr(int(piece[1:], 16))
            return char if _IS_UNRESERVED(char) else piece.upper()
        if encoder is None or piece.isascii():
            return quote_from_bytes(piece.encode("utf-8", "surrogatepass"), safe="")
        return encoder.escaped(piece, RFC_QUERY)

    return rule.sub(one_form, text)


# What the standard leaves as it is among the bytes of a special scheme's query, but for
# letters, digits and _.-~: all of ASCII except C0, space, " # < > ' and DEL.
WHATWG_QUERY: Final = "!$%&()*+,/:;=?@[\\]^`{|}"
RFC_QUERY: Final = f"{_SUB_DELIMS}:@/?"
# Encodings in which browsers write otherwise than they read.
ENCODERS: Final = {"gbk": "gbk", "big5": "big5", "utf-8": "utf-8"}


class Encoder:
    """Escapes characters as bytes of a page's encoding.

    Args:
        label: of the encoding; None for UTF-8.

    Raises:
        InputError: nobody knows it.

    Source: WHATWG URL #string-percent-encode-after-encoding; Encoding #get-an-output-encoding.

    >>> Encoder("windows-1252").escaped("\\u00e9", ""), Encoder("latin1").escaped("\\u0416", "")
    ('%E9', '%26%231046%3B')
    """

    def __init__(self, label: str | None) -> None:
        name = "utf-8" if label is None else lookup_any(label)
        if name is None:
            raise InputError(f"unknown encoding {label!r}")
        if name.startswith("utf") or name == "replacement":
            name = "utf-8"
        self._table = "" if name in MULTI_BYTE else single_byte_table(name)
        self._codec = ENCODERS.get(name) or (codec_of(name) if lookup(name) else name)

    @property
    def is_utf_8(self) -> bool:
        """Whether there is nothing special about it."""
        return self._codec == "utf-8"

    def _encode(self, text: str) -> bytes:
        if self._table:
            return codecs.charmap_encode(text, "strict", encoding_map(self._table))[0]
        return text.encode(self._codec)

    def escaped(self, text: str, safe: str) -> str:
        """`text` with all bytes escaped but letters, digits, "_.-~" and those of `safe`.

        A character that the encoding lacks becomes an escaped numeric reference.
        """
        out = []
        while text:
            try:
                out.append(quote_from_bytes(self._encode(text), safe=safe))
                break
            except UnicodeEncodeError as error:
                good, bad = text[: error.start], text[error.start]
                out.append(quote_from_bytes(self._encode(good), safe=safe))
                out.append(f"%26%23{ord(bad)}%3B")
                text = text[error.start + 1 :]
        return "".join(out)


@cache
def encoding_map(table: str) -> Mapping[int, int]:
    """The byte of each character of a single-byte encoding."""
    return {ord(char): byte for byte, char in enumerate(table) if char != "\ufffe"}


# ── the URL Standard ─────────────────────────────────────────────────────────


class Whatwg:
    """Resolves by the URL Standard, as browsers do.

    Args:
        base: absolute, or None: then what is relative is no address.
        encoder: for queries.

    Raises:
        OptionError: the base is not absolute, or ada-url is missing.
    """

    def __init__(self, base: str | None, encoder: Encoder) -> None:
        try:
            from ada_url import URL
        except ImportError:
            raise OptionError(
                "the rules 'whatwg' need ada-url: pip install 'xmlfix[links]'"
            ) from None
        self._url = URL
        self._encoder = encoder
        self._base: str | None = None
        if base is not None:
            try:
                self._base = URL(base).href
            except ValueError:
                raise OptionError(f"base takes an absolute address, not {base!r}") from None

    def rebase(self, written: str) -> None:
        """Have a `<base href>` count from now on, if it is an address."""
        base = self.resolve(written)
        if base is not None and not base.startswith(("data:", "javascript:")):
            self._base = base

    def resolve(self, written: str) -> str | None:
        """The address that `written` means, or None if it is none."""
        address = written.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
        try:
            found = self._url(address, self._base)
        except ValueError:
            return None
        is_page_encoded = not (self._encoder.is_utf_8 or address.isascii())
        if is_page_encoded and found.protocol[:-1] in PAGE_ENCODED:
            found = self._url(self._with_query(address), self._base)
        return found.href

    def _with_query(self, address: str) -> str:
        """The address with its query in the page's encoding.

        ada-url takes UTF-8 only, and leaves escapes as they are.
        """
        rest, hash_mark, fragment = address.partition("#")
        rest, question_mark, query = rest.partition("?")
        query = _NOT_ASCII.sub(lambda found: self._encoder.escaped(found[0], WHATWG_QUERY), query)
        return f"{rest}{question_mark}{query}{hash_mark}{fragment}"


_NOT_ASCII = re.compile("[^\x00-\x7f]+")
