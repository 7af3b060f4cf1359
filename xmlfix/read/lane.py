"""The whole-tag shortcut: what stands between "<" and the next ">", looked up.

On real pages most tags repeat, and most of the others differ in the values of attributes
only. `MEMO` has a Shape for each source text; `learn` makes what is missing, for all new
tags of a window at once: values in quotes are cut out, and what is left, the skeleton, is
looked up in turn. Only a new skeleton has to be looked at, and `tag_of` makes the tag
itself where somebody wants to see it. What is irregular is left to the states: they alone
are correct, and a property test holds both equal.

All tables are shared by the documents of a process, and bounded. Whoever learns holds a
lock, since another thread may find the memo full then, and empties it.
"""

from __future__ import annotations

import os
import re
from _thread import RLock
from sys import intern

from xmlfix.elements import VOID
from xmlfix.patterns import late
from xmlfix.read.references import decode_value
from xmlfix.read.tokens import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

MEMO_SIZE = 100_000  # entries, and …
MEMO_CHARACTERS = 8_000_000  # … characters of their sources: a full memo is emptied
MOST_ATTRIBUTES = 100  # tags with more are left to the states, which keep the limit
LONGEST_NAME = 100  # characters; tags with a longer one likewise, since they may be cut


class Shape:
    """What must be known of a tag to pass it on; tags that differ in values only share it.

    Attributes:
        name: the element's, A to Z in lower case, interned.
        kind: what the repair wants noted of the name (see `note`).
        xml: what to write instead of the source, without "<"; None where the source is the
            XML, "" where the writer has not been asked yet.
        tag: the tag, where it cannot be made from the XML.
        has_slash: whether there is a slash before ">".
        in_svg, in_mathml: what the repair has found out about it there; 0 before.
    """

    __slots__ = ("has_slash", "in_mathml", "in_svg", "kind", "name", "tag", "xml")

    def __init__(
        self,
        name: str,
        kind: int,
        xml: str | None = None,
        tag: Tag | None = None,
        has_slash: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.xml = xml
        self.tag = tag
        self.has_slash = has_slash
        self.in_svg = self.in_mathml = 0

    def __repr__(self) -> str:
        return f"<Shape {self.name}>"


_lock = RLock()
MEMO: dict[str, Shape] = {}  # by source, without brackets
# By skeleton, the shape of the tags that have it: where their sources are XML, …
_as_they_are: dict[str, Shape] = {}
# … where so many characters at the end are not, or where the XML between their values is given;
# _EACH where each tag has to be looked at.
_skeletons: dict[str, tuple[Shape, int, list[str] | None]] = {}
_EACH: tuple[Shape, int, list[str] | None] = (Shape("", 0), -1, None)
_names: dict[str, Shape] = {}  # of elements in XML, with the shape of such tags
_attributes: set[str] = set()  # in XML, with an empty value
_characters = 0  # in the sources of the memo

_DOUBLE = late(globals(), "_DOUBLE", "sub", '"[^">]*"')
_SINGLE = late(globals(), "_SINGLE", "sub", "'[^'\">]*'")
_VALUES = late(globals(), "_VALUES", "findall", "\"([^\"]*)\"|'([^']*)'")
_END = late(globals(), "_END", "fullmatch", r"/([A-Za-z][A-Za-z0-9:._-]*)[\t\n\f ]*")
_TAG_NAME = late(globals(), "_TAG_NAME", "match", r"[A-Za-z][A-Za-z0-9:._-]*(?=[\t\n\f /]|\Z)")
_NAME_IN_XML = late(
    globals(),
    "_NAME_IN_XML",
    "fullmatch",
    r"(?=.{1,99}\Z)[a-z][a-z0-9._-]*(?::[a-z_][a-z0-9._-]*)?",
)
_ATTRIBUTE_IN_XML = late(
    globals(), "_ATTRIBUTE_IN_XML", "fullmatch", r'(?!xmlns=)[a-z_][a-z0-9_.-]{0,99}=""'
)
_ATTRIBUTE = late(
    globals(),
    "_ATTRIBUTE",
    "match",
    r"""[\t\n\f /]*
    ([^\x00\t\n\f />="'<]+)                        # a name
    (?:[\t\n\f ]*=[\t\n\f ]*(?:
        "([^"\x00]*)" | '([^'\x00]*)'              # a value in quotes
      | ([^\x00\t\n\f "'=<>`]+)                    # or without
    ))?""",
    re.VERBOSE,
)
_PLAIN_NAME = late(globals(), "_PLAIN_NAME", "fullmatch", r"(?!xmlns\Z)[a-z_][a-z0-9_.-]{0,99}")
_TAIL = late(globals(), "_TAIL", "fullmatch", r"[\t\n\f /]*")
_CONTROL = late(
    globals(), "_CONTROL", "search", "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
)
# in a value: what XML does not take as it is, or what the writer writes in another way
_TO_BE_WRITTEN = late(globals(), "_TO_BE_WRITTEN", "search", "[\t\n]|&(?!amp;|lt;|quot;)")

# The attributes of the standard, of ARIA and of older pages, so that they need not be learned.
_USUAL_ATTRIBUTES = frozenset(
    f'{name}=""'
    for name in (
        "abbr accept accept-charset accesskey action align alink allow allowfullscreen alt"
        " aria-controls aria-current aria-describedby aria-expanded aria-haspopup aria-hidden"
        " aria-label aria-labelledby async autocomplete autofocus autoplay axis background bgcolor"
        " border cellpadding cellspacing charset checked cite class clear colspan cols content"
        " controls coords crossorigin data datetime decoding defer dir disabled download enctype"
        " fetchpriority fill for form frameborder headers height href hreflang hspace http-equiv id"
        " imagesizes imagesrcset integrity itemid itemprop itemref itemscope itemtype label lang"
        " language link list loading longdesc loop marginheight marginwidth max maxlength media"
        " method min multiple muted name nonce noshade novalidate nowrap onblur onchange onclick"
        " onerror onfocus onload onmouseout onmouseover onsubmit pattern placeholder poster preload"
        " property readonly referrerpolicy rel required rev role rowspan rows rules sandbox scheme"
        " scope scrolling selected shape sizes slot span spellcheck src srcdoc srclang srcset start"
        " step style summary tabindex target text title translate type usemap valign value vlink"
        " vspace width wrap"
    ).split()
)
_SPACE = frozenset("\t\n\f ")
_CLOSES_VALUE = frozenset("\t\n\f />")


def _no_kind(name: str) -> int:
    """The kind of all names until a repair has notes of its own."""
    return 0


_start_kind: Callable[[str], int] = _no_kind
_end_kind: Callable[[str], int] = _no_kind
_prefixed_kind = 0
_irregular = Shape("", 0)
_telling: frozenset[str] = frozenset()
_usual_names: dict[str, Shape] = {}  # of elements, and …
_usual_tags: dict[str, Shape] = {}  # … their tags, which the memo has from the beginning
_escape_value: Callable[[str], str] = str


def note(
    start: Callable[[str], int],
    end: Callable[[str], int],
    prefixed: int,
    irregular: Shape,
    usual: Collection[str],
    telling: Collection[str],
    escape_value: Callable[[str], str],
) -> None:
    """Take what a repair and its writer have to say of tags.

    Args:
        start, end: give the kind of a start tag and of an end tag by name.
        prefixed: the kind of a start tag that needs a prefix declared.
        irregular: stands in the memo for what the states must read.
        usual: names of elements that need not be learned.
        telling: attributes, in lower case, that the repair asks for in SVG or MathML, so
            that tags with one share no shape with tags that have none.
        escape_value: gives an attribute value as it stands in XML.
    """
    global _start_kind, _end_kind, _prefixed_kind, _irregular, _telling, _escape_value
    _start_kind, _end_kind = start, end
    _prefixed_kind, _irregular, _escape_value = prefixed, irregular, escape_value
    _telling = frozenset(f'{name}=""' for name in telling)
    for name in map(intern, usual):
        shape = _usual_names[name] = Shape(name, start(name))
        _usual_tags[f"/{name}"] = Shape(name, end(name))
        _usual_tags[name] = Shape(name, shape.kind, f"{name}/>") if name in VOID else shape
    forget()


def forget() -> None:
    """Empty the memo, as for the first document of a process."""
    global _characters
    for table in (MEMO, _as_they_are, _skeletons, _names):
        table.clear()
    _names.update(_usual_names)
    _attributes.clear()
    _attributes.update(_USUAL_ATTRIBUTES - _telling)
    MEMO.update(_usual_tags)
    MEMO[""] = _irregular
    _characters = 0


def forget_after_fork() -> None:
    """Be usable in a new process, where the thread that was learning is not."""
    global _lock
    if not _lock.acquire(blocking=False):
        forget()
    _lock = RLock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=forget_after_fork)


