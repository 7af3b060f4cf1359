"""The command: `python -m benchmarks [options]`, `python -m benchmarks profile [options]`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks import profiling
from benchmarks.contenders import BY_NAME
from benchmarks.pages import default_folder
from benchmarks.report import as_table, as_text
from benchmarks.results import to_json
from benchmarks.run import PARTS, Plan, run

ROUNDS = 5
SLOW_PAGES = 24
GROWTH_N = 1000
LARGEST_PAGES = 3

QUICK_ROUNDS = 3
QUICK_PAGES = 30
QUICK_SLOW_PAGES = 6
QUICK_FAMILIES = 12
QUICK_GROWTH_N = 250
QUICK_LARGEST_PAGES = 1
QUICK_LARGE_PAGES = 4


def parser() -> argparse.ArgumentParser:
    """What the command takes."""
    found = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure xmlfix and its peers on the same pages.",
        epilog="python -m benchmarks profile: where xmlfix spends its time.",
    )
    add = found.add_argument
    add("--pages", type=Path, default=default_folder(), metavar="DIR", help="folder of pages")
    add("--rounds", type=int, metavar="N", help=f"default {ROUNDS}, with --quick {QUICK_ROUNDS}")
    add("--quick", action="store_true", help="a subset of pages and families")
    add(
        "--slow-pages",
        type=int,
        metavar="N",
        help=f"how many pages slow contenders are given; 0 means all, default {SLOW_PAGES}",
    )
    add(
        "--only",
        action="append",
        default=[],
        choices=list(BY_NAME),
        metavar="NAME",
        help=f"measure this contender; may be repeated: {', '.join(BY_NAME)}",
    )
    add(
        "--part",
        action="append",
        choices=PARTS,
        metavar="PART",
        help=f"measure this; may be repeated: {', '.join(PARTS)}",
    )
    add(
        "--families",
        type=int,
        metavar="N",
        help=f"how many hostile families; 0 means all, default all, --quick {QUICK_FAMILIES}",
    )
    add("--json", type=Path, metavar="FILE", help="write everything there as JSON")
    add("--table", action="store_true", help="print the README's Markdown table only")
    return found


def plan(given: argparse.Namespace) -> Plan:
    """The plan that the arguments ask for."""
    quick = given.quick
    slow_pages = given.slow_pages
    if slow_pages is None:
        slow_pages = QUICK_SLOW_PAGES if quick else SLOW_PAGES
    families = given.families
    if families is None:
        families = QUICK_FAMILIES if quick else 0
    return Plan(
        folder=given.pages,
        pages=QUICK_PAGES if quick else 0,
        slow_pages=slow_pages,
        rounds=given.rounds or (QUICK_ROUNDS if quick else ROUNDS),
        only=given.only,
        parts=given.part or PARTS,
        families=families,
        growth_n=QUICK_GROWTH_N if quick else GROWTH_N,
        largest_pages=QUICK_LARGEST_PAGES if quick else LARGEST_PAGES,
        large_pages=QUICK_LARGE_PAGES if quick else 0,
    )


def main(argv: list[str]) -> None:
    """Run the command."""
    if argv[:1] == ["profile"]:
        profiling.main(argv[1:])
        return
    given = parser().parse_args(argv)
    results = run(plan(given))
    if given.json is not None:
        text = json.dumps(to_json(results), indent=1, ensure_ascii=False)
        given.json.write_text(text + "\n", encoding="utf-8")
    print(as_table(results) if given.table else as_text(results))


if __name__ == "__main__":
    main(sys.argv[1:])
