"""Asks Chromium where it lays out the cells of the tables of tables-browser.json.

    python tests/cases/tables-observe.py [chromium]

The observed places are written back into the file: for each cell its text and its column,
row, width and height in the grid that the edges of all cells and rows make. Only rows that a
`tr` makes are there to be seen.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

FILE = Path(__file__).with_name("tables-browser.json")
PAGE = """<!DOCTYPE html><meta charset=utf-8>
<style>
table { border-spacing: 0; border: 0 }
tr { height: 24px }
td, th { padding: 0; border: 0; height: 24px; min-width: 24px }
</style>
<div id=here></div>
<pre id=out></pre>
<script>
const seen = [];
for (const html of SOURCES) {
  here.innerHTML = html;
  const table = here.querySelector("table");
  const own = (name) => [...table.querySelectorAll(name)].filter(
    (element) => element.closest("table") === table);
  const cells = [];
  const lefts = new Set(), tops = new Set(), bottoms = new Set();
  for (const row of own("tr")) {
    tops.add(Math.round(row.getBoundingClientRect().top));
  }
  for (const cell of own("td, th")) {
    const box = cell.getBoundingClientRect();
    const [left, right, top, bottom] =
      [box.left, box.right, box.top, box.bottom].map(Math.round);
    lefts.add(left).add(right);
    cells.push([cell, left, right, top, bottom]);
  }
  const order = (set) => [...set].sort((a, b) => a - b);
  const xs = order(lefts), ys = order(tops);
  const rows = (bottom) => ys.filter((y) => y < bottom - 1).length;
  seen.push(cells.map(([cell, left, right, top, bottom]) => ({
    text: cell.firstChild ? (cell.firstChild.nodeValue || "").trim() : "",
    x: xs.indexOf(left), y: ys.indexOf(top),
    width: xs.indexOf(right) - xs.indexOf(left), height: rows(bottom) - ys.indexOf(top),
  })));
}
out.textContent = "<<<" + JSON.stringify(seen) + ">>>";
</script>
"""
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
).split()


def observe(sources: list[str], chromium: str) -> list[list[dict[str, object]]]:
    """The cells of each table as Chromium lays them out."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        script = json.dumps(sources).replace("<", "\\u003c")
        page.write_text(PAGE.replace("SOURCES", script), encoding="utf-8")
        dom = subprocess.run(
            [chromium, *FLAGS, f"--user-data-dir={folder}/user", "--dump-dom", str(page)],
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout.decode("utf-8")
    text = unescape(dom)
    start = text.rindex("<<<[")
    found: list[list[dict[str, object]]] = json.loads(text[start + 3 : text.index(">>>", start)])
    return found


def main() -> None:
    """Observe all tables anew."""
    tables = json.loads(FILE.read_text(encoding="utf-8"))
    chromium = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    for table, cells in zip(
        tables, observe([table["html"] for table in tables], chromium), strict=True
    ):
        table["cells"] = cells
    lines = []
    for table in tables:
        cells = ",\n   ".join(json.dumps(cell, ensure_ascii=False) for cell in table["cells"])
        head = ",\n  ".join(
            f"{json.dumps(key)}: {json.dumps(table[key], ensure_ascii=False)}"
            for key in ("title", "html")
        )
        lines.append(f' {{{head},\n  "cells": [\n   {cells}]}}')
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
