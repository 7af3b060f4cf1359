"""What the pseudo-classes mean that take no selector: data, as XPath conditions."""

from __future__ import annotations

from xmlfix.elements import HTML_POINTS, TEXT_POINTS
from xmlfix.extract.conditions import either, in_lower, lowered, quoted
from xmlfix.repair.foreign import HTML_ENCODINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final


def named(names: str) -> str:
    """The condition that an element has one of some names."""
    words = names.split()
    if len(words) == 1:
        return f"name() = '{names}'"
    return f"contains(' {names} ', concat(' ', name(), ' '))"


# HTML #concept-element-disabled
_CONTROLS = "button fieldset input select textarea"


def _disabled() -> str:
    """The condition of `:disabled`.

    A fieldset that is disabled disables what it holds, unless that is in the fieldset's
    first legend: then the way up from the control reaches the fieldset through it. A
    select disables what it holds, as Chromium 156 has it.
    """
    spared = "self::*[name() = 'legend'][not(preceding-sibling::*[name() = 'legend'][1])]"
    # on the way up from the control, what lies in a disabled fieldset and is no such legend
    way = f"ancestor-or-self::*[not({spared})]/parent::*[name() = 'fieldset'][@disabled]"
    control = f"({named(_CONTROLS)} and (@disabled or {way}))"
    item = (
        f"{named('optgroup option')} and (@disabled or ancestor::*[name() = 'select'][1][{control}]"
        " or parent::*[name() = 'optgroup'][@disabled])"
    )
    return f"({control} or {item})"


def _selected() -> str:
    """The condition that an option is the one, or one of those, that its select shows.

    Source: HTML #ask-for-a-reset, #selectedness-setting-algorithm.
    """
    menu = "ancestor::*[name() = 'select'][1]"
    options = f"{menu}/descendant::*[name() = 'option']"
    is_list = f"boolean({menu}[@multiple or @size > 1])"
    last = f"count(. | {options}[@selected][last()]) = 1"
    off = "@disabled or parent::*[name() = 'optgroup'][@disabled]"
    first = f"count(. | {options}[not({off})][1]) = 1"
    chosen = f"@selected and ({is_list} or {last} or not({menu}))"
    shown = f"{menu} and not({is_list}) and not({options}[@selected]) and {first}"
    return f"name() = 'option' and ({chosen} or {shown})"


def _languages(ranges: list[str]) -> str:
    """The condition of `:lang()`: the language is one of these, or of their kind.

    It is that of the nearest element that tells one, else that of the page's
    `<meta http-equiv=content-language>`, unless that names several. Deviates: `xml:lang`
    counts in HTML as well, because the tree does not tell HTML from XHTML.

    Source: Selectors Level 4 §7.2; HTML #the-lang-and-xml:lang-attributes.
    """
    nearest = "ancestor-or-self::*[@lang or @xml:lang][1]"
    own = in_lower(f"string(({nearest}/@xml:lang | {nearest}/@lang)[last()])")
    pragma = f"{in_lower('@http-equiv')} = 'content-language' and not(contains(@content, ','))"
    meta = f"/*/*[name() = 'head']/*[name() = 'meta'][{pragma}][last()]/@content"
    default = in_lower(f"substring-before(concat(normalize-space({meta}), ' '), ' ')")
    told = " or ".join([_is_language(own, each) for each in ranges])
    assumed = " or ".join([_is_language(default, each) for each in ranges])
    return f"({nearest} and ({told}) or not({nearest}) and ({assumed}))"


def _is_language(value: str, wanted: str) -> str:
    """The condition that a language is one, or of its kind: en-GB is en."""
    return f"xmlfix:speaks({value}, {quoted(wanted)})"


def _directions(wanted: list[str]) -> str:
    """The condition of `:dir()`; what is neither ltr nor rtl selects nothing.

    Source: Selectors Level 4 §7.1.
    """
    return f"xmlfix:direction() = {quoted(lowered(wanted[0]))}" if len(wanted) == 1 else "false()"


def typed(names: str) -> str:
    """The condition that a control has one of some types."""
    return either([f"{in_lower('@type')} = '{name}'" for name in names.split()])


def _foreign() -> str:
    """The condition that an element is one of SVG or MathML, judged by what is around it.

    Source: WHATWG #html-integration-point, #mathml-text-integration-point.
    """
    encoded = either([f"{in_lower('@encoding')} = '{each}'" for each in sorted(HTML_ENCODINGS)])
    points = sorted(point.partition(" ")[2] for point in HTML_POINTS | TEXT_POINTS)
    gate = named(" ".join(points))
    gate = f"({gate} or name() = 'annotation-xml' and {encoded})"
    around = f"ancestor::*[{named('svg math')} or {gate}][1][{named('svg math')}]"
    return f"({named('svg math')} or {around})"


