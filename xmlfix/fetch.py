"""A page from the web, within limits of time, size and redirects."""

from __future__ import annotations

import threading
from http.client import (
    BadStatusLine,
    HTTPException,
    IncompleteRead,
    InvalidURL,
    LineTooLong,
    RemoteDisconnected,
)
from ssl import SSLCertVerificationError
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from xmlfix.output import CommandError, is_address, without_user
from xmlfix.sniffing import is_xml_media_type, media_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPMessage, HTTPResponse
    from typing import IO

REDIRECTS = 10
PIECE = 65_536  # bytes read at a time
USER_AGENT = "xmlfix"
ACCEPT = "text/html, application/xhtml+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"
HTML_TYPES = ("", "text/html")  # a server that names no type is believed to send HTML
# Characters that stay as they are in an address: reserved ones and those of an escape.
UNQUOTED = "!#$%&'()*+,/:;=?@[]~"


def fetch(
    address: str, *, timeout: float, max_size: int, any_type: bool, public_only: bool
) -> tuple[bytes, str | None, str]:
    """The body at an address, its `Content-Type`, and the address after all redirects.

    The address that comes back has no user and password, and messages have none either.

    Args:
        address: of http or https, with any characters; `user:password@` before the host is
            sent as Basic authentication, to this host only.
        timeout: seconds until all must have come.
        max_size: bytes that may come.
        any_type: take other content types than those of HTML and XML.
        public_only: connect to public addresses only, see `xmlfix.guard.is_public`.

    Raises:
        CommandError: it could not be had.
    """
    exchange = Exchange(address, timeout, max_size, any_type, public_only)
    # A thread, since neither the look-up of a name nor a server that sends a byte now and
    # then can be ended from outside.
    thread = threading.Thread(target=exchange.run, daemon=True)
    thread.start()
    thread.join(timeout)
    exchange.is_over = True
    if exchange.error is None and exchange.body is None:
        exchange.error = f"no full answer within {timeout:g} seconds (--timeout)"
    if exchange.error is not None:
        raise CommandError(f"{without_user(address)}: {exchange.error}")
    assert exchange.body is not None
    return exchange.body, exchange.content_type, exchange.final_address


class Exchange:
    """One request, with its redirects, and what came of it."""

    def __init__(
        self, address: str, timeout: float, max_size: int, any_type: bool, public_only: bool
    ) -> None:
        self.address = address
        self.timeout = timeout
        self.max_size = max_size
        self.any_type = any_type
        self.public_only = public_only
        self.final_address = without_user(address)
        self.body: bytes | None = None
        self.content_type: str | None = None
        self.error: str | None = None
        self.is_over = False

    def run(self) -> None:
        """Get the page, or say why not."""
        try:
            self.body = self.answer()
        except HTTPError as error:
            self.error = f"{error.code} {error.reason}"
        except URLError as error:
            self.error = why(error.reason)
        except (OSError, HTTPException, ValueError, CommandError) as error:
            self.error = why(error)

    def answer(self) -> bytes:
        """The body of the answer."""
        opener = request.OpenerDirector()
        for handler in (
            *self.doors(),
            request.HTTPDefaultErrorHandler(),
            request.HTTPErrorProcessor(),
            Redirects(),
        ):
            opener.add_handler(handler)
        headers = {"User-Agent": USER_AGENT, "Accept": ACCEPT}
        address, user = parted(self.address)
        asked = request.Request(address, headers=headers)
        if user:
            asked.add_unredirected_header("Authorization", user)
        with opener.open(asked, timeout=self.timeout) as response:
            self.content_type = response.headers.get("Content-Type")
            self.final_address = response.geturl() or address
            self.check(response)
            return self.read(response)

    def doors(self) -> list[request.BaseHandler]:
        """What opens http and https addresses.

        Raises:
            CommandError: only public addresses are asked for, and a proxy is in the way.
        """
        if not self.public_only:
            return [request.ProxyHandler(), request.HTTPHandler(), request.HTTPSHandler()]
        from xmlfix.guard import PublicHTTPHandler, PublicHTTPSHandler

        if not {"http", "https", "all"}.isdisjoint(request.getproxies()):
            raise CommandError(
                "--public-only cannot see what a proxy connects to: unset http_proxy, https_proxy"
                " and all_proxy"
            )
        return [PublicHTTPHandler(), PublicHTTPSHandler()]

    def check(self, response: HTTPResponse) -> None:
        """Refuse an answer that is no page."""
        essence = media_type(self.content_type)
        is_page = essence in HTML_TYPES or is_xml_media_type(essence)
        if not (is_page or self.any_type):
            raise CommandError(f"it is {essence}, neither HTML nor XML (--any-type)")
        coding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip"):
            raise CommandError(f"it is compressed by {coding}, which nobody asked for")

    def read(self, response: HTTPResponse) -> bytes:
        """The body, within the limit."""
        out = []
        left = self.max_size
        while not self.is_over:
            piece = response.read(PIECE)
            if not piece:
                break
            out.append(piece)
            left -= len(piece)
            if left < 0:
                raise CommandError(f"more than {self.max_size} bytes (--max-size)")
        if response.length:
            raise CommandError(f"the connection ended {response.length} bytes early")
        return b"".join(out)