def look_up(raws: list[str], careful: bool) -> list[Shape]:
    """What the memo says of tags; those that it does not know are learned.

    Args:
        raws: what stands between "<" and ">" in each; without ">".
        careful: whether there may be characters that XML forbids.
    """
    shapes = list(map(MEMO.get, raws))
    if all(shapes):
        return shapes  # type: ignore[return-value]
    unknown = [index for index, shape in enumerate(shapes) if shape is None]
    with _lock:
        if is_full():
            forget()
        learn(dict.fromkeys([raws[index] for index in unknown]), careful)
        for index in unknown:
            shapes[index] = MEMO.get(raws[index], _irregular)
    return shapes  # type: ignore[return-value]


def learn(sources: Collection[str], careful: bool) -> None:
    """Put tags into the memo, if they may be regular; the caller holds the lock.

    Args:
        sources: what stands between "<" and ">" in each; without ">", and each once.
        careful: whether there may be characters that XML forbids.
    """
    global _characters
    start_tags = [raw for raw in sources if raw >= "A"]  # and what is no tag at all
    if len(start_tags) < len(sources):
        for raw in sources:
            if raw[:1] == "/":
                MEMO[raw] = _end_shape(raw)
                _characters += len(raw)
    joined = ">".join(start_tags)
    _characters += len(joined)
    if careful and _CONTROL(joined):
        for raw in filter(_CONTROL, start_tags):
            MEMO[raw] = _other_shape(raw)
        start_tags = [raw for raw in start_tags if not _CONTROL(raw)]
        joined = ">".join(start_tags)
    if start_tags:
        _learn_start_tags(start_tags, joined)


