"""How time grows with the input on families of hostile documents.

The exponent is that of size: 1 is linear time, 2 quadratic. Each family is timed at two sizes,
one four times the other. A time is the shortest of several, since what else the machine does can
only lengthen it; an exponent that looks too high is measured again, longer, before it is believed.
"""

from __future__ import annotations

import gc
import importlib.util
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.contenders import memo_clearer
from benchmarks.measure import CLOCK
from benchmarks.pages import ROOT

FACTOR = 4
PIECE = 64  # characters
LIMIT = 1.2
SHORTEST = 0.002  # seconds; below it the start-up of a call hides the growth
LARGEST = 1_000_000  # characters; a document beyond it is measured by the memory's pace
ATTEMPTS = (3, 5, 9)  # how often each size is timed, and again while the exponent is too high

Family = Callable[[int], str]


@dataclass(frozen=True)
class Growth:
    """The growth of one family in one way of being fed.

    Args:
        family, way: names; the way is "whole" or "pieces".
        n: of the smaller document.
        size: characters of the smaller document.
        seconds: for the smaller and the larger document.
        exponent: None where xmlfix raised.
        refused: the exception.
    """

    family: str
    way: str
    n: int
    size: int
    seconds: tuple[float, float]
    exponent: float | None
    refused: str = ""

    @property
    def too_high(self) -> bool:
        return self.exponent is not None and self.exponent > LIMIT

    @property
    def broken(self) -> bool:
        """Whether xmlfix raised what it does not promise to."""
        return self.refused != "" and not self.refused.startswith("LimitError")


def families() -> dict[str, Family]:
    """The hostile families of the tests, none where the tests are not here."""
    path = ROOT / "tests" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile", path)
    if spec is None or spec.loader is None or not path.exists():
        return {}
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Family] = module.FAMILIES
    return found


def ways() -> dict[str, Callable[[str], object]]:
    """How xmlfix can be fed: whole, and in pieces where this version can."""
    import xmlfix

    found: dict[str, Callable[[str], object]] = {"whole": xmlfix.fix}
    fixer = getattr(xmlfix, "Fixer", None)
    if fixer is not None:

        def in_pieces(text: str) -> None:
            parser = fixer()
            for start in range(0, len(text), PIECE):
                parser.feed(text[start : start + PIECE])
            parser.close()

        found["pieces"] = in_pieces
    return found


def measure(chosen: dict[str, Family], n: int) -> Iterator[Growth]:
    """The growth of each family, in each way, from `n` or where that is too small, from more."""
    gc.collect()
    gc.freeze()  # what is there by now need not be looked through before each timing
    try:
        for name, family in chosen.items():
            for way, convert in ways().items():
                yield one(name, family, way, convert, n)
    finally:
        gc.unfreeze()


def one(name: str, family: Family, way: str, convert: Callable[[str], object], n: int) -> Growth:
    """The growth of one family in one way."""
    small = family(n)
    seconds = 0.0
    try:
        convert(small)  # the first call pays for what is made once
        seconds = timed(convert, small)
        while seconds < SHORTEST and len(small) * FACTOR <= LARGEST:
            n *= FACTOR
            small = family(n)
            seconds = timed(convert, small)
        large = family(n * FACTOR)
        seconds_large = math.inf
        exponent = 0.0
        for attempt in ATTEMPTS:
            for _ in range(attempt):
                seconds = min(seconds, timed(convert, small))
                seconds_large = min(seconds_large, timed(convert, large))
            exponent = math.log(seconds_large / seconds, len(large) / len(small))
            if exponent <= LIMIT:
                break
    except Exception as error:  # a LimitError is in order; anything else is reported too
        refused = f"{type(error).__name__}: {error}"
        return Growth(name, way, n, len(small), (seconds, 0.0), None, refused)
    return Growth(name, way, n, len(small), (seconds, seconds_large), exponent)


def timed(convert: Callable[[str], object], text: str) -> float:
    """Seconds of one conversion that finds no tag in the memo."""
    forget = memo_clearer()
    if forget is not None:
        forget()
    gc.collect()
    begin = CLOCK()
    convert(text)
    return CLOCK() - begin
