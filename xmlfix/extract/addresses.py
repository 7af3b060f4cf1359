"""Addresses resolved and normalised: by RFC 3986, or by the WHATWG URL Standard.

ada-url (an extra) does all of the second. What is here is the first: an address taken apart,
which of its parts come from the base, and their one form.

Both begin as browsers do: white space and controls at the ends and line breaks and tabs
within are no part of an address, and characters outside ASCII in a query are bytes of the
page's encoding.

Source: RFC 3986 sections 5 and 6; WHATWG URL #concept-basic-url-parser.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from typing import NamedTuple
from urllib.parse import unquote

from xmlfix.errors import OptionError
from xmlfix.extract.escapes import PATH, QUERY, USER, WHATWG_QUERY, Encoder, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        InputError: an unknown encoding.

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


_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
).match


def split(address: str) -> Parts:
    """Take an address apart.

    Source: RFC 3986 appendix B, with the schemes of section 3.1.

    >>> split("http://a/b?#c")
    Parts(scheme='http', authority='a', path='/b', query='', fragment='c')
    """
    found = _PARTS(address)
    assert found is not None  # it matches any text
    scheme, authority, path, query, fragment = found.groups()
    return Parts(scheme and scheme.lower(), authority, path, query, fragment)


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
        return with_tidy_path(reference._replace(scheme=scheme or base.scheme))
    if not path:
        query = base.query if query is None else query
        path = base.path
    elif not path.startswith("/"):
        path = merged(base, path)
    elif base.scheme == "file" and not _DRIVE(path) and (drive := _DRIVE(base.path)):
        path = drive[0] + path
    return with_tidy_path(Parts(base.scheme, base.authority, path, query, fragment))


def merged(base: Parts, path: str) -> str:
    """A relative path after the base's last slash.

    Source: RFC 3986 section 5.2.3.
    """
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


_DRIVE = re.compile(r"/[A-Za-z]:(?![^/])").match


def with_tidy_path(parts: Parts) -> Parts:
    """The parts without dot segments in their path; none leads out of a drive of Windows."""
    path = parts.path
    drive = _DRIVE(path) if parts.scheme == "file" else None
    if drive is None:
        return parts._replace(path=without_dots(path))
    return parts._replace(path=drive[0] + without_dots(path[drive.end() :]))


def without_dots(path: str) -> str:
    """A path without "." and ".." segments.

    A path without leading slash keeps what leads out of it and stays without one, and the path
    of a scheme without hierarchy, such as that of a `mailto:`, is not for this function.

    Source: RFC 3986 section 5.2.4.

    >>> without_dots("/a/b/c/./../../g"), without_dots("../a/../b/.."), without_dots(".//a")
    ('/a/g', '../', './/a')
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
    short = "/".join([*out, last])
    if absolute:
        return f"/{short}"
    return f"./{short}" if not short or short.startswith("/") else short


def climb(out: list[str], segment: str, absolute: bool) -> None:
    """Take one more segment into a path."""
    if segment == "..":
        if out and out[-1] != "..":
            out.pop()
        elif not absolute:
            out.append(segment)
    elif segment != ".":
        out.append(segment)


# Addresses that are in their normal form, once they stand behind the base's host or folder:
# no escape, no dot at the beginning of a segment, nothing that needs an escape.
_CHAR = r"A-Za-z0-9_~!$&'()*+,;=@\-"
_SEGMENT = rf"(?!\.)[{_CHAR}:.]*+"
_PLAIN = re.compile(
    rf"""(?:(?P<absolute>https?://[a-z0-9-]++(?:\.[a-z0-9-]++)*+/{_SEGMENT})
          | (?P<rooted>/(?!/){_SEGMENT})
          | (?P<relative>(?!\.)[{_CHAR}.]++(?!:)))
    (?:/{_SEGMENT})*+ (?:\?[{_CHAR}:./?]*+)?+ (?:\#[{_CHAR}:./?]*+)?+""",
    re.VERBOSE,
).fullmatch


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
        self._host = self._folder = ""  # of the base, where a plain path needs no more
        if base is not None:
            parts = self._parts(base, Encoder(None))
            if parts is None or parts.scheme is None:
                raise OptionError(f"base takes an absolute address, not {base!r}")
            self._set_base(parts)

    def rebase(self, written: str) -> None:
        """Have a `<base href>` count from now on, if it is an address."""
        parts = self._parts(written, self._encoder)
        if parts is not None and parts.scheme not in ("data", "javascript"):
            if parts.scheme is None:  # else "b" after ".." would lose the way out
                parts = with_tidy_path(parts)
            self._set_base(parts)

    def _set_base(self, base: Parts) -> None:
        self._base = base
        self._host = self._folder = ""
        if base.scheme in DEFAULT_PORTS and base.authority:
            self._host = f"{base.scheme}://{base.authority}"
            self._folder = self._host + base.path[: base.path.rfind("/") + 1]

    def resolve(self, written: str) -> str | None:
        """The address that `written` means, normalised, or None if its authority is none.

        >>> Rfc3986(None, Encoder(None)).resolve("HTTP://Example.org:80/%7euser/./a%2fb")
        'http://example.org/~user/a%2Fb'
        """
        plain = _PLAIN(written)
        if plain is not None:
            if plain.lastgroup == "absolute":
                return written
            if self._host:
                return (self._host if plain.lastgroup == "rooted" else self._folder) + written
        return self.resolve_by_parts(written)

    def resolve_by_parts(self, written: str) -> str | None:
        """What `resolve` gives, found without its shortcut for plain addresses."""
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
            query = escaped(query, QUERY, encoder if is_of_page else None)
        parts = Parts(
            given.scheme,
            None if authority is None else authority_of(authority, scheme),
            escaped(path, PATH),
            query,
            None if fragment is None else escaped(fragment, QUERY),
        )
        if not has_opaque_path(parts, base):
            if base is not None:
                parts = join(base, parts)
            elif parts.scheme is not None or parts.path.startswith("/"):
                parts = with_tidy_path(parts)
        if parts.authority and not parts.path:
            parts = parts._replace(path="/")
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
    if scheme == "file":
        return of_file(parts, has_base=base_scheme == "file")
    if scheme in DEFAULT_PORTS and not parts.authority:
        is_elsewhere = parts.scheme not in (None, base_scheme)
        if parts.authority == "" or is_elsewhere:
            found_parts = split("//" + parts.path.lstrip("/"))
            return parts._replace(authority=found_parts.authority, path=found_parts.path)
    return parts


