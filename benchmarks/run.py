"""One run of the benchmark: who enters, on which pages, and what is measured."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import growth, memory, startup
from benchmarks.contenders import BY_NAME, CONTENDERS, REFERENCE, SUBJECT, Entrant, enter
from benchmarks.measure import IS_OWN_TIME, compare, take_turns, try_out
from benchmarks.pages import Page, load_folder, size, spread
from benchmarks.results import Results, Row

LARGE = 100_000  # bytes of a page on which memory is measured
PARTS = ("text", "tree", "memory", "start", "growth")


@dataclass(frozen=True)
class Plan:
    """What is to be measured.

    Args:
        folder: of the pages.
        pages: how many of them; 0 means all.
        slow_pages: how many of these slow contenders are given; 0 means all.
        rounds: of the times.
        only: names of contenders; empty means all. The reference is always there.
        parts: some of `PARTS`.
        families: how many hostile families; 0 means all.
        growth_n: where their sizes begin.
        largest_pages: how many pages memory is measured on.
        large_pages: on how many pages over `LARGE` it is for the subject; 0 means all.
    """

    folder: Path
    pages: int
    slow_pages: int
    rounds: int
    only: Sequence[str]
    parts: Sequence[str]
    families: int
    growth_n: int
    largest_pages: int
    large_pages: int


def run(plan: Plan) -> Results:
    """Measure according to plan."""
    there = load_folder(plan.folder)
    if not there:
        raise SystemExit(f"no pages in {plan.folder}")
    pages = spread(there, plan.pages)
    slow_pages = spread(pages, plan.slow_pages)
    results = Results(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        folder=plan.folder.resolve().name,
        pages=len(pages),
        size=size(pages),
        pages_there=len(there),
        slow_pages=len(slow_pages),
        slow_size=size(slow_pages),
        rounds=plan.rounds,
        is_own_time=IS_OWN_TIME,
    )
    names = [*plan.only, REFERENCE] if plan.only else list(BY_NAME)
    entrants = [enter(contender) for contender in CONTENDERS if contender.name in names]
    rows = {}
    for entrant in entrants:
        contender = entrant.contender
        row = Row(contender.name, contender.kind, contender.slow, contender.note)
        row.absent = entrant.absent
        rows[entrant.name] = row
        entrant.pages = slow_pages if contender.slow else pages
        if entrant.ways is not None:
            row.version = entrant.ways.version
            row.is_xml = entrant.ways.is_xml
    results.rows = list(rows.values())
    running = [entrant for entrant in entrants if entrant.ways is not None]

    measure_speed(plan, running, rows)
    if "memory" in plan.parts:
        measure_memory(plan, running, rows, pages)
    if "start" in plan.parts:
        say("starting the command")
        results.start = startup.measure()
    if "growth" in plan.parts:
        families = growth.families()
        results.families_there = len(families)
        names = spread(list(families), plan.families)
        for one in growth.measure({name: families[name] for name in names}, plan.growth_n):
            say(f"growth: {one.family}, {one.way}")
            results.growth.append(one)
    return results


def measure_speed(plan: Plan, running: Sequence[Entrant], rows: dict[str, Row]) -> None:
    """Try all out, then time their ways to text and to trees."""
    if not {"text", "tree"} & set(plan.parts):
        return
    for entrant in running:
        assert entrant.ways is not None
        say(f"trying out {entrant.name}")
        trial = try_out(entrant.ways, entrant.pages, trees="tree" in plan.parts)
        rows[entrant.name].trial = trial
    for way in ("text", "tree"):
        if way not in plan.parts:
            continue
        able, converts = [], {}
        for entrant in running:
            assert entrant.ways is not None
            convert = entrant.ways.to_text if way == "text" else entrant.ways.to_tree
            if convert is not None:
                failed = failures(rows[entrant.name], way)
                pages = [page for page in entrant.pages if page.name not in failed]
                able.append(replace(entrant, pages=pages))
                converts[entrant.name] = convert
        say(f"timing the ways to {way}s")
        times = take_turns(able, converts, plan.rounds)
        for entrant in able:
            setattr(rows[entrant.name], way, compare(entrant, times, REFERENCE, SUBJECT))


def failures(row: Row, way: str) -> dict[str, str]:
    """The pages on which a contender failed, with the reasons."""
    assert row.trial is not None
    return row.trial.failed_text if way == "text" else row.trial.failed_tree


def measure_memory(
    plan: Plan, running: Sequence[Entrant], rows: dict[str, Row], pages: Sequence[Page]
) -> None:
    """Peak memory: of all that work in this process, on the largest of the large pages.

    On a small page the first use of anything weighs more than the page. The subject is given
    all large pages, up to the number in the plan.
    """
    by_size = sorted(pages, key=lambda page: -len(page.data))
    by_size = [page for page in by_size if len(page.data) >= LARGE]
    large = spread(by_size, plan.large_pages)
    for entrant in running:
        ways = entrant.ways
        if ways is None or entrant.contender.kind == "process":
            continue
        say(f"memory of {entrant.name}")

        def measured(way: str, given: Sequence[Page], name: str = entrant.name) -> dict[str, float]:
            return memory.measure(name, way, plan.folder, given)

        largest = by_size[: plan.largest_pages]
        trees = {} if ways.to_tree is None else measured("tree", largest)
        row = rows[entrant.name]
        row.memory = memory.Memory(measured("text", largest), trees)
        if entrant.name == SUBJECT:
            rest = [page for page in large if page.name not in row.memory.text]
            row.large = {**row.memory.text, **measured("text", rest)}


def say(what: str) -> None:
    """Tell whoever waits at a terminal what is going on."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr, flush=True)