def regular_tag(raw: str) -> Tag | str | None:
    """The start tag `<raw>` or the name of the end tag; None if the states must read it."""
    shape = shape_of(raw)
    if shape is None:
        return None
    return shape.name if raw[0] == "/" else tag_of(raw, shape)


def faultless_tag(raw: str) -> Tag | str | None:
    """The same, but start tags only if they are XML as they stand: nothing is to be reported."""
    shape = shape_of(raw)
    if shape is None:
        return None
    if raw[0] == "/":
        return shape.name
    return tag_of(raw, shape) if shape.xml is None and shape.tag is None else None


def shape_of(raw: str) -> Shape | None:
    """The shape of a tag, which is learned if need be; None if the states must read it.

    Args:
        raw: what stands between "<" and the next ">".
    """
    shape = MEMO.get(raw)
    if shape is None:
        if "<" in raw:
            return None
        with _lock:
            if is_full():
                forget()
            learn([raw], True)
            shape = MEMO.get(raw)
    return None if shape is _irregular else shape


def _learn_start_tags(start_tags: list[str], joined: str) -> None:
    """Put new start tags into the memo; given one by one and `joined` with ">"."""
    skeletons = _cut_out_values(joined, len(start_tags))
    # in two steps, since the second operand of one would be gone through as a whole
    for skeleton in set(skeletons).difference(_as_they_are).difference(_skeletons):
        # nearly always a known name and known attributes
        name, *attributes = skeleton.split(" ")
        shape = _names.get(name)
        if (
            shape is not None
            and 0 < len(attributes) < MOST_ATTRIBUTES
            and _attributes.issuperset(attributes)
            and (len(attributes) == 1 or len(set(attributes)) == len(attributes))
        ):
            _as_they_are[skeleton] = shape
        else:
            _learn_skeleton(skeleton)
    found = list(map(_as_they_are.get, skeletons))
    if not all(found):
        for index, shape in enumerate(found):
            if shape is None:
                found[index] = _shape(start_tags[index], skeletons[index])
    shapes: list[Shape] = found  # type: ignore[assignment]
    special = [char for char in "\n\t" if char in joined]
    if joined.count("&") > joined.count("&amp;"):
        special.append("&")
    for char in special:
        for index in [index for index, raw in enumerate(start_tags) if char in raw]:
            raw, shape = start_tags[index], shapes[index]
            if (
                shape.xml is None
                and shape is _as_they_are.get(skeletons[index])
                and _TO_BE_WRITTEN(raw)
            ):
                xml = f"{skeletons[index]}{_bracket(shape.name)}"
                shapes[index] = _filled(raw, shape, xml.split('""'))
    MEMO.update(zip(start_tags, shapes, strict=True))