_BEFORE_QUERY = re.compile("[^?#]*").match


_DRIVE_WRITTEN = re.compile(r"/?([A-Za-z])[:|](?![^/])").match
_DRIVE_AS_HOST = re.compile(r"([A-Za-z])[:|]").fullmatch


def of_file(parts: Parts, *, has_base: bool) -> Parts:
    """The components of an address of a file.

    A name without slash is a path, not a host, and a drive of Windows begins a path, wherever
    it stands: that is how people write them.

    Args:
        parts: as written, with "/" for each slash.
        has_base: whether it can be relative to that of another file.

    Source: RFC 8089 appendix E.2; WHATWG URL #file-state and after.

    >>> compose(of_file(split("file:report.pdf"), has_base=False))
    'file:///report.pdf'
    >>> compose(of_file(split("file://C|/docs"), has_base=False))
    'file:///C:/docs'
    """
    authority, path = parts.authority, parts.path
    if authority is not None and (host := _DRIVE_AS_HOST(authority)):
        authority, path = "", f"/{host[1]}:{path}"
    elif not authority and (drive := _DRIVE_WRITTEN(path)):
        path = f"/{drive[1]}:{path[drive.end() :]}"
    if authority is None and not has_base:
        authority = ""
    if authority is not None and not path.startswith("/"):
        path = f"/{path}"
    return parts._replace(authority=authority, path=path)


def has_opaque_path(parts: Parts, base: Parts | None) -> bool:
    """Whether an address has a scheme and a path without hierarchy."""
    if parts.scheme is None or parts.authority is not None or parts.path.startswith("/"):
        return False
    return not (base is not None and parts.scheme == base.scheme in SPECIAL)


def authority_of(authority: str, scheme: str | None) -> str:
    """An authority in its normal form.

    Raises:
        ValueError: its host or port is invalid.

    Source: RFC 3986 sections 3.2, 6.2.2 and 6.2.3.
    """
    user, at, place = authority.rpartition("@")
    found = _HOST_AND_PORT(place)
    if found is None or int(found[3] or 0) > LAST_PORT:
        raise ValueError("no authority")
    if scheme == "file" and (at or found[2] is not None):
        raise ValueError("the host of a file has neither user nor port")
    host = found[1]
    host = literal_of(host[1:-1]) if host.startswith("[") else host_of(host, scheme)
    if scheme == "file" and host == "localhost":
        return ""  # RFC 8089 section 2
    if found[3] and int(found[3]) != DEFAULT_PORTS.get(scheme or ""):
        host = f"{host}:{int(found[3])}"
    return f"{escaped(user, USER)}@{host}" if at else host


_HOST_AND_PORT = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(:([0-9]*))?").fullmatch
LAST_PORT: Final = 65_535
_FUTURE = re.compile(r"v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+", re.IGNORECASE).fullmatch


def literal_of(address: str) -> str:
    """A host in square brackets, given without them: an address of IP 6, or of a later IP.

    Raises:
        ValueError: it is no such address, or has a zone, which means nothing on another machine.

    Source: RFC 3986 section 3.2.2; WHATWG URL #concept-ipv6-serializer.

    >>> literal_of("2001:DB8:0::0:1"), literal_of("::ffff:1.2.3.4")
    ('[2001:db8::1]', '[::ffff:102:304]')
    """
    if _FUTURE(address):
        return f"[{address.lower()}]"
    if "%" in address:
        raise ValueError("a zone")
    number = IPv6Address(address)
    if number.ipv4_mapped is not None:  # which ipaddress writes in one way or the other
        high, low = divmod(int(number) & 0xFFFFFFFF, 1 << 16)
        return f"[::ffff:{high:x}:{low:x}]"
    return f"[{number}]"


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
        return escaped(escaped(host, USER).lower(), USER)
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
