"""How long the command takes for a small file, beside an interpreter that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

RUNS = 25
# What the installed command does.
COMMAND = "import sys; from xmlfix.__main__ import run; sys.exit(run())"
SMALL = """<!DOCTYPE html>
<html lang=en>
<head><meta charset="utf-8"><title>Small &amp; plain</title></head>
<body><h1 class="a">One</h1><p>Two<br>three &nbsp; four<ul><li>five<li><a href="b?c&d">six</a></ul>
<table><tr><td>seven<td>eight</table><img src=a.png alt=nine></body></html>
"""


def measure(runs: int = RUNS) -> float:
    """The time of the command over that of `python -c pass`: medians of runs in turn.

    Modules are compiled before, as they are where a package is installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "small.html")
        page.write_text(SMALL, encoding="utf-8")
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        seconds(environment, COMMAND, str(page))
        nothing: list[float] = []
        something: list[float] = []
        for _ in range(runs):
            nothing.append(seconds(environment, "pass"))
            something.append(seconds(environment, COMMAND, str(page)))
    return median(something) / median(nothing)


def seconds(environment: dict[str, str], code: str, *words: str) -> float:
    """How long the interpreter takes for `code`, from start to end."""
    begin = perf_counter()
    subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.DEVNULL,
        env=environment,
        check=True,
    )
    return perf_counter() - begin