def _shape(raw: str, skeleton: str) -> Shape:
    """The shape of a start tag whose skeleton is among those of `_skeletons`."""
    known = _skeletons[skeleton]
    if known is _EACH:
        return _other_shape(raw)
    shape, tail, parts = known
    if parts is not None:
        return _filled(raw, shape, parts)
    if _has_special(raw) and _TO_BE_WRITTEN(raw):
        xml = f"{skeleton[: len(skeleton) - tail]}{_bracket(shape.name)}"
        return _filled(raw, shape, xml.split('""'))
    return Shape(
        shape.name, shape.kind, f"{raw[:-tail]}{_bracket(shape.name)}", None, shape.has_slash
    )


def _cut_out_values(joined: str, count: int) -> list[str]:
    """The skeletons of `count` start tags that are joined with ">"."""
    parts = joined.split('"')
    skeletons = '""'.join(parts[::2])
    if len(parts) % 2 == 0 or skeletons.count(">") < count - 1:
        skeletons = _DOUBLE('""', joined)  # some tag has an odd number of quotes
    if "'" in skeletons:
        skeletons = _SINGLE("''", skeletons)
    return skeletons.split(">")


def _bracket(name: str) -> str:
    """What ends the start tag of an element in XML."""
    return "/>" if name in VOID else ">"


def _has_special(source: str) -> bool:
    """Whether there may be a value that the writer would write in another way."""
    return "&" in source or "\n" in source or "\t" in source


def is_full() -> bool:
    """Whether it is time to empty the memo."""
    return len(MEMO) > MEMO_SIZE or _characters > MEMO_CHARACTERS


def tag_of(raw: str, shape: Shape) -> Tag:
    """The start tag whose source is `<raw>`, which has the shape that the memo says."""
    if shape.tag is not None:
        return shape.tag
    xml = f"<{shape.xml or raw + '>'}"
    if "&" not in xml and ":" not in shape.name:  # what has a prefix the writer must see
        return Tag(shape.name, None, shape.has_slash, xml)
    tag = read_tag(raw)
    assert tag is not None  # it is in the memo
    return tag


def _end_shape(raw: str) -> Shape:
    """The shape of an end tag without attributes and with an ASCII name."""
    name = raw[1:]
    if not (name.isascii() and name.isalnum() and name[0].isalpha()):
        found = _END(raw)
        name = found[1] if found is not None else ""
    if not name or len(raw) > LONGEST_NAME:
        return _irregular
    name = intern(name.lower())
    return Shape(name, _end_kind(name), None if raw == f"/{name}" else f"/{name}>")


def _learn_skeleton(skeleton: str) -> None:
    """Find out the shape of the start tags with a skeleton; see `_as_they_are`, `_skeletons`."""
    inside = skeleton.rstrip(" /")
    tail = len(skeleton) - len(inside)
    shape = _shape_in_xml(inside)
    if shape is not None:
        if tail and skeleton[-1] == "/":
            shape = Shape(shape.name, shape.kind, None, None, True)
        if " " not in inside and (tail or shape.name in VOID):
            xml = f"{inside}{_bracket(inside)}"
            _as_they_are[skeleton] = Shape(shape.name, shape.kind, xml, None, shape.has_slash)
        elif tail:
            _skeletons[skeleton] = shape, tail, None
        else:
            _as_they_are[skeleton] = shape
        return
    parts: list[str] | None = None
    if inside.isascii():
        usual = " ".join(inside.replace("''", '""').lower().split())
        shape = _shape_in_xml(usual) if usual != inside else None
        if shape is not None:
            shape = Shape(shape.name, shape.kind, None, None, skeleton[-1] == "/")
            parts = f"{usual}{_bracket(shape.name)}".split('""')
    if shape is None or parts is None:
        rewritten = _rewritten_skeleton(skeleton)
        if rewritten is None:
            _skeletons[skeleton] = _EACH
            return
        shape, parts = rewritten
    if len(parts) > 1:
        _skeletons[skeleton] = shape, 0, parts
    else:
        shape.xml = parts[0]
        _as_they_are[skeleton] = shape


