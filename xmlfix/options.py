"""Every option once: word, type, default, meaning. Calls and flags are made from it."""

from __future__ import annotations

from collections.abc import Iterable

from xmlfix.errors import OptionError, did_you_mean
from xmlfix.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypedDict

    from xmlfix.finding import Finding

    Repair = Literal["browser", "stack", "xml"]

    class Settings(TypedDict, total=False):
        """The keyword arguments of every call, as `OPTIONS` documents them."""

        repair: Repair
        input: Literal["auto", "html", "xml"]
        encoding: str | None
        transport_encoding: str | None
        fallback: str | None
        detect: bool
        meta_charset: Literal["keep", "update"]
        root: str | None
        fragment: str | None
        scripting: bool
        xhtml: bool
        body_only: bool
        drop: Iterable[str]
        nbsp: Literal["keep", "space", "drop"]
        bare_attribute: str
        doctype: Literal["drop", "html", "keep"]
        pi: Literal["keep", "comment", "drop"]
        prefixes: Literal["declare", "escape", "strip"]
        xml_declaration: bool
        max_depth: int
        max_formatting: int
        max_repetition: int
        max_attributes: int
        max_input: int | None
        buffer_limit: int | None
        on_finding: Callable[[Finding], object] | None


class Option:
    """One option.

    Attributes:
        word: the keyword of the calls; the command's flag has hyphens for underscores.
        default: its value where nothing is said.
        kind: "choice", "flag", "text", "number", "names" or "call".
        choices: the values of a choice.
        meaning: what it does, for `--help` and the docs.
        metavar: what stands for its value in `--help`.
    """

    __slots__ = ("choices", "default", "kind", "meaning", "metavar", "word")

    def __init__(
        self,
        word: str,
        default: object,
        meaning: str,
        *,
        kind: str = "choice",
        choices: tuple[str, ...] = (),
        metavar: str = "",
    ) -> None:
        self.word = word
        self.default = default
        self.meaning = meaning
        self.kind = kind
        self.choices = choices
        self.metavar = metavar

    def __repr__(self) -> str:
        return f"<Option {self.word}={self.default!r}: {self.meaning}>"


OPTIONS = (
    Option(
        "repair",
        "browser",
        "browser: the tree that a browser makes of the page; stack: the tags in source order,"
        " closed where they must be; xml: the same with XML manners, for feeds, XHTML and"
        " configuration files (case kept, <x/> empties any element, HTML known in XHTML only)",
        choices=("browser", "stack", "xml"),
    ),
    Option(
        "input",
        "auto",
        "what the input is: auto takes as xml what begins with an XML declaration and is no page,"
        " well-formed or not; html takes nothing, xml all that begins with <",
        choices=("auto", "html", "xml"),
    ),
    Option(
        "encoding",
        None,
        "decode bytes with this encoding, whatever they say themselves",
        kind="text",
        metavar="NAME",
    ),
    Option(
        "transport_encoding",
        None,
        "what came with the bytes about their encoding: a name, or a whole Content-Type, which"
        " also says whether they are XML; a byte order mark overrides it",
        kind="text",
        metavar="WHAT",
    ),
    Option(
        "fallback",
        None,
        "encoding of bytes that say nothing themselves; without it UTF-8, if they are valid"
        " UTF-8, else windows-1252",
        kind="text",
        metavar="NAME",
    ),
    Option(
        "detect",
        False,
        "guess the encoding of bytes that say nothing themselves by statistics (needs chardet)",
        kind="flag",
    ),
    Option(
        "meta_charset",
        "keep",
        "a <meta> whose charset is no longer true in the output: kept, or updated (text counts"
        " as UTF-8)",
        choices=("keep", "update"),
    ),
    Option(
        "root",
        None,
        "name of the element put around a fragment, or around output that has not exactly one"
        ' root, where it is "root" if nothing is said',
        kind="text",
        metavar="NAME",
    ),
    Option(
        "fragment",
        None,
        "read the input as the content of this element, e.g. div, td, svg or svg desc, and write"
        " balanced content without html, head and body (browser), with as many roots as it has"
        " unless root is given; a tree has that element as root; the flag needs its =, and alone"
        " means body",
        kind="text",
        metavar="CONTEXT",
    ),
    Option(
        "scripting",
        False,
        "what developer tools show before scripts run: noscript holds text (browser)",
        kind="flag",
    ),
    Option(
        "xhtml",
        False,
        "put elements into the XHTML, SVG and MathML namespaces (browser)",
        kind="flag",
    ),
    Option("body_only", False, "keep only the body element, if there is one", kind="flag"),
    Option(
        "drop",
        (),
        "leave out these elements with all they hold, or comments (#comment)",
        kind="names",
        metavar="NAME[,NAME…]",
    ),
    Option(
        "nbsp",
        "keep",
        "what becomes of non-breaking spaces: kept, spaces, or left out",
        choices=("keep", "space", "drop"),
    ),
    Option(
        "bare_attribute",
        "empty",
        'value of an attribute without one: "empty", "name" for its own name, or any other'
        " text as it is",
        kind="text",
        metavar="WHAT",
    ),
    Option(
        "doctype",
        "drop",
        "the DOCTYPE: left out, <!DOCTYPE html>, or a legal form of the original",
        choices=("drop", "html", "keep"),
    ),
    Option(
        "pi",
        "keep",
        "<?target data?>: kept as processing instruction, made a comment, or left out",
        choices=("keep", "comment", "drop"),
    ),
    Option(
        "prefixes",
        "declare",
        "undeclared prefixes: declared on the root, their colon escaped, or stripped"
        " (but for xml: and for xlink: in SVG and MathML, which the standard declares)",
        choices=("declare", "escape", "strip"),
    ),
    Option("xml_declaration", True, "begin with an XML declaration", kind="flag"),
    Option(
        "max_depth",
        256,
        "deepest nesting of elements in the output; 256 is what XML parsers take by default",
        kind="number",
        metavar="N",
    ),
    Option(
        "max_formatting",
        512,
        "most formatting elements that are reopened in every paragraph (browser)",
        kind="number",
        metavar="N",
    ),
    Option(
        "max_repetition",
        16,
        "how many times the size of the input reopened formatting may take, beyond 1 MiB (browser)",
        kind="number",
        metavar="N",
    ),
    Option(
        "max_attributes",
        10_000,
        "most attributes of an element, without namespace declarations; further ones are dropped",
        kind="number",
        metavar="N",
    ),
    Option(
        "max_input",
        None,
        "most characters of input; more is an error",
        kind="number",
        metavar="N",
    ),
    Option(
        "buffer_limit",
        None,
        "most characters that a stream holds back for what may still be moved; past it the"
        " oldest open table or formatting is written as it stands",
        kind="number",
        metavar="N",
    ),
    Option(
        "on_finding",
        None,
        "called with a Finding for each thing not well-formed, forbidden, renamed or dropped",
        kind="call",
    ),
)
SMALLEST_DEPTH = 8
LARGEST_DEPTH = 2_048  # what libxml2 takes when its other limits are lifted

