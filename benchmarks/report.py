"""The results as text, and as the table of the README."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.contenders import REFERENCE, SUBJECT
from benchmarks.growth import LIMIT
from benchmarks.measure import Speed
from benchmarks.memory import middle
from benchmarks.pages import MEGABYTE
from benchmarks.results import Mark, Results, Row, marks

NONE = "–"
SPEED_HEAD = ["MB/s", f"× {REFERENCE}", "rounds", f"{SUBJECT} is"]
WORST = 8  # families named in the summary of growth
WORST_PAGES = 3


def as_text(results: Results) -> str:
    """Everything that a reader at a terminal wants to know."""
    running = [row for row in results.rows if not row.absent]
    absent = [row for row in results.rows if row.absent]
    parts = ["\n".join(setting(results))]
    if any(row.text is not None or row.memory is not None for row in running):
        tables = (text_lines(running), tree_lines(running))
        parts += ["\n".join(aligned(table)) for table in tables]
    parts.append("\n".join(f"{starred(row)}: {row.note}" for row in running))
    if absent:
        parts.append("\n".join(["absent", *(f"  {row.name}: {row.absent}" for row in absent)]))
    if failed := failure_lines(running):
        parts.append("\n".join(["left out of the times, because they raised", *failed]))
    if large := [line for row in running for line in large_lines(row)]:
        parts.append("\n".join(large))
    if results.growth:
        parts.append("\n".join(growth_lines(results)))
    parts.append("\n".join(["marks", *aligned([mark_cells(mark) for mark in marks(results)])]))
    return "\n\n".join(parts)


def setting(results: Results) -> list[str]:
    """On what the figures rest."""
    lines = [
        f"pages: {of(results.pages, results.pages_there)} in {results.folder}/,"
        f" {megabytes(results.size)} MB of UTF-8"
    ]
    if results.slow_pages < results.pages and any(row.slow for row in results.rows):
        lines.append(
            f"slow contenders (*): {results.slow_pages} of these,"
            f" {megabytes(results.slow_size)} MB; ratios are to the same pages"
        )
    clock = "the process's own" if results.is_own_time else "by the clock on the wall"
    lines.append(f"rounds: {results.rounds}; a figure is the median of the rounds; times {clock}")
    lines.append(f"{results.python}; MB/s and B are of UTF-8 input, MB = 1,000,000 bytes")
    lines.append("well-formed: lxml's strict parser with namespaces and default limits takes it")
    lines.append("peak B/B: bytes of memory per byte of input, beyond the input itself;")
    lines.append("  a process for each page, median over the largest of those over 100 kB")
    return lines


def megabytes(size: int) -> str:
    """A size in MB."""
    return f"{size / MEGABYTE:.{1 if size >= MEGABYTE else 3}f}"


def of(used: int, there: int) -> str:
    """How many of how many."""
    return f"all {there}" if used == there else f"{used} of {there}"


def text_lines(rows: Sequence[Row]) -> list[list[str]]:
    """The table of the ways to XML text."""
    lines = [["to XML text", "version", *SPEED_HEAD, "well-formed", "peak B/B"]]
    for row in rows:
        peak = None if row.memory is None else middle(row.memory.text)
        cells = [starred(row), row.version, *speed_cells(row.text), well_formed(row)]
        lines.append([*cells, number(peak, 1)])
    return lines


def tree_lines(rows: Sequence[Row]) -> list[list[str]]:
    """The table of the ways to an lxml tree."""
    lines = [["to an lxml tree", *SPEED_HEAD, "peak B/B"]]
    for row in rows:
        peak = None if row.memory is None else middle(row.memory.tree)
        if row.tree is not None or peak is not None:
            lines.append([starred(row), *speed_cells(row.tree), number(peak, 1)])
    return lines


def starred(row: Row) -> str:
    """The contender's name, marked if it is a slow one."""
    return row.name + " *" * row.slow


def speed_cells(speed: Speed | None) -> list[str]:
    """MB/s, the ratio to the reference, its extremes, and how much faster the subject is."""
    if speed is None:
        return [NONE] * 4
    return [
        significant(speed.megabytes),
        f"{speed.ratio:.2f}",
        f"{speed.lowest:.2f}–{speed.highest:.2f}",
        NONE if speed.subject is None else f"{significant(speed.subject)} ×",
    ]


def well_formed(row: Row) -> str:
    """The share of well-formed outputs."""
    if row.well_formed is None:
        return "no XML" if not row.is_xml else NONE
    return percent(row.well_formed)


def percent(share: float) -> str:
    """A share in whole per cent, in which all and only all is 100%."""
    return "100%" if share == 1 else f"{min(round(share * 100), 99)}%"


