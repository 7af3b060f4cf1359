"""`xmlfix.fetch` and `xmlfix.guard`: passwords, redirects, private addresses, broken answers."""

from __future__ import annotations

import base64
import io
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from xmlfix import guard
from xmlfix.cli import main
from xmlfix.guard import is_public
from xmlfix.output import without_user

Run = Callable[..., tuple[int, str, str]]


class Pages(BaseHTTPRequestHandler):
    """Answers by path."""

    protocol_version = "HTTP/1.1"
    targets: ClassVar[dict[str, str]] = {}  # of redirects, by path

    def do_GET(self) -> None:
        self.close_connection = True
        if self.path in self.targets:
            self.send_response(302)
            self.send_header("Location", self.targets[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/user":
            self.page(f"<a href=/x>{self.headers.get('Authorization', 'nobody')}</a>")
        elif self.path == "/chunk":
            self.chunked(b"3\r\n<p>\r\nzzz\r\nabc\r\n")
        elif self.path == "/cut-chunk":
            self.chunked(b"ff\r\n<p>only a part")
        elif self.path == "/gone":
            self.wfile.flush()
        elif self.path == "/long":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n")
        elif self.path == "/other":
            self.wfile.write(b"220 mail.example ESMTP\r\n")
        else:
            self.page(f"<a href=x>{self.path}</a>")

    def page(self, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def chunked(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *values: object) -> None:
        pass


def serving(context: ssl.SSLContext | None = None) -> Iterator[int]:
    """A server on all loopback addresses of IP 4; its port."""
    server = ThreadingHTTPServer(("0.0.0.0", 0), Pages)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    yield from serving()


@pytest.fixture(scope="module")
def tls_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """The port of a server with https, and the file of its certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    words = f"{words} -subj /CN=localhost -addext {names} -keyout {key} -out {certificate}"
    subprocess.run(words.split(), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    for number in serving(context):
        yield number, certificate


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process, without proxies; gives status, output and errors."""
    for word in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(word, raising=False)
        monkeypatch.delenv(word.upper(), raising=False)
    monkeypatch.setattr(Pages, "targets", {})

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        status = main([*words])
        out, errors = capsysbinary.readouterr()
        assert b"Traceback" not in errors
        return status, out.decode(), errors.decode()

    return call


# ── user and password ────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://me:secret@h/x", "http://***@h/x"),
        ("https://secret@h: 404 Not Found", "https://***@h: 404 Not Found"),
        ("HTTP://me:secr@secret@[::1]:8/", "HTTP://***@[::1]:8/"),
        ("http://me:sec/secret@h/", "http://***@h/"),
        ("http://me:sec?secret@h/", "http://***@h/"),
        ("from http://a/b to ftp://me:secret@h", "from http://a/b to ftp://***@h"),
        ("http://h:8000/@me", "http://h:8000/@me"),
        ("http://[::1]:80/@me", "http://[::1]:80/@me"),
        ("http://h/a?b=c@d and mailto:a@b", "http://h/a?b=c@d and mailto:a@b"),
    ],
)
def test_users_are_not_shown(text: str, expected: str) -> None:
    assert without_user(text) == expected


@pytest.mark.parametrize("command", ["links", "tables", "check", "outline", "css a", "fix"])
@pytest.mark.parametrize(
    "rest",
    ["127.0.0.1:{port}/chunk", "127.0.0.1:{port}/user", "127.0.0.1:x/", "[::1/", "h\u2100/", "/"],
)
def test_no_command_shows_a_password(command: str, rest: str, port: int, run: Run) -> None:
    words = command.split() if command != "fix" else []
    address = f"http://me:s3cret@{rest.format(port=port)}"
    folder = [] if command != "fix" else ["--report"]
    _, out, errors = run(*words, *folder, address)
    assert "s3cret" not in errors
    assert "s3cret" not in out
    assert out or errors


def test_a_password_with_a_slash_is_not_shown(run: Run) -> None:
    for address in ("http://me:s3/s3cret@127.0.0.1/", "http://me:s3?cret@h/", "http://me:s3#x@h"):
        status, out, errors = run("links", address)
        assert (status, out) == (2, "")
        assert "s3" not in errors


def test_user_and_password_are_sent(port: int, run: Run) -> None:
    sent = "Basic " + base64.b64encode("mé:a b/c:d".encode()).decode()
    address = f"http://m%C3%A9:a%20b%2Fc:d@127.0.0.1:{port}"
    assert run(f"{address}/user")[1].count(f">{sent}<") == 1
    assert run("links", "--base", "http://no/", f"{address}/user") == (
        0,
        f"http://127.0.0.1:{port}/x\n",
        "",
    )
    assert "nobody" in run(f"http://127.0.0.1:{port}/user")[1]
    _, out, _ = run("links", "--format", "jsonl", f"{address}/user", f"{address}/a")
    assert out.count('"file": "http://***@127.0.0.1') == 2


def test_user_and_password_are_sent_to_nobody_else(port: int, run: Run) -> None:
    Pages.targets = {"/here": "/user", "/there": f"http://127.0.0.2:{port}/user"}
    address = f"http://me:secret@127.0.0.1:{port}"
    assert "Basic" in run(f"{address}/here")[1]
    assert "nobody" in run(f"{address}/there")[1]


# ── redirects ────────────────────────────────────────────────────────────────


def test_encryption_is_not_given_up(
    port: int, tls_port: tuple[int, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, certificate = tls_port
    plain, safe = f"http://127.0.0.1:{port}", f"https://127.0.0.1:{number}"
    status, _, errors = run(f"{safe}/page")
    assert (status, errors.count("\n")) == (2, 1)
    assert "its certificate is not to be trusted: self-signed certificate" in errors
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    Pages.targets = {"/down": f"{plain}/page", "/up": f"{safe}/page", "/to-down": f"{safe}/down"}
    assert "/page" in run(f"{safe}/page")[1]
    assert "/page" in run(f"{plain}/up")[1]
    for begin in (f"{safe}/down", f"{safe}/to-down", f"{plain}/to-down"):
        status, out, errors = run(begin)
        assert (status, out, errors.count("\n")) == (2, "", 1)
        assert f"{begin}: redirected to {plain}/page, where nothing is encrypted" in errors


# ── public addresses only ────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("public", "addresses"),
    [
        (True, "93.184.216.34 8.8.8.8 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808"),
        (False, "127.0.0.1 127.9.9.9 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254"),
        (False, "0.0.0.0 0.1.2.3 100.64.0.1 100.127.255.255 192.0.2.1 198.18.0.1 240.0.0.1"),
        (False, "224.0.0.1 239.255.255.250 224.0.1.1 255.255.255.255"),
        (False, ":: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ff0e::1"),
        (False, "::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 2002:7f00:1:: 2001:db8::1"),
        (False, "64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 2001:0:7f00:1::"),
    ],
)
def test_which_addresses_are_public(public: bool, addresses: str) -> None:
    for address in addresses.split():
        assert is_public(address) == public, address


@pytest.mark.parametrize(
    "host", "127.0.0.1 localhost 127.1 2130706433 0x7f.1 0.0.0.0 [::ffff:127.0.0.1] [::1]".split()
)
def test_this_machine_is_not_public(host: str, port: int, run: Run) -> None:
    status, out, errors = run("--public-only", f"http://{host}:{port}/")
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert " is not public (--public-only)" in errors


def test_what_is_connected_to_is_what_was_checked(
    port: int, tls_port: tuple[int, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """127.0.0.1 stands for a public address, all others are private."""
    Pages.targets = {
        "/private": f"http://127.0.0.2:{port}/page",
        "/name": f"http://rebound.example:{port}/page",
    }
    meanings = ["127.0.0.1", "127.0.0.2"]  # of the name, at each look-up
    look_up = socket.getaddrinfo

    def changing(host: str, *rest: object, **more: object) -> list[object]:
        return look_up(meanings.pop(0) if host == "rebound.example" else host, *rest, **more)

    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(socket, "getaddrinfo", changing)
    address = f"http://127.0.0.1:{port}"
    assert "/page" in run("--public-only", f"{address}/page")[1]
    assert "127.0.0.2 is not public" in run("--public-only", f"{address}/private")[2]
    assert "/page" in run("--public-only", f"{address}/name")[1]
    assert meanings == ["127.0.0.2"]  # it was looked up once
    assert "127.0.0.2 is not public" in run("--public-only", f"{address}/name")[2]
    meanings[:] = ["127.0.0.2"]
    assert "127.0.0.2 is not public" in run("--public-only", f"http://rebound.example:{port}")[2]
    number, certificate = tls_port
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    assert "/page" in run("--public-only", f"https://127.0.0.1:{number}/page")[1]
    assert "127.0.0.2 is not" in run("--public-only", f"https://127.0.0.2:{number}/page")[2]


def test_a_host_with_private_addresses_too(
    port: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its public ones are taken, whatever comes first."""
    inet = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
    found = [(*inet, ("127.0.0.2", port)), (*inet, ("127.0.0.1", port))]
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *about, **more: found)
    assert "/page" in run("--public-only", "http://both.example/page")[1]


def test_a_proxy_hides_what_is_connected_to(
    port: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
    status, out, errors = run("--public-only", "http://example.org/")
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert "unset http_proxy" in errors


# ── broken answers ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("chunk", "the answer breaks off, or is damaged: a part of the page is missing"),
        ("cut-chunk", "the answer breaks off, or is damaged: a part of the page is missing"),
        ("gone", "the connection was ended without an answer"),
        ("long", "the answer's header has a line that is too long"),
        ("other", "the server does not speak HTTP"),
    ],
)
def test_broken_answers(page: str, message: str, port: int, run: Run, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{port}/{page}"
    assert run(address, "-o", str(tmp_path / "x")) == (2, "", f"xmlfix: {address}: {message}\n")
    assert not (tmp_path / "x").exists()