_NAME = late(globals(), "_NAME", "fullmatch", r"[A-Za-z_][A-Za-z0-9_.-]{0,999}")


class Options:
    """The options of one run, checked.

    Raises:
        OptionError: an unknown word, or a value that the option does not take.
    """

    repair: str
    input: str
    encoding: str | None
    transport_encoding: str | None
    fallback: str | None
    detect: bool
    meta_charset: str
    root: str | None
    fragment: str | None
    scripting: bool
    xhtml: bool
    body_only: bool
    drop: frozenset[str]
    nbsp: str
    bare_attribute: str
    doctype: str
    pi: str
    prefixes: str
    xml_declaration: bool
    max_depth: int
    max_formatting: int
    max_repetition: int
    max_attributes: int
    max_input: int | None
    buffer_limit: int | None
    on_finding: Callable[[Finding], object] | None

    __slots__ = tuple(option.word for option in OPTIONS)

    def __init__(self, given: dict[str, Any]) -> None:
        for option in OPTIONS:
            value = given.pop(option.word, option.default)
            if value is not option.default:
                check(option, value)
            setattr(self, option.word, value)
        for word in given:
            known = [option.word for option in OPTIONS]
            raise OptionError(f"unknown option {word!r}{did_you_mean(word, known)}")
        self.drop = names_of(self.drop)
        if self.drop:
            from xmlfix.element_names import dropped

            self.drop = dropped(self.drop, xml=self.repair == "xml")
        if self.root is not None and not _NAME(self.root):
            raise OptionError(f"root takes an XML name without colon, not {self.root!r}")
        if self.root is not None and self.root in self.drop:
            raise OptionError(f"root is {self.root!r}, which drop leaves out")
        if self.fragment is not None:
            from xmlfix.element_names import context

            self.fragment = context(self.fragment)
        for word in ("fragment", "xhtml", "scripting"):
            if getattr(self, word) and self.repair != "browser":
                raise OptionError(f"{word} needs repair='browser', not {self.repair!r}")
        if self.fallback is not None:
            from xmlfix.sniffing import fallback_name

            fallback_name(self.fallback)
        if not SMALLEST_DEPTH <= self.max_depth <= LARGEST_DEPTH:
            limits = f"{SMALLEST_DEPTH} to {LARGEST_DEPTH}"
            raise OptionError(f"max_depth takes {limits}, not {self.max_depth}")
        for word in ("max_formatting", "max_repetition", "max_attributes", "max_input"):
            self._check_size(word, 1)
        self._check_size("buffer_limit", 0)

    def _check_size(self, word: str, smallest: int) -> None:
        """Raise OptionError if a limit is too small."""
        value = getattr(self, word)
        if value is not None and value < smallest:
            raise OptionError(f"{word} takes {smallest} or more, not {value}")


def names_of(drop: object) -> frozenset[str]:
    """The names that `drop` is given."""
    if isinstance(drop, (str, bytes)) or not isinstance(drop, Iterable):
        raise OptionError(f"drop takes a list of names, not {drop!r}")
    names = frozenset(drop)
    for name in names:
        if not isinstance(name, str):
            raise OptionError(f"drop takes names, not {name!r}")
    return names


def check(option: Option, value: object) -> None:
    """Raise OptionError if the option does not take `value`."""
    word = option.word
    if option.kind == "choice" and value not in option.choices:
        raise OptionError(f"{word} takes {' or '.join(map(repr, option.choices))}, not {value!r}")
    if option.kind == "text" and not isinstance(value, str):
        raise OptionError(f"{word} takes a str, not {value!r}")
    if option.kind == "flag" and not isinstance(value, bool):
        raise OptionError(f"{word} takes True or False, not {value!r}")
    if option.kind == "number" and (not isinstance(value, int) or isinstance(value, bool)):
        raise OptionError(f"{word} takes a whole number, not {value!r}")
    if option.kind == "call" and not callable(value):
        raise OptionError(f"{word} takes a callable, not {value!r}")