class Redirects(request.HTTPRedirectHandler):
    """Follows redirects to other pages of the web, not too many."""

    # The count here is ours: urllib's words for it take three lines.
    max_repeats = max_redirections = REDIRECTS + 1

    def __init__(self) -> None:
        self.left = REDIRECTS

    def redirect_request(
        self,
        req: request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> request.Request | None:
        fp.close()  # its body may be endless
        self.left -= 1
        if self.left < 0:
            raise CommandError(f"more than {REDIRECTS} redirects")
        if not is_address(newurl):
            raise CommandError(f"redirected to {newurl}, which is no http or https address")
        address, user = parted(newurl)
        if req.type == "https" and not address.startswith("https:"):
            raise CommandError(
                f"redirected to {address}, where nothing is encrypted; to take the page from there,"
                " name that address"
            )
        following = super().redirect_request(req, fp, code, msg, headers, address)
        if following is not None:
            if not user and (following.type, following.host) == (req.type, req.host):
                user = req.get_header("Authorization") or ""
            if user:
                following.add_unredirected_header("Authorization", user)
        return following


def parted(address: str) -> tuple[str, str]:
    """The address in ASCII without user and password, and the `Authorization` that they are.

    Other characters are escaped, and the host is as in the name system. The latter is "" if
    there is no user.

    Raises:
        CommandError: it is no address.

    Source: RFC 3987 §3.1; RFC 7617 §2.

    >>> parted("http://Aladdin:open%20sesame@bücher.example/é")
    ('http://xn--bcher-kva.example/%C3%A9', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')
    """
    from base64 import b64encode

    try:
        scheme, authority, path, query, _ = urlsplit(address)
        user, at, host = authority.rpartition("@")
        if not host.isascii():
            host = host.encode("idna").decode("ascii")
        _ = urlsplit(f"//{host}").port
    except ValueError:  # whose words may hold a password
        raise CommandError("it is no address: its host or port is invalid") from None
    if not host:
        raise CommandError("it names no host")
    name, _, password = user.partition(":")
    pair = f"{unquote(name)}:{unquote(password)}".encode()
    return (
        urlunsplit((scheme, host, quote(path, UNQUOTED), quote(query, UNQUOTED), "")),
        f"Basic {b64encode(pair).decode('ascii')}" if at else "",
    )


# What these say by themselves is meant for programmers, or holds what was sent.
PLAIN_WORDS = {
    TimeoutError: "no answer in time (--timeout)",
    IncompleteRead: "the answer breaks off, or is damaged: a part of the page is missing",
    RemoteDisconnected: "the connection was ended without an answer",
    BadStatusLine: "the server does not speak HTTP",
    LineTooLong: "the answer's header has a line that is too long",
    InvalidURL: "it is no address: it has characters that no address can have",
}


def why(error: object) -> str:
    """An error in one line of plain words."""
    for kind, words in PLAIN_WORDS.items():
        if isinstance(error, kind):
            return words
    if isinstance(error, SSLCertVerificationError):
        return f"its certificate is not to be trusted: {error.verify_message}"
    text = getattr(error, "strerror", None) or str(error)
    return text if text else type(error).__name__
