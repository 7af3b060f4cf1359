"""Where an XPath expression stops being one: libxml2 knows, but lxml does not tell.

A reader of XPath's grammar that builds nothing. It is asked only after an error.

Source: XPath 1.0 §2, §3 (the productions are named in the comments).
"""

from __future__ import annotations

import re

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


class Reader:
    """Reads an expression by recursive descent.

    Attributes:
        kind: of the token here: literal, number, sign, name or end.
        text: of the token here.
        place: its offset.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.after = 0
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
        elif self.takes("$"):
            if self.kind != "name" or self.text.endswith("*"):
                raise Misplaced("the name of a variable is missing", self.place)
            self.advance()
        elif self.takes("("):
            self.expression()
            self.needs(")")
        elif self.kind == "name" and self.text not in NODE_TYPES and self.follows(r"\("):
            self.advance()
            self.arguments()
        else:
            self.location()
            return
        self.predicates()
        if self.takes("/", "//"):
            self.steps()

    def arguments(self) -> None:
        """The arguments of a FunctionCall."""
        self.needs("(")
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
        if not self.takes("@") and self.kind == "name" and self.follows("::"):
            if self.text not in AXES:
                raise Misplaced(f"no axis {self.text!r}", self.place)
            self.advance()
            self.advance()
        if self.kind == "name":
            is_type = self.text in NODE_TYPES and self.follows(r"\(")
            named = self.text
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
