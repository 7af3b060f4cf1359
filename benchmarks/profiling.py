"""Where xmlfix spends its time: by room, and by state, rule and function of the writer.

A function's share is its own time and that of the built-ins it calls. The profiler lengthens
every call, so small functions look dearer than they are: compare shares of one kind, and measure
a change with the benchmark itself.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.contenders import memo_clearer
from benchmarks.pages import MEGABYTE, Page, default_folder, load_folder, size, spread
from benchmarks.report import aligned

PAGES = 40
TOP = 8
GROUPS: Final = {  # folder of the package: what its functions are
    "read": "states and what serves them",
    "repair": "rules and what serves them",
    "write": "writer",
    "": "pipeline",
}

Key = tuple[str, int, str]  # as pstats has it: file, line, name


@dataclass(frozen=True)
class Function:
    """One function of xmlfix in the profile.

    Args:
        room: its module below the package, such as `repair/body`.
        name: its name.
        calls: how often it was called.
        seconds: its own, with its built-ins.
    """

    room: str
    name: str
    calls: int
    seconds: float

    @property
    def group(self) -> str:
        return self.room.rpartition("/")[0]


def profile(pages: Sequence[Page], *, cold: bool, options: dict[str, Any]) -> pstats.Stats:
    """Profile `xmlfix.fix` on all pages, after one pass that warms up what is warmed once."""
    import xmlfix

    forget = memo_clearer() or (lambda: None)
    for page in pages:
        xmlfix.fix(page.text, **options)
    profiler = cProfile.Profile()
    for page in pages:
        if cold:
            forget()
        profiler.enable()
        xmlfix.fix(page.text, **options)
        profiler.disable()
    return pstats.Stats(profiler)


def functions(stats: pstats.Stats) -> tuple[list[Function], float]:
    """The functions of xmlfix, dearest first, and the seconds of the whole run."""
    import xmlfix

    package = Path(xmlfix.__file__).parent
    entries: dict[Key, Any] = stats.stats  # type: ignore[attr-defined]

    def room(key: Key) -> str:
        path = Path(key[0])
        if not path.is_relative_to(package):
            return ""
        return path.relative_to(package).with_suffix("").as_posix()

    seconds: dict[Key, float] = defaultdict(float)
    total = 0.0
    for key, (_, _, own, _, callers) in entries.items():
        total += own
        if room(key):
            seconds[key] += own
        else:
            for caller, (_, _, own_for_caller, _) in callers.items():
                seconds[caller] += own_for_caller
    found = [
        Function(room(key), key[2], entries[key][1], spent)
        for key, spent in seconds.items()
        if room(key)
    ]
    return sorted(found, key=lambda function: -function.seconds), total


def tables(found: Sequence[Function], total: float, top: int) -> str:
    """The rooms, then the dearest functions of each group."""
    by_room: dict[str, float] = defaultdict(float)
    for function in found:
        by_room[function.room] += function.seconds
    rest = total - sum(by_room.values())
    rooms = sorted(by_room.items(), key=lambda pair: -pair[1])
    lines = [["room", "share"]]
    lines += [[name, share(spent, total)] for name, spent in rooms if spent >= total / 1000]
    lines.append(["outside xmlfix", share(rest, total)])
    parts = ["\n".join(aligned(lines))]
    for group, title in GROUPS.items():
        members = [function for function in found if function.group == group]
        spent = sum(function.seconds for function in members)
        lines = [[f"{title}: {share(spent, total)}", "share", "calls", "ns a call"]]
        lines += [
            [
                f"  {function.room}.{function.name}",
                share(function.seconds, total),
                f"{function.calls:,}",
                f"{function.seconds / function.calls * 1e9:,.0f}",
            ]
            for function in members[:top]
        ]
        parts.append("\n".join(aligned(lines)))
    return "\n\n".join(parts)


def share(seconds: float, total: float) -> str:
    """A share of the whole run."""
    return f"{seconds / total:.1%}"


def main(argv: Sequence[str]) -> None:
    """The command `python -m benchmarks profile`."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks profile", description="Where xmlfix spends its time."
    )
    add = parser.add_argument
    add("--pages", type=Path, default=default_folder(), metavar="DIR", help="folder of pages")
    add("--count", type=int, default=PAGES, metavar="N", help=f"pages; 0: all, default {PAGES}")
    add("--top", type=int, default=TOP, metavar="N", help=f"functions a group, default {TOP}")
    add("--repair", choices=("browser", "stack"), default="browser")
    add("--warm", action="store_true", help="keep the tag memo, which has seen the pages")
    given = parser.parse_args(argv)
    there = load_folder(given.pages)
    if not there:
        raise SystemExit(f"no pages in {given.pages}")
    pages = spread(there, given.count)
    stats = profile(pages, cold=not given.warm, options={"repair": given.repair})
    found, total = functions(stats)
    memo = "warm" if given.warm else "cold"
    print(
        f"{len(pages)} of {len(there)} pages, {size(pages) / MEGABYTE:.1f} MB;"
        f" repair={given.repair}, memo {memo}\n"
    )
    print(tables(found, total, given.top))
