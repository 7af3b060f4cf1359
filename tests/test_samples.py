"""The samples and what becomes of them, byte for byte.

Run as a program, it writes the expected files anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from support import ROOT, parse_strictly

from xmlfix import fix_bytes

SAMPLES = sorted(path for path in (ROOT / "samples").iterdir() if path.suffix in (".html", ".rss"))
REPAIRS: Final = {".html": ("browser", "stack"), ".rss": ("xml",)}
PAIRS = [(sample, repair) for sample in SAMPLES for repair in REPAIRS[sample.suffix]]


def expected_file(sample: Path, repair: str) -> Path:
    return ROOT / "samples" / "expected" / f"{sample.stem}.{repair}.xml"


@pytest.mark.parametrize(
    ("sample", "repair"), PAIRS, ids=[f"{sample.stem}-{repair}" for sample, repair in PAIRS]
)
def test_sample(sample: Path, repair: Any) -> None:
    xml = fix_bytes(sample.read_bytes(), repair=repair)
    parse_strictly(xml)
    assert xml == expected_file(sample, repair).read_bytes()


def test_no_expected_file_is_left_over() -> None:
    assert len(SAMPLES) >= 14
    expected = {expected_file(sample, repair) for sample, repair in PAIRS}
    assert set((ROOT / "samples" / "expected").iterdir()) == expected


if __name__ == "__main__":
    for sample, repair in PAIRS:
        data = fix_bytes(sample.read_bytes(), repair=repair)  # type: ignore[arg-type]
        expected_file(sample, repair).write_bytes(data)
