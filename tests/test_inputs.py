"""What the command reads and where it writes: files, folders, compressed input, addresses."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Done, Run, complaint

from xmlfix.cli import main
from xmlfix.output import output_name

HEAD = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RUSSIAN = "Привет"


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process, with the stack repair and without declaration."""
    for word in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"):
        monkeypatch.delenv(word, raising=False)

    def call(*words: str | Path, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        options = ["--repair", "stack", "--no-xml-declaration"]
        try:
            status = main([*options, *map(str, words)])
        except SystemExit as stop:
            status = int(stop.code or 0)
        out, errors = capsysbinary.readouterr()
        assert b"Traceback" not in errors
        return Done(status, out, errors.decode().splitlines())

    return call


# ── several inputs ───────────────────────────────────────────────────────────


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with pages, which is the current one."""
    (tmp_path / "a.html").write_bytes(b"<p>a")
    (tmp_path / "b.htm").write_bytes(b"<p>b")
    (tmp_path / "c").write_bytes(b"<p>c")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_several_inputs(run: Run, folder: Path) -> None:
    done = run("-d", "out/deep", "a.html", "b.htm", "c", "-", stdin=b"<p>in")
    assert done == (0, b"", [])
    out = folder / "out" / "deep"
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        "a.xml": b"<p>a</p>\n",
        "b.xml": b"<p>b</p>\n",
        "c.xml": b"<p>c</p>\n",
        "stdin.xml": b"<p>in</p>\n",
    }


def test_one_input_into_a_folder(run: Run, folder: Path) -> None:
    assert run("-d", ".", "a.html") == (0, b"", [])
    assert (folder / "a.xml").read_bytes() == b"<p>a</p>\n"


def test_what_does_not_go_together(run: Run, folder: Path) -> None:
    assert "b.htm" in complaint(run("a.html", "b.htm"))
    assert "-d" in complaint(run("a.html", "b.htm", "-o", "x"))
    assert "-d" in complaint(run("a.html", "-o", "x", "-d", "out"))
    assert "--save-source" in complaint(run("-d", "out", "--save-source", "x", "a.html", "b.htm"))
    assert "standard input" in complaint(run("-d", "out", "-", "-"))
    assert "--force" in complaint(run("--force", "a.html"))
    assert not (folder / "out").exists()
    for words in (["--timeout", "0"], ["--timeout", "nan"], ["--max-size", "-1"]):
        assert run(*words, "a.html").status == 2


def test_unusable_options_are_said_once(run: Run, folder: Path) -> None:
    assert "root" in complaint(run("-d", "out", "--root", "a b", "a.html", "b.htm"))
    assert "klingon" in complaint(run("-d", "out", "--output-encoding", "klingon", "a.html", "c"))
    assert "klingon" in complaint(run("-d", "out", "--fallback", "klingon", "a.html", "c"))


def test_the_other_files_go_on(run: Run, folder: Path) -> None:
    done = run("-d", "out", "absent.html", "a.html", ".", "c", "line\nfeed")
    assert (done.status, done.out) == (2, b"")
    assert done.errors == [
        "xmlfix: absent.html: No such file or directory",
        "xmlfix: .: Is a directory",
        "xmlfix: line\\u000afeed: No such file or directory",
    ]
    assert sorted(os.listdir("out")) == ["a.xml", "c.xml"]


def test_errors_of_the_text_name_the_file(run: Run, folder: Path) -> None:
    done = run("-d", "out", "--encoding", "klingon", "a.html", "c")
    assert done.status == 2
    assert done.errors == [
        "xmlfix: a.html: unknown encoding 'klingon'",
        "xmlfix: c: unknown encoding 'klingon'",
    ]
    assert complaint(run("--encoding", "klingon", "a.html")) == (
        "xmlfix: unknown encoding 'klingon'"
    )


def test_nothing_is_overwritten_unasked(run: Run, folder: Path) -> None:
    out = folder / "out"
    out.mkdir()
    (out / "a.xml").write_bytes(b"before")
    (folder / "sub").mkdir()
    (folder / "sub" / "b.html").write_bytes(b"<p>other")
    done = run("-d", "out", "a.html", "b.htm", "sub/b.html")
    assert done.status == 2
    assert "a.xml: it exists already" in done.errors[0]
    assert "sub/b.html: another input has become b.xml" in done.errors[1]
    assert (out / "a.xml").read_bytes() == b"before"
    assert (out / "b.xml").read_bytes() == b"<p>b</p>\n"
    done = run("-d", "out", "--force", "a.html", "b.htm", "sub/b.html")
    assert done.status == 2  # two inputs of one name are one too many, all the same
    assert len(done.errors) == 1
    assert (out / "a.xml").read_bytes() == b"<p>a</p>\n"
    assert sorted(os.listdir(out)) == ["a.xml", "b.xml"]


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links")
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_links_do_not_lead_out_of_the_folder(run: Run, folder: Path, force: list[str]) -> None:
    out = folder / "out"
    out.mkdir()
    victim = folder / "victim"
    victim.write_bytes(b"before")
    (out / "a.xml").symlink_to(victim)
    done = run("-d", "out", *force, "a.html")
    assert done.status == (0 if force else 2)
    assert victim.read_bytes() == b"before"
    assert (out / "a.xml").is_symlink() == (not force)
    (out / "b.xml").symlink_to(folder / "nowhere")
    assert run("-d", "out", *force, "b.htm").status == (0 if force else 2)
    assert not (folder / "nowhere").exists()


def test_a_folder_that_is_none(run: Run, folder: Path) -> None:
    assert "a.html" in complaint(run("-d", "a.html", "b.htm"))
    assert run("-d", "a.html/x", "b.htm").status == 2


def test_without_hard_links(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*names: str) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    assert run("-d", "out", "a.html").status == 0
    assert "exists already" in complaint(run("-d", "out", "a.html"))
    assert os.listdir("out") == ["a.xml"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[("page.html", "page.xml"), ("a/b/page.HTM", "page.xml"), ("page", "page.xml")],
        *[
            ("page.html.gz", "page.xml"),
            ("page.gz", "page.xml"),
            ("a.html.XZ", "a.xml"),
            ("a.zst", "a.xml"),
            ("feed.rss", "feed.xml"),
        ],
        *[("version-2.4", "version-2.4.xml"), ("a.b.html", "a.b.xml"), (".html", ".html.xml")],
        *[("-", "stdin.xml"), ("..", "index.xml"), ("a/", "index.xml"), ("\x1b[m.html", "_[m.xml")],
        *[("x" * 300 + ".html", "x" * 200 + ".xml"), ("é.html", "é.xml")],
        ("https://example.org", "index.xml"),
        ("https://example.org/", "index.xml"),
        ("https://example.org/a/b.html?c=d/e.f#g", "b.xml"),
        ("https://example.org/a/%2e%2e", "index.xml"),
        ("https://example.org/..%2F..%2Fetc%2Fpasswd", "passwd.xml"),
        ("https://example.org/a%5Cb%00c.html", "a_b_c.xml"),
        ("HTTP://example.org/%C3%A9.html", "é.xml"),
    ],
)
def test_names_of_output_files(name: str, expected: str) -> None:
    assert output_name(name) == expected


# ── addresses ────────────────────────────────────────────────────────────────

PAGE = b"<meta charset=koi8-r><p>" + RUSSIAN.encode("koi8-r")
UTF_8_PAGE = b"<meta charset=koi8-r><p>" + RUSSIAN.encode()


class Pages(BaseHTTPRequestHandler):
    """The pages of the test's server, by path."""

    over = threading.Event()

    def do_GET(self) -> None:
        name = self.path.split("?")[0].strip("/").replace("-", "_")
        answer = getattr(self, f"page_{name}", None)
        if answer is None:
            self.send_error(404)
        else:
            with contextlib.suppress(OSError):  # the command has heard enough
                answer()

    def send(self, data: bytes, kind: str | None = "text/html", **headers: str) -> None:
        self.send_response(200)
        if kind is not None:
            self.send_header("Content-Type", kind)
        for word, value in headers.items():
            self.send_header(word.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def redirect(self, target: str, code: int = 302) -> None:
        self.send_response(code)
        self.send_header("Location", target)
        self.end_headers()

    def page_plain(self) -> None:
        self.send(PAGE)

    def page_header(self) -> None:
        self.send(UTF_8_PAGE, 'text/html; charset="UTF-8"')

    def page_mark(self) -> None:
        self.send(b"\xef\xbb\xbf" + UTF_8_PAGE, "text/html; charset=koi8-r")

    def page_nonsense(self) -> None:
        self.send(PAGE, "text/html; charset=nonsense")

    def page_untyped(self) -> None:
        self.send(PAGE, None)

    def page_feed(self) -> None:
        self.send(b"<Feed><Entry/></Feed>", "application/atom+xml")

    def page_picture(self) -> None:
        self.send(b"<p>picture", "image/png")

    def page_zipped(self) -> None:
        self.send(gzip.compress(PAGE), Content_Encoding="gzip")

    def page_brotli(self) -> None:
        self.send(b"\x0b", Content_Encoding="br")

    def page_agent(self) -> None:
        self.send(f"<p>{self.headers['User-Agent']}".encode())

    def page_once(self) -> None:
        self.redirect("/plain")

    def page_loop(self) -> None:
        self.redirect("/loop?" + self.path[-50:] + "x", 301)

    def page_itself(self) -> None:
        self.redirect("/itself")

    def page_elsewhere(self) -> None:
        self.redirect("file:///etc/passwd")

    def page_ftp(self) -> None:
        self.redirect("ftp://127.0.0.1/x")

    def page_nowhere(self) -> None:
        self.send_response(302)
        self.end_headers()

    def page_moved_forever(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/plain")
        self.end_headers()
        self.flow(0)

    def page_endless(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.flow(0)

    def page_slow(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.flow(0.05, b"x")

    def page_silent(self) -> None:
        self.over.wait(10)

    def page_slow_head(self) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        self.flow(0.05, b"X: y\r\n")

    def page_cut(self) -> None:
        self.send(PAGE, Content_Length=str(len(PAGE) + 100))

    def page_big(self) -> None:
        self.send(b"x" * 200_000)

    def page_rubbish(self) -> None:
        self.wfile.write(b"\x00\xff\r\n\r\n")

    def flow(self, pause: float, data: bytes = b"<p>" * 20_000) -> None:
        """Send the same again and again, until the test is over."""
        for _ in range(10_000):
            if self.over.is_set():
                return
            self.wfile.write(data)
            self.wfile.flush()
            if pause:
                time.sleep(pause)

    def log_message(self, format: str, *values: Any) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server on the loopback address."""
    Pages.over.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    Pages.over.set()
    server.shutdown()
    server.server_close()


def test_page_at_an_address(run: Run, server: str) -> None:
    done = run(f"{server}/plain")
    assert (done.status, done.errors) == (0, [])
    assert RUSSIAN in done.out.decode()
    assert b"xmlfix" in run(f"{server}/agent").out


def test_the_header_comes_before_the_meta_and_after_the_mark(run: Run, server: str) -> None:
    for page in ("header", "mark", "nonsense", "untyped"):
        assert RUSSIAN in run(f"{server}/{page}").out.decode(), page
    assert RUSSIAN not in run(f"{server}/header", "--encoding", "koi8-r").out.decode()
    assert RUSSIAN not in run(f"{server}/header", "--transport-encoding", "koi8-r").out.decode()


def test_media_types(run: Run, server: str) -> None:
    assert run(f"{server}/feed").out == b"<Feed><Entry/></Feed>\n"
    refused = complaint(run(f"{server}/picture"))
    assert "image/png" in refused
    assert "--any-type" in refused
    assert run(f"{server}/picture", "--any-type").out == b"<p>picture</p>\n"


def test_compressed_answers(run: Run, server: str) -> None:
    assert RUSSIAN in run(f"{server}/zipped").out.decode()
    assert "br" in complaint(run(f"{server}/brotli"))


def test_redirects(run: Run, server: str) -> None:
    assert RUSSIAN in run(f"{server}/once").out.decode()
    assert RUSSIAN in run(f"{server}/moved-forever").out.decode()
    assert "more than 10 redirects" in complaint(run(f"{server}/loop?"))
    assert "more than 10 redirects" in complaint(run(f"{server}/itself"))
    assert "file:///etc/passwd" in complaint(run(f"{server}/elsewhere"))
    assert "ftp:" in complaint(run(f"{server}/ftp"))
    assert "302" in complaint(run(f"{server}/nowhere"))


def test_failures(run: Run, server: str) -> None:
    assert complaint(run(f"{server}/absent")) == f"xmlfix: {server}/absent: 404 Not Found"
    assert "early" in complaint(run(f"{server}/cut"))
    assert complaint(run(f"{server}/rubbish")).startswith(f"xmlfix: {server}/rubbish: ")
    assert "refused" in complaint(run("http://127.0.0.1:9/"))
    for address in ("http://", "http:///x", "http://127.0.0.1:x/", "http://[::1/", "https://a b/"):
        assert complaint(run(address)).startswith("xmlfix: http")
    assert "No such file" in complaint(run("ftp://127.0.0.1/x"))
    assert "No such file" in complaint(run("file:///etc/hostname"))


def test_limits_of_size(run: Run, server: str) -> None:
    assert "--max-size" in complaint(run(f"{server}/endless", "--max-size", "1000000"))
    assert "--max-size" in complaint(run(f"{server}/big", "--max-size", "199999"))
    assert run(f"{server}/big", "--max-size", "200000").status == 0


@pytest.mark.parametrize("page", ["slow", "silent", "slow-head"])
def test_limits_of_time(run: Run, server: str, page: str) -> None:
    start = time.monotonic()
    assert "--timeout" in complaint(run(f"{server}/{page}", "--timeout", "0.4"))
    assert time.monotonic() - start < 3


def test_the_other_addresses_go_on(run: Run, server: str, folder: Path) -> None:
    addresses = [f"{server}/{page}" for page in ("absent", "plain", "picture", "big?x=/y.z")]
    done = run("-d", "out", *addresses, "a.html")
    assert done.status == 2
    assert [line.split(": ")[1] for line in done.errors] == [addresses[0], addresses[2]]
    assert sorted(os.listdir("out")) == ["a.xml", "big.xml", "plain.xml"]


def test_the_source_is_kept(run: Run, server: str, folder: Path) -> None:
    assert run(f"{server}/plain", "--save-source", "kept.html").status == 0
    assert (folder / "kept.html").read_bytes() == PAGE
    assert run(f"{server}/zipped", "--save-source", "kept.html").status == 0
    assert gzip.decompress((folder / "kept.html").read_bytes()) == PAGE
    assert run("--save-source", "kept.html", stdin=b"<p>in").out == b"<p>in</p>\n"
    assert (folder / "kept.html").read_bytes() == b"<p>in"
    complaint(run(f"{server}/absent", "--save-source", "none.html"))
    assert not (folder / "none.html").exists()
    assert "absent" in complaint(run("a.html", "--save-source", "absent/x"))


def test_addresses_with_other_characters(run: Run, server: str) -> None:
    assert run(f"{server}/plain?é=ü ö&<>").status == 0
    assert run(f"{server}/plain#é").status == 0
    assert "404" in complaint(run(f"{server}/é%C3%A9%"))


# ── a fast start ─────────────────────────────────────────────────────────────


def test_the_filter_imports_nothing_that_it_does_not_need(folder: Path) -> None:
    code = (
        "import sys; from xmlfix.cli import main; main(['a.html', '-o', 'x']);"
        "print([name for name in ('lxml', 'urllib.request', 'http.client', 'gzip', 'zlib',"
        " 'bz2', 'lzma', 'difflib', 'chardet', 'ssl', 'xmlfix.fetch') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    # tempfile, for the atomic file, brings some of them by way of shutil
    assert done.stdout.decode().strip() in ("[]", "['zlib']", "['zlib', 'bz2', 'lzma']")
    assert (folder / "x").read_bytes().startswith(HEAD)