FOREIGN: Final = _foreign()


def _read_write() -> str:
    """The condition of `:read-write`: what a user could change.

    Source: HTML #selector-read-write, #attr-contenteditable.
    """
    fixed = typed("hidden range color checkbox radio file submit image reset button")
    field = f"(name() = 'input' and not({fixed}) or name() = 'textarea')"
    value = in_lower("@contenteditable")
    states = either([f"{value} = '{each}'" for each in ("", "true", "plaintext-only", "false")])
    nearest = f"ancestor-or-self::*[@contenteditable and {states}][1]"
    editable = f"{nearest}[{value} != 'false']"
    editable += f" and not({named('input textarea')} or {FOREIGN})"
    return f"({field} and not(@readonly) and not({_disabled()}) or {editable})"


def _placeholder_shown() -> str:
    """The condition of `:placeholder-shown`.

    Source: HTML #selector-placeholder-shown, #do-not-apply (the types it is for).
    """
    others = "hidden checkbox radio file submit image reset button range color date month week"
    field = f"name() = 'input' and not({typed(others + ' time datetime-local')})"
    return (
        f"(({field} and xmlfix:is-empty-value() or name() = 'textarea' and not(string()))"
        " and @placeholder)"
    )


def _defined() -> str:
    """The condition of `:defined` where no script has defined an element.

    Source: HTML #selector-defined, #valid-custom-element-name; DOM #concept-element-defined.
    """
    small = "translate(substring(name(), 1, 1), 'abcdefghijklmnopqrstuvwxyz', '') = ''"
    reserved = "annotation-xml color-profile font-face font-face-src font-face-uri"
    reserved += " font-face-format font-face-name missing-glyph"
    custom = f"contains(name(), '-') and {small} and not({named(reserved)})"
    return f"(not({custom} or @is) or {FOREIGN})"


def _contains(texts: list[str]) -> str:
    """The condition of `:contains()`: the element's text has one of these in it."""
    return f"({' or '.join([f'contains(., {quoted(text)})' for text in texts])})"


_LINK = f"{named('a area')} and (@href or name() = 'a' and @*[name() = 'xlink:href'])"
_TICKED = typed("checkbox radio")
_RANGED = f"name() = 'input' and not(ancestor::*[name() = 'datalist']) and not({_disabled()})"
_BUTTON = "(name() = 'button' or name() = 'input') and xmlfix:is-default()"
_RADIO = f"name() = 'input' and {in_lower('@type')} = 'radio' and xmlfix:has-none-checked()"
_FIRST = "not(preceding-sibling::*[1])"
_LAST = "not(following-sibling::*[1])"
_FIRST_OF_TYPE = "xmlfix:position('of-type') = 1"
_LAST_OF_TYPE = "xmlfix:position('last-of-type') = 1"

CONDITIONS: Final[dict[str, str]] = {
    "root": "not(parent::*)",
    "empty": "not(*) and not(text())",
    "first-child": _FIRST,
    "last-child": _LAST,
    "only-child": f"{_FIRST} and {_LAST}",
    "first-of-type": _FIRST_OF_TYPE,
    "last-of-type": _LAST_OF_TYPE,
    "only-of-type": f"{_FIRST_OF_TYPE} and {_LAST_OF_TYPE}",
    "any-link": _LINK,
    "link": _LINK,
    "checked": (f"(name() = 'input' and @checked and {_TICKED} or {_selected()})"),
    "disabled": _disabled(),
    "enabled": (f"{named(_CONTROLS + ' optgroup option')} and not({_disabled()})"),
    "required": f"{named('input select textarea')} and @required",
    "optional": f"{named('input select textarea')} and not(@required)",
    "read-write": _read_write(),
    "read-only": f"not({_read_write()} or {FOREIGN})",
    "placeholder-shown": _placeholder_shown(),
    "default": (
        f"({_BUTTON} or name() = 'input' and @checked and {_TICKED}"
        " or name() = 'option' and @selected)"
    ),
    "indeterminate": f"(name() = 'progress' and not(@value) or {_RADIO})",
    "in-range": f"({_RANGED} and xmlfix:range() = 'in')",
    "out-of-range": f"({_RANGED} and xmlfix:range() = 'out')",
    "open": f"({named('details dialog')} and @open)",
    "defined": _defined(),
    # what depends on the user of a browser
    **dict.fromkeys(
        "visited hover active focus focus-within focus-visible target target-within autofill"
        " fullscreen modal popover-open user-valid user-invalid".split(),
        "false()",
    ),
}

ARGUMENTS: Final[dict[str, Callable[[list[str]], str]]] = {
    "lang": _languages,
    "dir": _directions,
    "contains": _contains,
}
