"""Compressed input: unpacked within the limits, or refused, never read as a page."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Done, Run, complaint

from xmlfix import fix_bytes
from xmlfix.cli import main
from xmlfix.inputs import PACKED_BEGINNINGS
from xmlfix.output import CommandError
from xmlfix.unpack import MAGIC, unpacked


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process."""

    def call(*words: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(words)
        out, errors = capsysbinary.readouterr()
        return Done(status, out, errors.decode().splitlines())

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


FORMATS = {"gzip": (gzip, ".gz"), "bzip2": (bz2, ".bz2"), "xz": (lzma, ".xz")}
with_formats = pytest.mark.parametrize("form", FORMATS)


@with_formats
def test_compressed_input(run: Run, folder: Path, form: str) -> None:
    module, extension = FORMATS[form]
    data = module.compress(b"<p>a") + module.compress(b"<p>b") + b"\0" * 8
    name = f"z.html{extension}"
    (folder / name).write_bytes(data)
    assert b"<p>a</p><p>b</p>" in run(name).out
    assert b"<p>a</p><p>b</p>" in run("-", stdin=data).out
    assert run("-d", "out", name).status == 0
    assert os.listdir("out") == ["z.xml"]
    (folder / "z").write_bytes(module.compress(b"<p>a<p>b<p>c") + b"\0" * 4 + data)
    assert run("css", "p:nth-of-type(4)::text", "z").out == b"a\n"
    assert run(stdin=module.compress(b"")).out == run(stdin=b"").out
    noise = os.urandom(100_000).hex().encode()
    assert unpacked(module.compress(noise) + data, name, 10**6) == noise + b"<p>a<p>b"


@with_formats
def test_damaged_compressed_input(run: Run, folder: Path, form: str) -> None:
    data = FORMATS[form][0].compress(b"<p>" + os.urandom(1000))
    assert complaint(run(stdin=data[:-9])) == f"xmlfix: -: incomplete {form} data"
    wrong = data[:500] + bytes(255 - byte for byte in data[500:520]) + data[520:]
    told = complaint(run(stdin=wrong))  # what is wrong may say that more follows
    assert told in [f"xmlfix: -: {how} {form} data" for how in ("damaged", "incomplete")]
    assert form in complaint(run(stdin=data + b"rubbish"))


@with_formats
def test_bombs(run: Run, form: str) -> None:
    module = FORMATS[form][0]
    bomb = module.compress(b"\0" * 30_000_000)
    assert "--max-size" in complaint(run("--max-size", "1000000", stdin=bomb))
    with pytest.raises(CommandError, match="--max-size"):
        unpacked(bomb, "x", 29_999_999)
    assert len(unpacked(bomb, "x", 30_000_000)) == 30_000_000
    many = module.compress(b"a") * 10_000
    start = time.perf_counter()
    assert unpacked(many, "x", 10_000) == b"a" * 10_000
    assert time.perf_counter() - start < 2


def test_xz_that_asks_for_too_much_memory() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    encoder = lzma.LZMACompressor(format=lzma.FORMAT_XZ, filters=filters)
    data = bytearray(encoder.compress(b"<p>a") + encoder.flush())
    with pytest.raises(CommandError, match="xz data that needs too much memory"):
        unpacked(bytes(data), "x", 1000)


OTHER_FORMATS = {
    "zstd": b"\x28\xb5\x2f\xfd\x04\x00",
    "ZIP": b"PK\x03\x04\x14\x00",
    "7z": b"7z\xbc\xaf\x27\x1c\x00",
    "compress": b"\x1f\x9d\x90",
    "lz4": b"\x04\x22\x4d\x18\x64",
    "lzip": b"LZIP\x01\x0c",
    "lzma": b"\x5d\x00\x00\x80\x00",
}


def test_each_format_is_told_by_its_first_byte() -> None:
    assert {magic[0] for magic in MAGIC} == set(PACKED_BEGINNINGS)
    assert set(MAGIC.values()) == {*FORMATS, *OTHER_FORMATS}


@pytest.mark.parametrize("form", OTHER_FORMATS)
def test_what_is_not_unpacked(
    run: Run, folder: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("compression.zstd", "bz2", "lzma"):  # which not every Python has
        monkeypatch.setitem(sys.modules, module, None)
    (folder / "z").write_bytes(OTHER_FORMATS[form])
    for done in (run("z"), run("-d", "out", "z"), run("-o", "x", "z")):
        assert complaint(done).startswith(f"xmlfix: z: {form} data, which is not unpacked here (")
    assert "(bzip2 -dc … | xmlfix)" in complaint(run(stdin=bz2.compress(b"a")))
    assert "(xz -dc … | xmlfix)" in complaint(run(stdin=lzma.compress(b"a")))
    assert "z:" in complaint(run("check", "z"))


def test_zstd_where_python_has_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`compression.zstd` has the interface of `bz2`, which stands in for it here."""
    module = types.ModuleType("compression.zstd")
    module.ZstdDecompressor = Zstd  # type: ignore[attr-defined]
    module.ZstdError = ValueError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "compression", types.ModuleType("compression"))
    monkeypatch.setitem(sys.modules, "compression.zstd", module)
    data = OTHER_FORMATS["zstd"] + bz2.compress(b"<p>a")
    assert b"<p>a</p>" in run(stdin=data).out
    assert complaint(run(stdin=data[:-4])) == "xmlfix: -: incomplete zstd data"


class Zstd:
    """Decompresses bzip2 data behind zstd's first bytes."""

    def __init__(self) -> None:
        self.member = bz2.BZ2Decompressor()
        self.skip = len(OTHER_FORMATS["zstd"])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.member, name)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data, self.skip = data[self.skip :], max(0, self.skip - len(data))
        return self.member.decompress(data, max_length)


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", b"\x1f", b"B", b"BZh", b"BZh9 is bzip2", b"BZh91AY", b"P", b"PK", b"7z"]
)
def test_what_only_begins_like_compressed_data(run: Run, data: bytes) -> None:
    assert run(stdin=data) == (0, fix_bytes(data) + b"\n", [])


@with_formats
def test_compressed_input_in_pieces(form: str) -> None:
    """However little comes first."""
    data = FORMATS[form][0].compress(b"<p>a")
    for first in (1, 2, 5, 9):
        with subprocess.Popen(
            [sys.executable, "-m", "xmlfix"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(data[:first])
            process.stdin.flush()
            time.sleep(0.1)
            process.stdin.write(data[first:])
            process.stdin.close()
            assert b"<p>a</p>" in process.stdout.read()
