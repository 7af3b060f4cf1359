"""Findings: what was wrong with the input, where, and what was done about it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from xmlfix.positions import Positions


class Finding:
    """One thing that was not well-formed, forbidden, renamed or dropped.

    Attributes:
        code: the HTML standard's word for the parse error where it has one (WHATWG
            #parse-errors), otherwise ours, which begins with `xmlfix-`.
        message: what was found, for people.
        offset: 0-based code-point offset in the input as given.
        line: 1-based line; CR, LF and CR LF end one.
        column: 1-based code-point column; a byte order mark is in none.
        action: what was done.
        lossy: whether anything of the input is changed or missing in the output.
    """

    __slots__ = ("action", "code", "column", "line", "lossy", "message", "offset")

    def __init__(
        self,
        code: str,
        message: str,
        offset: int,
        line: int,
        column: int,
        action: str,
        lossy: bool,
    ) -> None:
        self.code = code
        self.message = message
        self.offset = offset
        self.line = line
        self.column = column
        self.action = action
        self.lossy = lossy

    def __repr__(self) -> str:
        return f"<Finding {self.line}:{self.column}: {self}>"

    def __str__(self) -> str:
        return f"{self.code}: {self.message}; {self.action}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.code, self.offset))


# Our codes: what was found (with the detail in place of {}), what was done, whether lossy.
_KEPT, _LOSSY = False, True
CODES: dict[str, tuple[str, str, bool]] = {
    "xmlfix-attribute-collision": ("attribute {} comes twice", "the first kept", _LOSSY),
    "xmlfix-attribute-without-quotes": ("attribute value without quotes", "quoted", _KEPT),
    "xmlfix-attribute-without-value": ("attribute without value", "a value given", _KEPT),
    "xmlfix-bare-ampersand": ('"&" that begins no reference', "kept as text", _KEPT),
    "xmlfix-buffer-limit": (
        "more is waiting for the end of <{}> than buffer_limit",
        "written as it stands",
        _KEPT,
    ),
    "xmlfix-cdata-end-in-text": ('"]]>" in text', "escaped", _KEPT),
    "xmlfix-comment-changed": ("comment data that XML forbids", "changed", _LOSSY),
    "xmlfix-comment-not-in-encoding": (
        "{} has characters that the output encoding lacks",
        "they are escaped",
        _LOSSY,
    ),
    "xmlfix-copy-limit": (
        "chosen options would be repeated beyond the output limit",
        "not repeated",
        _KEPT,
    ),
    "xmlfix-depth-flattened": (
        "<{}> is nested deeper than max_depth",
        "it takes the place of the deepest open element",
        _KEPT,
    ),
    "xmlfix-doctype-changed": ("DOCTYPE {} has parts that XML forbids", "changed", _LOSSY),
    "xmlfix-doctype-dropped": ("DOCTYPE {}", "dropped, as doctype says", _LOSSY),
    "xmlfix-element-made": ("</{}> without a start tag", "an empty element made", _KEPT),
    "xmlfix-end-tag-in-other-case": (
        "</{}> has its start tag in other case",
        "closes it",
        _KEPT,
    ),
    "xmlfix-end-tag-without-start": ("</{}> closes no open element", "dropped", _KEPT),
    "xmlfix-entity-limit": (
        "entities or default values would add more than the output limit",
        "kept as reference text, or left out",
        _LOSSY,
    ),
    "xmlfix-entity-not-expanded": (
        "reference to an entity that is not plain text, or that names itself",
        "kept as text",
        _LOSSY,
    ),
    "xmlfix-entity-refused": (
        "parameter or external entity",
        "nothing is read for it",
        _LOSSY,
    ),
    "xmlfix-eof-in-instruction": (
        "the input ends in a processing instruction",
        "dropped",
        _LOSSY,
    ),
    "xmlfix-forbidden-reference": (
        "reference to a character that XML forbids",
        "U+FFFD put for it",
        _LOSSY,
    ),
    "xmlfix-form-feed": ("form feed", "a space put for it", _LOSSY),
    "xmlfix-formatting-limit": (
        "formatting tags would be repeated beyond the output limit",
        "no longer repeated",
        _KEPT,
    ),
    "xmlfix-formatting-reopened": ("<{}> is still open", "opened again", _KEPT),
    "xmlfix-foster-parented": ("{} is misplaced in a table", "put before it", _KEPT),
    "xmlfix-frameset-replaces-body": ("<frameset> after content", "the content dropped", _LOSSY),
    "xmlfix-html-reference": ("named reference that XML lacks", "the character put", _KEPT),
    "xmlfix-huge-node": (
        "{} of more than 10 million bytes, which XML parsers refuse by default",
        "kept; parse() lifts the limit",
        _KEPT,
    ),
    "xmlfix-instruction-not-in-encoding": (
        "{} has characters that the output encoding lacks",
        "they are escaped",
        _LOSSY,
    ),
    "xmlfix-instruction-renamed": (
        "instruction {} with a target that XML forbids",
        "renamed",
        _KEPT,
    ),
    "xmlfix-instruction-without-question-mark": (
        "processing instruction that ends without a question mark",
        "closed",
        _KEPT,
    ),
    "xmlfix-internal-subset-dropped": ("DOCTYPE with declarations", "they are dropped", _LOSSY),
    "xmlfix-late-attributes": ("<{}> comes again", "its new attributes merged", _KEPT),
    "xmlfix-late-attributes-lost": (
        "<{}> comes again, but its start tag has been written",
        "its new attributes dropped",
        _LOSSY,
    ),
    "xmlfix-less-than-in-value": ('"<" in an attribute value', "escaped", _KEPT),
    "xmlfix-malformed-bytes": (
        "bytes that the encoding {} does not have",
        "U+FFFD put for them",
        _LOSSY,
    ),
    "xmlfix-misnested-tag": ("</{}> crosses other elements", "the tags rearranged", _KEPT),
    "xmlfix-misplaced-head-element": ("<{}> after the head", "put into the head", _KEPT),
    "xmlfix-missing-end-tag": ("<{}> has no end tag here", "closed", _KEPT),
    "xmlfix-name-cut": ("name {} is too long for XML parsers", "cut and numbered", _LOSSY),
    "xmlfix-name-escaped": ("name {} is none in XML", "escaped", _KEPT),
    "xmlfix-name-not-in-encoding": (
        "name {} has characters that the output encoding lacks",
        "they are escaped",
        _KEPT,
    ),
    "xmlfix-namespace-replaced": (
        "prefix {} cannot have its namespace beside another prefix of it",
        "another namespace declared",
        _LOSSY,
    ),
    "xmlfix-not-xml": ("no XML, though input says so", "read as HTML", _KEPT),
    "xmlfix-null-in-cdata": ("NUL in a CDATA section", "U+FFFD put for it, or dropped", _LOSSY),
    "xmlfix-other-heading": ("</{}> after another heading", "that one closed", _KEPT),
    "xmlfix-prefix-declared": ("prefix {} is declared nowhere", "declared on the root", _KEPT),
    "xmlfix-prefix-stripped": ("name {} has a prefix", "stripped, as prefixes says", _LOSSY),
    "xmlfix-selectedcontent-replaced": (
        "<selectedcontent> has content when an option is shown in it",
        "replaced by that of the option, with what is still open there",
        _LOSSY,
    ),
    "xmlfix-start-tag-ignored": ("<{}> is not allowed here", "dropped", _LOSSY),
    "xmlfix-text-dropped": ("text that is not allowed here", "dropped", _LOSSY),
    "xmlfix-too-many-attributes": ("more attributes than the limit", "dropped", _LOSSY),
    "xmlfix-too-much-formatting": (
        "<{}>: more formatting is open than the limit",
        "the oldest is not reopened any more",
        _KEPT,
    ),
    "xmlfix-void-element": ("<{}> is always empty", "closed", _KEPT),
    "xmlfix-wrapped": ("not exactly one root element", "<{}> put around it", _KEPT),
    "xmlfix-xml-declaration-dropped": ("misplaced XML declaration", "dropped", _LOSSY),
    "xmlfix-xml-declaration-malformed": (
        "XML declaration whose parts are not those of XML, or not in its order",
        "a new one written",
        _KEPT,
    ),
    "xmlfix-xml-declaration-wrong": (
        "XML declaration with {}",
        "ignored",
        _KEPT,
    ),
    "xmlfix-xml-repaired": (
        "XML that is not well-formed",
        "repaired by XML's rules, not HTML's",
        _KEPT,
    ),
    "xmlfix-xmlns-dropped": ("{} is no usable namespace declaration", "dropped", _LOSSY),
}

# The standard's codes whose repair loses something, or is worth its own words.
STANDARD: dict[str, tuple[str, bool]] = {
    "absence-of-digits-in-numeric-character-reference": ("kept as text", _KEPT),
    "abrupt-doctype-public-identifier": ("cut there", _KEPT),
    "abrupt-doctype-system-identifier": ("cut there", _KEPT),
    "cdata-in-html-content": ("made a comment", _KEPT),
    "character-reference-outside-unicode-range": ("U+FFFD put for it", _LOSSY),
    "control-character-in-input-stream": ("kept", _KEPT),
    "duplicate-attribute": ("dropped", _LOSSY),
    "end-tag-with-attributes": ("they are dropped", _LOSSY),
    "eof-in-cdata": ("closed", _KEPT),
    "eof-in-comment": ("closed", _KEPT),
    "eof-in-doctype": ("closed", _KEPT),
    "eof-in-tag": ("the tag is dropped", _LOSSY),
    "incorrectly-opened-comment": ("made a comment", _KEPT),
    "invalid-first-character-of-tag-name": ("not read as a tag", _KEPT),
    "missing-end-tag-name": ("dropped", _KEPT),
    "missing-semicolon-after-character-reference": ("read as a reference", _KEPT),
    "non-void-html-element-start-tag-with-trailing-solidus": ("the slash is ignored", _KEPT),
    "noncharacter-in-input-stream": ("kept", _KEPT),
    "null-character-reference": ("U+FFFD put for it", _LOSSY),
    "surrogate-character-reference": ("U+FFFD put for it", _LOSSY),
    "surrogate-in-input-stream": ("U+FFFD put for it", _LOSSY),
    "unexpected-null-character": ("U+FFFD put for it, or dropped", _LOSSY),
    "unexpected-question-mark-instead-of-tag-name": ("made a comment", _KEPT),
    "unknown-named-character-reference": ("kept as text", _KEPT),
}

# The same where XML forbids the character, which is the detail then.
FORBIDDEN = ("U+FFFD put for it", _LOSSY)


class Reporter:
    """Makes findings of codes and offsets.

    Args:
        receive: the caller's `on_finding`.
        positions: maps offsets in the normalised text to places in the input.
    """

    __slots__ = ("positions", "receive")

    def __init__(self, receive: Callable[[Finding], object], positions: Positions) -> None:
        self.receive = receive
        self.positions = positions

    def __call__(self, code: str, at: int, detail: str = "") -> None:
        """Report `code` at the offset `at` of the normalised text."""
        offset, line, column = self.positions.locate(at)
        if code in CODES:
            message, action, lossy = CODES[code]
            message, action = message.replace("{}", detail), action.replace("{}", detail)
        else:
            message = code.replace("-", " ")
            action, lossy = STANDARD.get(code, ("read as the standard says", _KEPT))
            if detail and code.endswith("-in-input-stream"):
                action, lossy = FORBIDDEN
        self.receive(Finding(code, message, offset, line, column, action, lossy))
