"""What an XPath expression mentions, and where it stops being one.

libxml2 knows both, but lxml does not tell. A reader of XPath's grammar that builds nothing.

Source: XPath 1.0 §2, §3 (the productions are named in the comments).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

NCNAME = r"[^\W\d][\w.\-·]*"
TOKEN: Final = re.compile(
    rf"""\s*(?:
      (?P<literal> "[^"]*" | '[^']*' )
    | (?P<number> \d+(?:\.\d*)? | \.\d+ )
    | (?P<sign> \.\. | :: | // | != | <= | >= | [()\[\].@,/|+\-=<>*$] )
    | (?P<name> {NCNAME} (?: : (?: {NCNAME} | \* ) )? )
    | (?P<end> \Z )
    )""",
    re.VERBOSE,
)
OPERATORS: Final = frozenset(("or", "and", "div", "mod"))
BINARY: Final = frozenset("= != < <= > >= + - * |".split())
AXES: Final = frozenset(
    "ancestor ancestor-or-self attribute child descendant descendant-or-self following"
    " following-sibling namespace parent preceding preceding-sibling self".split()
)
NODE_TYPES: Final = frozenset("comment text processing-instruction node".split())


class Mention(NamedTuple):
    """A name in an expression.

    Attributes:
        kind: "function", "variable", or the node that a name test is for: "element",
            "attribute" or "namespace".
        name: as it is written, without `$`.
        place: its offset.
        after: the offset behind it; of a function that has arguments, of the first of them.
    """

    kind: str
    name: str
    place: int
    after: int


class Misplaced(Exception):
    """The expression stops being one.

    Args:
        message: what is missing or wrong.
        place: its offset.
    """

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


def mistake(expression: str) -> tuple[str, int] | None:
    """What is wrong with an expression, and at which offset; None if nothing is.

    >>> mistake("//a[@href"), mistake("//a[@href]")
    (("']' is missing", 9), None)
    """
    try:
        reader = Reader(expression)
        reader.expression()
        if reader.kind != "end":
            raise Misplaced(f"unexpected {reader.text!r}", reader.place)
    except Misplaced as found:
        return found.message, found.place
    except RecursionError:
        return "nested too deeply", 0
    return None


@lru_cache(maxsize=256)
def mentions(expression: str) -> tuple[Mention, ...] | None:
    """The names in an expression, in their order; None if it is none.

    >>> [each[:2] for each in mentions("id($x)/@href") or ()]
    [('function', 'id'), ('variable', 'x'), ('attribute', 'href')]
    """
    try:
        reader = Reader(expression)
        reader.expression()
    except (Misplaced, RecursionError):
        return None
    return tuple(reader.mentions) if reader.kind == "end" else None


class Reader:
    """Reads an expression by recursive descent.

    Attributes:
        mentions: the names that have been read.
        kind: of the token here: literal, number, sign, name or end.
        text: of the token here.
        place: its offset.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.after = 0
        self.mentions: list[Mention] = []
        self.kind = self.text = ""
        self.place = 0
        self.advance()

    def advance(self) -> None:
        """Go to the next token."""
        found = TOKEN.match(self.source, self.after)
        if found is None or found.lastgroup is None:
            rest = self.source[self.after :]
            place = self.after + len(rest) - len(rest.lstrip())
            char = self.source[place]
            told = "a string that does not end" if char in "'\"" else f"unexpected {char!r}"
            raise Misplaced(told, place)
        self.kind = found.lastgroup
        self.text = found[self.kind]
        self.place = found.start(self.kind)
        self.after = found.end()

    def takes(self, *signs: str) -> bool:
        """Pass the sign here if it is one of these."""
        if self.kind == "sign" and self.text in signs:
            self.advance()
            return True
        return False

    def needs(self, sign: str) -> None:
        """Pass a sign that must stand here."""
        if not self.takes(sign):
            raise Misplaced(f"{sign!r} is missing", self.place)

    def follows(self, pattern: str) -> bool:
        """Whether this comes after the token here."""
        return re.compile(rf"\s*{pattern}").match(self.source, self.after) is not None

    def mention(self, kind: str) -> None:
        """Note down the name here."""
        self.mentions.append(Mention(kind, self.text, self.place, self.after))

    def expression(self) -> None:
        """Expr: operands with operators between them; their precedence does not matter."""
        while True:
            while self.takes("-"):
                pass
            self.operand()
            is_operator = (self.kind == "sign" and self.text in BINARY) or (
                self.kind == "name" and self.text in OPERATORS
            )
            if not is_operator:
                return
            self.advance()

    def operand(self) -> None:
        """PathExpr."""
        if self.kind in {"literal", "number"}:
            self.advance()
        elif self.kind == "sign" and self.text == "$":
            place = self.place
            self.advance()
            if self.kind != "name" or self.text.endswith("*"):
                raise Misplaced("the name of a variable is missing", self.place)
            self.mentions.append(Mention("variable", self.text, place, self.after))
            self.advance()
        elif self.takes("("):
            self.expression()
            self.needs(")")
        elif self.kind == "name" and self.text not in NODE_TYPES and self.follows(r"\("):
            name, place = self.text, self.place
            self.advance()
            self.needs("(")
            self.mentions.append(Mention("function", name, place, self.place))
            self.arguments()
        else:
            self.location()
            return
        self.predicates()
        if self.takes("/", "//"):
            self.steps()

    def arguments(self) -> None:
        """The arguments of a FunctionCall, whose `(` is behind us."""
        if self.takes(")"):
            return
        self.expression()
        while self.takes(","):
            self.expression()
        self.needs(")")

    def location(self) -> None:
        """LocationPath."""
        if self.takes("/"):
            if self.kind == "name" or (self.kind == "sign" and self.text in {".", "..", "@", "*"}):
                self.steps()
            return
        self.takes("//")
        self.steps()

    def steps(self) -> None:
        """RelativeLocationPath."""
        self.step()
        while self.takes("/", "//"):
            self.step()

    def step(self) -> None:
        """Step, AxisSpecifier, NodeTest."""
        if self.takes(".", ".."):
            return
        principal = "element"
        if self.takes("@"):
            principal = "attribute"
        elif self.kind == "name" and self.follows("::"):
            if self.text not in AXES:
                raise Misplaced(f"no axis {self.text!r}", self.place)
            principal = self.text if self.text in {"attribute", "namespace"} else principal
            self.advance()
            self.advance()
        if self.kind == "name":
            is_type = self.text in NODE_TYPES and self.follows(r"\(")
            named = self.text
            if not is_type:
                self.mention(principal)
            self.advance()
            if is_type:
                self.needs("(")
                if named == "processing-instruction" and self.kind == "literal":
                    self.advance()
                self.needs(")")
        elif not self.takes("*"):
            where = "" if self.kind == "end" else f" before {self.text!r}"
            raise Misplaced(f"an expression is missing{where}", self.place)
        self.predicates()

    def predicates(self) -> None:
        """Predicate, as often as there is one."""
        while self.takes("["):
            self.expression()
            self.needs("]")
