"""The functions for XPath that translated selectors use."""

from __future__ import annotations

from functools import lru_cache

from lxml import etree

from xmlfix.extract.controls import has_none_checked, is_default, is_empty_value, range_state
from xmlfix.extract.language import direction, speaks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from xmlfix.tree import Element

OURS: Final = "urn:xmlfix:css"  # their namespace
PREFIX: Final = "xmlfix"
NO_NUMBER: Final = float("nan")


@lru_cache(maxsize=256)
def query(expression: str) -> etree.XPath:
    """An XPath expression that may use our functions."""
    return etree.XPath(
        expression,
        namespaces={PREFIX: OURS},
        extensions={(OURS, name): function for name, function in EXTENSIONS.items()},
        regexp=False,
        smart_strings=False,
    )


def position(
    context: Any, kind: str, condition: str = "", scope: list[Element] | None = None
) -> float:
    """The 1-based position of the context node among its siblings.

    Args:
        context: that of lxml's extension functions.
        kind: "child" or "of-type", with "last-" before it to count from the end.
        condition: XPath that the siblings to be counted fulfil; "" for all.
        scope: the value of `$scope` in the condition.

    The positions of all children of a parent are counted at once, so that a row of
    siblings takes linear time. A root is the only child.
    """
    node: Element = context.context_node
    parent = node.getparent()
    if parent is None:
        return 1.0
    known: dict[tuple[Element, str, str], dict[Element, int]] = context.eval_context
    places = known.get((parent, kind, condition))
    if places is None:
        places = known[parent, kind, condition] = {}
        counts: dict[str, int] = {}
        if condition:
            children: list[Element] = query(f"*[{condition}]")(parent, scope=scope or [])
        else:
            children = list(parent.iterchildren("*"))
        for child in reversed(children) if kind.startswith("last-") else children:
            name = str(child.tag) if kind.endswith("of-type") else ""
            places[child] = counts[name] = counts.get(name, 0) + 1
    return float(places[node]) if node in places else NO_NUMBER


EXTENSIONS: Final[dict[str, Callable[..., Any]]] = {
    "position": position,
    "speaks": speaks,
    "direction": direction,
    "is-default": is_default,
    "has-none-checked": has_none_checked,
    "range": range_state,
    "is-empty-value": is_empty_value,
}
