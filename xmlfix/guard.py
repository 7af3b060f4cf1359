"""Connections to public addresses only, for servers that fetch what others name.

A name is looked up once, the addresses that come back are checked, and the connection is made
to one of those: what the name means a moment later does not matter. Every redirect makes a
connection of its own, which is checked likewise.
"""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib import request

from xmlfix.output import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.client import HTTPResponse
    from typing import Final

NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an address of IP 4


def is_public(address: str) -> bool:
    """Whether an IP address is one that can be reached from anywhere on the Internet.

    Not public are private, loopback, link-local, reserved, multicast and unspecified addresses,
    those of a provider's own network (RFC 6598), and those of IP 6 that stand for one of these.

    Source: the IANA registries of special-purpose addresses, as `ipaddress` has them.

    >>> [is_public(each) for each in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1")]
    [True, False, False]
    """
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        if number in NAT64:
            return is_public(str(IPv4Address(int(number) & 0xFFFFFFFF)))
        within = [number.ipv4_mapped, number.sixtofour, *(number.teredo or ())]
        if any(each is not None and not is_public(str(each)) for each in within):
            return False
        if number.ipv4_mapped is not None:
            return True
        if number.is_site_local:
            return False
    return number.is_global and not (number.is_multicast or number.is_reserved)


def public_socket(host: str, port: int, timeout: float | None) -> socket.socket:
    """A connection to a host at one of its public addresses.

    Raises:
        CommandError: it has none.
        OSError: it has no address, or does not answer.
    """
    failure: Exception | None = None
    for family, kind, protocol, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        address = str(place[0])
        if not is_public(address):
            refusal = f"its address {address} is not public (--public-only)"
            failure = failure or CommandError(refusal)
            continue
        connection = socket.socket(family, kind, protocol)
        connection.settimeout(timeout)
        try:
            connection.connect(place)
        except OSError as error:
            connection.close()
            failure = error
            continue
        return connection
    raise failure or OSError("the name has no address")


class PublicConnection(HTTPConnection):
    """A connection by http that is made to public addresses only."""

    def connect(self) -> None:
        self.sock = public_socket(self.host, self.port, self.timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class PublicHTTPSConnection(HTTPSConnection, PublicConnection):
    """The same by https: it encrypts the connection that the other has made."""


class PublicHTTPHandler(request.HTTPHandler):
    """Opens http addresses by `PublicConnection`."""

    def http_open(self, req: request.Request) -> HTTPResponse:
        return self.do_open(PublicConnection, req)


class PublicHTTPSHandler(request.HTTPSHandler):
    """Opens https addresses by `PublicHTTPSConnection`."""

    def https_open(self, req: request.Request) -> HTTPResponse:
        return self.do_open(PublicHTTPSConnection, req)
