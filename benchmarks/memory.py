"""Peak memory: each contender and page in a process of its own.

Python's own accounting does not see what C allocates, so the whole process is measured: its
highest resident size after the page, less that before it, when the package has been imported,
the page read and a small document converted. The input itself is thus not counted, the output is.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.pages import ROOT, Page, load

SMALL = Page("small", "<p>x &eacute;", b"<p>x &eacute;")  # for which tables are loaded
FAILED = 3  # the exit code where the contender raised
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Memory:
    """Bytes of memory at the peak for each byte of UTF-8 input, on the way to text and to trees.

    Args:
        text, tree: by page; a page is missing where the contender failed.
    """

    text: dict[str, float]
    tree: dict[str, float]


def middle(found: Mapping[str, float]) -> float | None:
    """The median over the pages."""
    return median(found.values()) if found else None


def peak() -> int:
    """The highest resident size of this process so far, in bytes.

    Linux counts in ru_maxrss what the process was before it became this program, so its own
    account of this program goes first.
    """
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024


def measure(name: str, way: str, folder: Path, pages: Iterable[Page]) -> dict[str, float]:
    """Bytes per byte of one contender's way to "text" or "tree", for each page of a folder."""
    found = {}
    for page in pages:
        command = [sys.executable, "-m", "benchmarks.memory", name, way, str(folder / page.name)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            found[page.name] = int(done.stdout) / len(page.data)
        elif done.returncode != FAILED:
            raise RuntimeError(f"{name}, {way}, {page.name}: {done.stderr.strip()}")
    return found


def main(name: str, way: str, path: str) -> None:
    """Print the bytes of one contender, one way, one page; exit with `FAILED` if it raises."""
    from benchmarks.contenders import BY_NAME

    ways = BY_NAME[name].load()
    convert = ways.to_text if way == "text" else ways.to_tree
    assert convert is not None
    page = load(Path(path))
    convert(SMALL)
    before = peak()
    try:
        result = convert(page)
    except Exception:
        sys.exit(FAILED)
    after = peak()
    del result
    print(after - before)


if __name__ == "__main__":
    main(*sys.argv[1:])
