"""What the oracle knows of selects and their options; see oracle.py."""

from __future__ import annotations

from collections import Counter

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


def options_of(select: Element) -> list[Element]:
    """The select's list of options (#concept-select-option-list)."""
    return [
        node
        for node in select.descendants()
        if node.tag == "option" and nearest_select(node) is select
    ]


def settle(select: Element) -> None:
    """#selectedness-setting-algorithm."""
    options = options_of(select)
    selected = [option for option in options if option.is_selected]
    if "multiple" in select.attrs:
        return
    if not selected and select.attrs.get("size", "1") in ("", "1"):
        first = next((option for option in options if not is_disabled(option)), None)
        if first is not None:
            first.is_selected = True
    for option in selected[:-1]:
        option.is_selected = False


def selected_option(select: Element) -> Element | None:
    """The first option of the select whose selectedness is true."""
    return next((option for option in options_of(select) if option.is_selected), None)


def non_primary(select: Element) -> list[Element]:
    """All but the first selectedcontent of a select.

    Source: #clear-a-select's-non-primary-selectedcontent-elements.
    """
    return [node for node in select.descendants() if node.tag == "selectedcontent"][1:]


def is_disabled(option: Element) -> bool:
    """#concept-option-disabled."""
    parent = option.parent
    return "disabled" in option.attrs or (
        isinstance(parent, Element) and parent.tag == "optgroup" and "disabled" in parent.attrs
    )


class SelectedContent:
    """The part of the oracle that fills selectedcontent elements."""

    stack: list[Element]
    counts: Counter[str]

    def option_left_stack(self, option: Element) -> None:
        """#maybe-clone-an-option-into-selectedcontent, when an option is complete."""
        select = nearest_select(option)
        if select is not None and option.is_selected:
            selectedcontent = enabled_selectedcontent(select)
            if selectedcontent is not None:
                self._replace_content(selectedcontent, select, option)

    def selectedcontent_inserted(self, selectedcontent: Element) -> None:
        """The selectedcontent HTML element post-connection steps."""
        ancestors = [*selectedcontent.ancestors()]
        select = next((node for node in ancestors if node.tag == "select"), None)
        if select is None or "multiple" in select.attrs or ancestors[-1].parent is None:
            return
        enabled = enabled_selectedcontent(select)
        if enabled is not None:
            self._replace_content(enabled, select, selected_option(select))
        for other in non_primary(select):
            if other.children:
                self.counts["selectedcontent-cleared"] += 1
                self._replace_content(other, select, None)

    def _replace_content(
        self, selectedcontent: Element, select: Element, option: Element | None
    ) -> None:
        """#clone-an-option-into-a-selectedcontent, #clear-a-selectedcontent."""
        clones = [] if option is None else [child.clone() for child in option.children]
        self.counts["selectedcontent"] += option is not None
        selects = [node for node in selectedcontent.ancestors() if node.tag == "select"]
        for child in list(selectedcontent.children):
            self.counts["selectedcontent-detached"] += child in self.stack
            child.detach()
        for ancestor in selects:
            settle(ancestor)
        for clone in clones:
            selectedcontent.insert(clone)
        for ancestor in selects:
            settle(ancestor)
