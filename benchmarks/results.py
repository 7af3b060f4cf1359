"""What a run has found, and its form in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.growth import LIMIT, Growth
from benchmarks.measure import Speed, Trial
from benchmarks.memory import Memory


@dataclass
class Row:
    """All about one contender."""

    name: str
    kind: str
    slow: bool
    note: str
    version: str = ""
    absent: str = ""  # why it is not measured
    is_xml: bool = True
    trial: Trial | None = None
    text: Speed | None = None
    tree: Speed | None = None
    memory: Memory | None = None
    large: dict[str, float] = field(default_factory=dict)  # memory for text, by large page

    @property
    def well_formed(self) -> float | None:
        """The share of well-formed outputs; None where there is no XML to judge."""
        return self.trial.well_formed if self.trial is not None and self.is_xml else None


@dataclass
class Results:
    """All about one run.

    Args:
        python: implementation and version.
        folder: name of the folder of pages.
        pages, size: how many pages were used, and their bytes of UTF-8.
        pages_there: how many the folder has.
        slow_pages, slow_size: the same for slow contenders.
        rounds: of the times.
        is_own_time: whether times are the process's own, not those of the clock on the wall.
        rows: the contenders.
        growth: of the hostile families of xmlfix.
        families_there: how many families there are.
        start: the time of the command for a small file, over that of an idle interpreter.
    """

    python: str
    folder: str
    pages: int
    size: int
    pages_there: int
    slow_pages: int
    slow_size: int
    rounds: int
    is_own_time: bool
    rows: list[Row] = field(default_factory=list)
    growth: list[Growth] = field(default_factory=list)
    families_there: int = 0
    start: float | None = None

    def row(self, name: str) -> Row | None:
        """The contender of that name, if it was measured."""
        return next((row for row in self.rows if row.name == name and not row.absent), None)


@dataclass(frozen=True)
class Mark:
    """A figure that the project wants to reach.

    Args:
        what: in words.
        wanted: the figure.
        found: what was measured; None if it was not.
        at_most: whether `wanted` is the highest that will do, not the lowest.
    """

    what: str
    wanted: float
    found: float | None
    at_most: bool = False

    @property
    def met(self) -> bool | None:
        if self.found is None:
            return None
        return self.found <= self.wanted if self.at_most else self.found >= self.wanted


def marks(results: Results) -> list[Mark]:
    """The project's marks beside what the run has found."""

    def text(name: str) -> float | None:
        row = results.row(name)
        return row.text.ratio if row is not None and row.text is not None else None

    def over(way: str, *names: str) -> float | None:
        """How much faster the subject is than the fastest of these."""
        rows = [row for name in names if (row := results.row(name)) is not None]
        speeds = [speed for row in rows if (speed := getattr(row, way)) is not None]
        return min((speed.subject for speed in speeds if speed.subject is not None), default=None)

    def exponent(way: str) -> float | None:
        """The highest of all families."""
        found = [growth for growth in results.growth if growth.way == way]
        return max((one.exponent for one in found if one.exponent is not None), default=None)

    cold = results.row("xmlfix cold")
    tree = cold.tree.ratio if cold is not None and cold.tree is not None else None
    memory = max(cold.large.values(), default=None) if cold is not None else None
    broken = sum(growth.broken for growth in results.growth) if results.growth else None
    return [
        Mark("XML text, memo cold: of lxml.html", 0.5, text("xmlfix cold")),
        Mark("XML text, memo kept: of lxml.html", 0.8, text("xmlfix kept")),
        Mark("XML text, memo warm: of lxml.html", 0.8, text("xmlfix warm")),
        Mark("XML text, cold: of html5lib", 10, over("text", "html5lib lxml", "html5lib etree")),
        Mark("XML text, cold: of justhtml", 5, over("text", "justhtml")),
        Mark("XML text, cold: of html5-parser", 1.5, over("text", "html5-parser")),
        Mark("XML text, cold: of tidy in-process", 1.5, over("text", "tidy library")),
        Mark("lxml tree, cold: of lxml.html", 0.35, tree),
        Mark("lxml tree, cold: of html5-parser", 1, over("tree", "html5-parser")),
        Mark("strictly well-formed outputs", 1, cold.well_formed if cold is not None else None),
        Mark("highest peak memory, bytes per input byte", 8, memory, at_most=True),
        Mark("start: small file, of python -c pass", 2.5, results.start, at_most=True),
        Mark("highest growth exponent, whole", LIMIT, exponent("whole"), at_most=True),
        Mark("highest growth exponent, in pieces", LIMIT, exponent("pieces"), at_most=True),
        Mark("hostile families that raised, LimitError apart", 0, broken, at_most=True),
    ]


def to_json(results: Results) -> dict[str, Any]:
    """Everything, as JSON has it; sizes are bytes, times seconds."""
    found = asdict(results)
    for row, given in zip(results.rows, found["rows"], strict=True):
        given["well_formed"] = row.well_formed
    found["marks"] = [{**asdict(mark), "met": mark.met} for mark in marks(results)]
    return found
