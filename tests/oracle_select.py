"""What the oracle knows of selects and their options; see oracle.py."""

from __future__ import annotations

from oracle_dom import Element


def enabled_selectedcontent(select: Element) -> Element | None:
    """#get-a-select's-enabled-selectedcontent; whether it is disabled is asked, not stored."""
    if "multiple" in select.attrs:
        return None
    first = next((node for node in select.descendants() if node.tag == "selectedcontent"), None)
    if first is None:
        return None
    around = [node.tag for node in first.ancestors()]
    if around.count("select") > 1 or "option" in around or "selectedcontent" in around:
        return None
    return first


def nearest_select(option: Element) -> Element | None:
    """#option-element-nearest-ancestor-select."""
    optgroups = 0
    for node in option.ancestors():
        if node.tag in ("datalist", "hr", "option"):
            return None
        if node.tag == "optgroup":
            optgroups += 1
            if optgroups > 1:
                return None
        if node.tag == "select":
            return node
    return None


def selected_option(select: Element) -> Element | None:
    """The option whose selectedness is true: the last `selected`, else the first enabled.

    Deviates: selectedness is derived from the tree and not kept with each option, because
    without scripts the two differ only where an option is moved before another.
    """
    options = [
        node
        for node in select.descendants()
        if node.tag == "option" and nearest_select(node) is select
    ]
    selected = [node for node in options if "selected" in node.attrs]
    if selected:
        return selected[-1]
    if select.attrs.get("size", "1") not in ("", "1"):
        return None
    return next((node for node in options if not is_disabled(node)), None)


def is_disabled(option: Element) -> bool:
    """#concept-option-disabled."""
    parent = option.parent
    return "disabled" in option.attrs or (
        isinstance(parent, Element) and parent.tag == "optgroup" and "disabled" in parent.attrs
    )