def _shape_in_xml(inside: str) -> Shape | None:
    """The shape of a start tag by its skeleton without the end, if that is XML."""
    name, *attributes = inside.split(" ")
    shape = _names.get(name)
    if shape is None:
        if not _NAME_IN_XML(name):
            return None
        name = intern(name)
        shape = _names[name] = Shape(name, _start_kind(name))
    distinct = set(attributes)
    if not _attributes.issuperset(distinct):
        unknown = distinct - _attributes
        if not all(map(_ATTRIBUTE_IN_XML, unknown)):
            return None
        if not unknown.isdisjoint(_telling):
            shape = Shape(shape.name, shape.kind)
        _attributes.update(unknown - _telling)
    if len(distinct) < len(attributes) or len(attributes) >= MOST_ATTRIBUTES:
        return None
    return shape


def _rewritten_skeleton(skeleton: str) -> tuple[Shape, list[str]] | None:
    """The shape of start tags by their skeleton, and the XML between their values."""
    found = _TAG_NAME(skeleton)
    if found is None or not _NAME_IN_XML(found[0].lower()):
        return None
    name = intern(found[0].lower())
    has_slash = skeleton[-1] == "/"
    parts, part = [], name
    names = []
    pos, size = found.end(), len(skeleton)
    while pos < size:
        found = _ATTRIBUTE(skeleton, pos)
        if found is None:
            if _TAIL(skeleton, pos) is None:
                return None
            break
        attribute = found[1].lower()
        if not found[1].isascii() or not _PLAIN_NAME(attribute):
            return None
        names.append(attribute)
        part += f" {attribute}="
        pos = found.end()
        following = skeleton[pos : pos + 1]
        if found.lastindex == 1:  # no value
            part += '""'
            if following and following not in _CLOSES_VALUE:
                return None
        elif found.lastindex == 4:  # a value without quotes
            part += f'"{_written(found[4])}"'
            if not following:
                has_slash = False  # the slash is part of the value
            elif following not in _SPACE:
                return None
        else:
            if found[2] or found[3]:
                return None
            parts.append(part)
            part = ""
    if len(set(names)) < len(names) or len(names) >= MOST_ATTRIBUTES:
        return None
    return Shape(name, _start_kind(name), None, None, has_slash), [*parts, part + _bracket(name)]


def _filled(raw: str, shape: Shape, parts: list[str]) -> Shape:
    """The shape of a tag whose XML is `parts` with the source's values between them."""
    size = 2 * len(parts) - 1
    chunks = raw.split('"')
    if len(chunks) == 1:
        chunks = raw.split("'")
    if len(chunks) != size:
        chunks = [""] * size
        chunks[1::2] = [double or single for double, single in _VALUES(raw)]
    if _has_special(raw):
        for index in range(1, size, 2):
            value = chunks[index]
            if "&" in value or "\n" in value or "\t" in value:
                chunks[index] = _written(value)
    chunks[::2] = parts
    return Shape(shape.name, shape.kind, '"'.join(chunks), None, shape.has_slash)


def _written(value: str) -> str:
    """An attribute value of the source as it stands in XML."""
    return _escape_value(decode_value(value) if "&" in value else value)


def _other_shape(raw: str) -> Shape:
    """The shape of a tag that has to be looked at as a whole."""
    tag = read_tag(raw)
    if tag is None:
        return _irregular
    is_prefixed = ":" in tag.name or any(":" in name for name, _ in tag.attrs)
    kind = _prefixed_kind if is_prefixed else _start_kind(tag.name)
    return Shape(tag.name, kind, "", tag, tag.self_closing)


def read_tag(raw: str) -> Tag | None:
    """The tag whose source is `<raw>`; None if the states must read it."""
    found = _TAG_NAME(raw)
    if found is None or len(found[0]) > LONGEST_NAME:
        return None
    name = intern(found[0].lower())
    attrs: dict[str, str] = {}
    pos, size = found.end(), len(raw)
    has_slash = raw[-1] == "/"
    while pos < size:
        found = _ATTRIBUTE(raw, pos)
        if found is None:
            if _TAIL(raw, pos) is None:
                return None
            break
        key, double, single, bare = found.groups()
        pos = found.end()
        following = raw[pos : pos + 1]
        if double is not None:
            value = double
        elif single is not None:
            value = single
        elif bare is not None:
            value = bare
            if not following:
                has_slash = False  # a slash is part of the value
            elif following not in _SPACE:
                return None
        else:
            value = ""
            if following and following not in _CLOSES_VALUE:
                return None
        if not key.isascii() or len(key) > LONGEST_NAME:
            return None
        if "&" in value:
            value = decode_value(value)
        attrs.setdefault(key.lower(), value)
    if len(attrs) >= MOST_ATTRIBUTES:
        return None
    return Tag(name, tuple(attrs.items()), has_slash)
