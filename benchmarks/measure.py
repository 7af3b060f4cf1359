"""Times: all contenders take turns in one process, round after round."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import get_clock_info, perf_counter, process_time

from lxml import etree

from benchmarks.contenders import Entrant
from benchmarks.pages import MEGABYTE, Page, size
from benchmarks.ways import Ways

# The process's own time where it is counted finely: others' work on the machine does not
# lengthen it. A contender that starts processes is measured by the clock on the wall.
IS_OWN_TIME = get_clock_info("process_time").resolution < 1e-6
CLOCK = process_time if IS_OWN_TIME else perf_counter

Convert = Callable[[Page], object]
Times = dict[str, list[dict[str, float]]]  # by contender, for each round, seconds by page


@dataclass
class Trial:
    """What one untimed pass over a contender's pages has shown; it warms up as well.

    Args:
        texts: how many pages it made text of.
        malformed: what a strict XML parser said of its text, by page.
        failed_text, failed_tree: pages on which it raised, with the exception. They are
            left out of its times, and of the times that it is compared with.
    """

    texts: int = 0
    malformed: dict[str, str] = field(default_factory=dict)
    failed_text: dict[str, str] = field(default_factory=dict)
    failed_tree: dict[str, str] = field(default_factory=dict)

    @property
    def well_formed(self) -> float:
        """The share of well-formed outputs; a page without output is none."""
        pages = self.texts + len(self.failed_text)
        return (self.texts - len(self.malformed)) / pages


def strict_error(xml: str | bytes) -> str:
    """What is wrong with `xml`, or "": lxml's strict parser, namespaces, default limits."""
    data = xml.encode("utf-8", "surrogatepass") if isinstance(xml, str) else xml
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        return str(error)
    return ""


def try_out(ways: Ways, pages: Sequence[Page], *, trees: bool = True) -> Trial:
    """Run each way once over all pages."""
    trial = Trial()
    for page in pages:
        try:
            text = ways.to_text(page)
        except Exception as error:
            trial.failed_text[page.name] = f"{type(error).__name__}: {error}"
        else:
            trial.texts += 1
            if ways.is_xml and (wrong := strict_error(text)):
                trial.malformed[page.name] = wrong
        if trees and ways.to_tree is not None:
            try:
                ways.to_tree(page)
            except Exception as error:
                trial.failed_tree[page.name] = f"{type(error).__name__}: {error}"
    return trial


def take_turns(entrants: Sequence[Entrant], converts: Mapping[str, Convert], rounds: int) -> Times:
    """Time every contender on its pages in every round.

    The order is rotated from round to round, so that nobody always comes after the same one;
    garbage is collected before each turn, so that nobody pays for another's.

    Args:
        entrants: loaded, with the pages that each is given.
        converts: the way to be timed, by the contender's name.
        rounds: how many.
    """
    times: Times = {entrant.name: [] for entrant in entrants}
    for number in range(rounds):
        shift = number * max(1, len(entrants) // rounds) % len(entrants)
        for entrant in [*entrants[shift:], *entrants[:shift]]:
            times[entrant.name].append(one_turn(entrant, converts[entrant.name]))
    return times


def one_turn(entrant: Entrant, convert: Convert) -> dict[str, float]:
    """Seconds for each of the contender's pages."""
    assert entrant.ways is not None
    before_page = entrant.ways.before_page
    clock = perf_counter if entrant.contender.kind == "process" else CLOCK
    if entrant.ways.before_turn is not None:
        entrant.ways.before_turn(entrant.pages)
    gc.collect()
    seconds = {}
    for page in entrant.pages:
        if before_page is not None:
            before_page()
        begin = clock()
        convert(page)
        seconds[page.name] = clock() - begin
    return seconds


@dataclass(frozen=True)
class Speed:
    """How fast a contender was on its pages.

    Args:
        pages, size: how many pages, and their bytes of UTF-8.
        seconds: of each round.
        megabytes: per second, the median over the rounds.
        ratio, lowest, highest: speed over that of the reference on the same pages in the
            same round: median, lowest and highest round.
        subject: speed of the subject over this one's, likewise; None where it is not known.
        by_page: median seconds of each page.
    """

    pages: int
    size: int
    seconds: list[float]
    megabytes: float
    ratio: float
    lowest: float
    highest: float
    subject: float | None
    by_page: dict[str, float]


def compare(entrant: Entrant, times: Times, reference: str, subject: str) -> Speed | None:
    """The speed of a contender beside the reference and the subject.

    Args:
        entrant: who, with the pages that were timed.
        times: of all; each comparison is made on the pages that both were timed on.
        reference, subject: names of contenders; the subject may not be among them.
    """
    name = entrant.name
    pages = [page for page in entrant.pages if page.name in times[reference][0]]
    if not pages:
        return None
    names = [page.name for page in pages]
    own = totals(times, name, names)
    ratios = quotients(totals(times, reference, names), own)
    beside = None
    if subject in times:
        common = [page for page in names if page in times[subject][0]]
        if common:
            beside = median(quotients(totals(times, name, common), totals(times, subject, common)))
    bytes_in = size(pages)
    return Speed(
        pages=len(pages),
        size=bytes_in,
        seconds=own,
        megabytes=bytes_in / MEGABYTE / median(own),
        ratio=median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        subject=beside,
        by_page={page: median(turn[page] for turn in times[name]) for page in names},
    )


def totals(times: Times, name: str, pages: Sequence[str]) -> list[float]:
    """Seconds that a contender took for the pages in each round."""
    return [sum(turn[page] for page in pages) for turn in times[name]]


def quotients(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """One by one, round by round."""
    return [one / other for one, other in zip(above, below, strict=True)]
