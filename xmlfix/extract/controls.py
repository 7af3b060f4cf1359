"""What the pseudo-classes of form controls ask that XPath cannot say.

All are functions for XPath, asked of an `input` or `button` that is the context node; what
they find out about a document they keep for the rest of the query.
"""

from __future__ import annotations

import re
from datetime import date

from xmlfix.extract.conditions import lowered
from xmlfix.tree import local_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeAlias

    from xmlfix.tree import Element

    Value: TypeAlias = tuple[int, ...] | tuple[float, ...]

_DATE = r"(?P<year>[0-9]{4,})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = (
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.(?P<part>[0-9]{1,3}))?)?"
)
# HTML #the-input-element: the types with a range, and their values (#common-microsyntaxes)
RANGED: Final = {
    "date": re.compile(_DATE),
    "month": re.compile("(?P<year>[0-9]{4,})-(?P<month>[0-9]{2})"),
    "week": re.compile("(?P<year>[0-9]{4,})-W(?P<week>[0-9]{2})"),
    "time": re.compile(_TIME),
    "datetime-local": re.compile(f"{_DATE}[T ]{_TIME}"),
    "number": re.compile(r"(?P<number>-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"),
}
# HTML #rules-for-parsing-floating-point-number-values: min and max may have more around them
_BOUND: Final = re.compile(r"[ \t\n\f\r]*\+?(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def kind_of(element: Element) -> str:
    """The `type` of a control, in lower case; "" if it has none."""
    return lowered(element.get("type", ""))


# ── ranges ───────────────────────────────────────────────────────────────────


def value_of(kind: str, text: str) -> Value | None:
    """A date, time or number in a form that can be compared; None if it is not valid.

    >>> value_of("date", "2024-02-29"), value_of("date", "2023-02-29"), value_of("number", "1e2")
    ((2024, 2, 29), None, (100.0,))
    """
    found = RANGED[kind].fullmatch(text)
    if found is None:
        return None
    parts = found.groupdict()
    if "number" in parts:
        number = float(parts["number"])
        return (number,) if abs(number) != float("inf") else None
    year, month = int(parts.get("year", "1")), int(parts.get("month", "1"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (_MONTHS[month - 1] + (leap and month == 2)) if 1 <= month <= 12 else 0
    is_sound = (
        year > 0
        and 1 <= int(parts.get("day", "1")) <= days
        and 1 <= int(parts.get("week", "1")) <= weeks(year)
        and int(parts.get("hour", "0")) < 24
        and int(parts.get("minute", "0")) < 60
        and int(parts.get("second") or "0") < 60
    )
    if not is_sound:
        return None
    numbers = [int(value or "0") for word, value in parts.items() if word != "part"]
    return (*numbers, int((parts.get("part") or "0").ljust(3, "0")))[: len(parts)]


def weeks(year: int) -> int:
    """How many weeks a year has: the calendar repeats itself every 400 years.

    Source: HTML #weeks.
    """
    return date(2000 + year % 400, 12, 28).isocalendar().week


def bound_of(kind: str, text: str | None) -> Value | None:
    """The value of `min` or `max`; None if there is none."""
    if text is None:
        return None
    if kind == "number":
        found = _BOUND.match(text)
        return None if found is None else value_of(kind, re.sub(r"\.(?![0-9])", "", found[1]))
    return value_of(kind, text)


def range_state(context: Any) -> str:
    """Whether the value of an `input` is "in" or "out" of its range; "" if it has none.

    Source: HTML #selector-in-range, #has-range-limitations, #suffering-from-an-underflow.
    """
    element: Element = context.context_node
    kind = kind_of(element)
    if kind == "range":
        return "in"  # the value is always brought into the range
    if kind not in RANGED or element.get("readonly") is not None:
        return ""
    low, high = bound_of(kind, element.get("min")), bound_of(kind, element.get("max"))
    if low is None and high is None:
        return ""
    value = value_of(kind, element.get("value", ""))
    if value is None:
        return "in"
    below, above = low is not None and value < low, high is not None and value > high
    if kind == "time" and low is not None and high is not None and high < low:
        return "out" if below and above else "in"  # a range over midnight
    return "out" if below or above else "in"


# ── forms ────────────────────────────────────────────────────────────────────


def is_submit(element: Element) -> bool:
    """Whether an `input` or `button` submits its form.

    Source: HTML #concept-submit-button, #attr-button-type.
    """
    kind = kind_of(element)
    if local_part(element) == "input":
        return kind in {"submit", "image"}
    if kind == "submit":
        return True
    is_auto = kind not in {"reset", "button"}
    return is_auto and element.get("command") is None and element.get("commandfor") is None


class Forms:
    """The forms of a document.

    Args:
        root: of the document.

    Attributes:
        defaults: the default button of each form.
        ticked: the groups of radio buttons of which one is checked.

    Source: HTML #default-button, #radio-button-group, #form-owner.
    """

    def __init__(self, root: Element) -> None:
        controls: list[Element] = []
        self._ids: dict[str, Element] = {}
        for element in root.iter("*"):
            name = element.get("id")
            if name:
                self._ids.setdefault(name, element)
            if local_part(element) in {"input", "button"}:
                controls.append(element)
        firsts: dict[Element, Element] = {}
        self.ticked: set[tuple[Element | None, str]] = set()
        for element in controls:
            if is_submit(element):
                owner = self.owner(element)
                if owner is not None:
                    firsts.setdefault(owner, element)
            elif kind_of(element) == "radio" and element.get("checked") is not None:
                self.ticked.add(self.group(element))
        self.defaults = set(firsts.values())

    def owner(self, element: Element) -> Element | None:
        """The form that a control belongs to."""
        wanted = element.get("form")
        if wanted is not None:
            found = self._ids.get(wanted)
            return found if found is not None and local_part(found) == "form" else None
        return next(element.iterancestors("{*}form"), None)

    def group(self, element: Element) -> tuple[Element | None, str]:
        """The group of a radio button: those of its form with its name."""
        return self.owner(element), element.get("name", "")


def forms(context: Any) -> Forms:
    """What is known about the forms of the document that is asked."""
    known: dict[Any, Forms] = context.eval_context
    if forms not in known:
        known[forms] = Forms(context.context_node.getroottree().getroot())
    return known[forms]


def is_default(context: Any) -> bool:
    """Whether a button is its form's default button."""
    return context.context_node in forms(context).defaults


def has_none_checked(context: Any) -> bool:
    """Whether a radio button is in a group of which none is checked."""
    element: Element = context.context_node
    if not element.get("name"):
        return element.get("checked") is None
    return forms(context).group(element) not in forms(context).ticked


def is_empty_value(context: Any) -> bool:
    """Whether an `input` shows no value, so that it can show its placeholder.

    Source: HTML #value-sanitization-algorithm.
    """
    element: Element = context.context_node
    value = element.get("value", "").replace("\n", "").replace("\r", "")
    kind = kind_of(element)
    if kind == "number":
        return value_of(kind, value) is None
    return not (value.strip(" \t\f") if kind in {"url", "email"} else value)