def significant(value: float) -> str:
    """A figure with two digits that count, or three before the point."""
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def number(value: float | None, digits: int) -> str:
    """A figure, or a dash where there is none."""
    return NONE if value is None else f"{value:.{digits}f}"


def failure_lines(rows: Sequence[Row]) -> list[str]:
    """Who failed on how many pages, with the first reason."""
    lines = []
    for row in rows:
        if row.trial is None:
            continue
        for way, failed in (("text", row.trial.failed_text), ("tree", row.trial.failed_tree)):
            if failed:
                reason = next(iter(failed.values()))[:70]
                lines.append(f"  {row.name}, {way}: {len(failed)} pages ({reason})")
    return lines


def large_lines(row: Row) -> list[str]:
    """The memory of a contender on large pages: the middle and the worst."""
    if not row.large:
        return []
    worst = sorted(row.large.items(), key=lambda pair: -pair[1])[:WORST_PAGES]
    return [
        f"{row.name}, peak memory to text on {len(row.large)} large pages:"
        f" {number(middle(row.large), 1)} B/B in the middle, {worst[0][1]:.1f} at most",
        *(f"  {value:.1f}  {name}" for name, value in worst),
    ]


def growth_lines(results: Results) -> list[str]:
    """The exponents of the hostile families: the middle, the worst, and the refused."""
    lines = []
    ways = list(dict.fromkeys(one.way for one in results.growth))
    for way in ways:
        found = [one for one in results.growth if one.way == way]
        grown = [(one.exponent, one) for one in found if one.exponent is not None]
        grown.sort(key=lambda pair: -pair[0])
        middle = median(exponent for exponent, _ in grown) if grown else None
        lines.append(
            f"growth, {way}: {of(len(found), results.families_there)} hostile families;"
            f" exponent {number(middle, 2)} in the middle,"
            f" {number(grown[0][0] if grown else None, 2)} at most,"
            f" {sum(one.too_high for one in found)} over {LIMIT}"
        )
        lines += [
            f"  {exponent:.2f}  {one.family} ({one.size / 1000:.0f} kB:"
            f" {one.seconds[0] * 1000:.1f} ms, times four: {one.seconds[1] * 1000:.1f} ms)"
            for exponent, one in grown[:WORST]
        ]
        lines += [f"  refused  {one.family}: {one.refused}" for one in found if one.refused]
    if "pieces" not in ways:
        lines.append("growth, in pieces: not measured, this version has no xmlfix.Fixer")
    return lines


def mark_cells(mark: Mark) -> list[str]:
    """One mark, wanted and found."""
    met = {None: "not measured", True: "met", False: "MISSED"}[mark.met]
    wanted = f"{'at most' if mark.at_most else 'at least'} {mark.wanted:g}"
    return [f"  {mark.what}", wanted, number(mark.found, 2), met]


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Columns; all but the first flush right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def as_table(results: Results) -> str:
    """The table of the README, in Markdown, with what it rests on beneath."""
    lines = [
        f"| | HTML to XML, MB/s (of {REFERENCE}) | to an lxml tree, MB/s (of {REFERENCE})"
        " | strictly well-formed | peak memory, bytes per input byte |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for row in results.rows:
        if row.absent or row.kind == "process":
            continue
        memory = number(None if row.memory is None else middle(row.memory.text), 1)
        name = f"**{row.name}**" if row.name.startswith("xmlfix") else row.name
        name += f" {row.version}{', C' if row.kind == 'C' else ''}"
        text = table_cell(row.text) + ("" if row.is_xml else ", HTML")
        cells = [
            name + " \\*" * row.slow,
            text,
            table_cell(row.tree),
            well_formed(row),
            memory,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    slow = ""
    if results.slow_pages < results.pages:
        slow = (
            f" \\* On {results.slow_pages} of them ({megabytes(results.slow_size)} MB),"
            f" the ratio being to {REFERENCE} on the same ones."
        )
    lines += [
        "",
        f"{of(results.pages, results.pages_there).capitalize()} pages"
        f" ({megabytes(results.size)} MB of UTF-8), {results.python}, medians of"
        f" {results.rounds} interleaved rounds in one process.{slow}"
        " Well-formed: lxml's strict parser with its default limits takes the output."
        " Memory: of the way to XML text beyond the input itself, median over the largest"
        " pages.",
    ]
    return "\n".join(lines)


def table_cell(speed: Speed | None) -> str:
    """MB/s and the ratio."""
    return NONE if speed is None else f"{significant(speed.megabytes)} ({speed.ratio:.2f})"
