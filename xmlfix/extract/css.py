"""CSS selectors as XPath 1.0: the tokens are those of cssselect, the translation is ours.

A compound selector (`a.k:empty`) becomes one XPath condition on an element. A complex one
(`ul > li a`) becomes a condition on its last element that looks back along the ancestors
and siblings, so that lists, `:is()`, `:not()` and `nth-child(… of …)` nest at will and the
results come once and in document order. Looking back never tries twice: of the elements
that a descendant or `~` combinator could mean, the nearest is as good as any, since all
that lies before a farther one lies before it too.

Names are compared as they stand in the XML (`name()`), which in HTML is how browsers see
them: prefix and all, whatever namespace `xhtml=True` puts them into.

Source: Selectors Level 4; HTML §4.16.3 (which elements a pseudo-class means).
"""

from __future__ import annotations

import re
from functools import lru_cache

from cssselect.parser import SelectorSyntaxError, tokenize
from lxml import etree

from xmlfix.extract.conditions import (
    AN_B,
    CASELESS,
    both,
    casings,
    compare,
    either,
    holds_word,
    lowered,
    progression,
    quoted,
    series,
    spellings,
)
from xmlfix.extract.functions import PREFIX, query
from xmlfix.extract.pseudo import ARGUMENTS, CONDITIONS
from xmlfix.extract.query_error import QueryError
from xmlfix.write.names import escape_ncname, is_ncname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from cssselect.parser import Token

DEEPEST: Final = 30  # levels of selectors in parentheses
LONGEST_POSITION: Final = 100  # characters of An+B
LONGEST: Final = 50_000  # characters of a condition that is written more than once
SCOPE: Final = "count(. | $scope) = 1"

# From a compound to the one before it, and the other way. libxml2 stops at the first
# sibling only if [1] is the step's sole predicate.
BACK: Final = {
    " ": "ancestor::*",
    ">": "parent::*",
    "+": "preceding-sibling::*[1]/self::*",
    "~": "preceding-sibling::*",
}
FORTH: Final = {
    " ": "descendant::*",
    ">": "*",
    "+": "following-sibling::*[1]/self::*",
    "~": "following-sibling::*",
}


class TooMuch(QueryError):
    """A selector that is refused for its size or depth, wherever it stands."""


def translate(
    selector: str, namespaces: Mapping[str, str] | None = None, *, html: bool = True
) -> str:
    """A group of CSS selectors as one XPath 1.0 expression.

    Args:
        selector: the selectors, parted by commas. Each may end with `::text` or
            `::attr(name)`, and may begin with a combinator (`> td`), which then starts at
            the context node, as `:scope` does.
        namespaces: prefixes of `prefix|name` selectors and their namespaces.
        html: whether it is for HTML documents, where names have no case.

    Returns:
        The expression. It begins at the context node and looks at all elements below it,
        and for what begins with `+` or `~` at the siblings after it. It may use the variable
        `$scope` and the functions of `compiled`.

    Raises:
        QueryError: not a selector; the message marks the place.

    Source: Selectors Level 4 §3, §4, §15; `::text` and `::attr()` after parsel.

    >>> translate("b")
    "descendant-or-self::*[name() = 'b']"
    """
    return Reader(selector, dict(namespaces or {}), html=html).query()


@lru_cache(maxsize=256)
def compiled(
    selector: str, namespaces: tuple[tuple[str, str], ...] = (), *, html: bool = True
) -> etree.XPath:
    """The selector ready to be called with an element and `scope=` a list of that element.

    Raises:
        QueryError: not a selector.
    """
    expression = translate(selector, dict(namespaces), html=html)
    try:
        return query(expression)
    except ValueError:
        raise QueryError("a character that no XML holds", selector) from None
    except etree.XPathError as error:
        raise QueryError(f"too long or too deeply nested ({error})", selector) from None


class Complex:
    """Compounds and what stands between them: `conditions[0] joints[0] conditions[1] …`."""

    __slots__ = ("conditions", "joints", "tail")

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.joints: list[str] = []
        self.tail = ""  # the step that a pseudo-element adds

    def condition(self) -> str:
        """The XPath condition on an element that the selector selects."""
        return conditioned(self.conditions, self.joints)

    def path(self) -> str:
        """The XPath from an element of the first compound to those of the last."""
        steps = [
            f"{FORTH[joint]}[{condition}]"
            for joint, condition in zip(self.joints, self.conditions[1:], strict=True)
        ]
        return "/".join(steps)


def conditioned(conditions: list[str], joints: list[str]) -> str:
    """The condition on the last of a row of compounds.

    A joint of the kind "descendant" is followed back to the nearest ancestor that fulfils
    all that is joined to it more closely (up to the next such joint), then on from the
    first of those. The same holds for "~" among siblings.
    """
    steps = []
    end = len(joints)
    while end:
        joint = joints[end - 1]
        end -= 1
        if joint in " ~":
            closer = end
            stays = "+>~" if joint == " " else "+"
            while closer and joints[closer - 1] in stays:
                closer -= 1
            unit = conditioned(conditions[closer : end + 1], joints[closer:end])
            steps.append(f"{BACK[joint]}[{unit}][1]")
            if joint == " ":
                steps += ["parent::*"] * joints[closer:end].count(">")
            elif closer < end:
                steps.append(f"preceding-sibling::*[{end - closer}]")
            end = closer
        else:
            steps.append(f"{BACK[joint]}[{conditions[end]}]")
    if not steps:
        return conditions[-1]
    return both(conditions[-1], "/".join(steps))


class Reader:
    """Reads a group of selectors from the tokens of cssselect.

    Args:
        source: the selectors.
        namespaces: of prefixes.
        html: whether names have no case.
    """

    def __init__(self, source: str, namespaces: dict[str, str], *, html: bool) -> None:
        self.source = source
        self.html = html
        self.namespaces = namespaces
        self.depth = 0
        self.at = 0
        try:
            self.tokens: list[Token] = list(tokenize(source))
        except SelectorSyntaxError as error:
            found = re.search(r"(.*) at (\d+)$", str(error))
            message, place = (found[1], int(found[2])) if found else (str(error), 0)
            raise QueryError(message[:1].lower() + message[1:], source, place) from None

    # ── tokens ───────────────────────────────────────────────────────────────

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def spaces(self) -> bool:
        """Skip white space; whether there was any."""
        start = self.at
        while self.token.type == "S":
            self.at += 1
        return self.at > start

    def takes(self, *delimiters: str) -> str:
        """The delimiter here, if it is one of these, which is then behind us."""
        token = self.token
        if not token.is_delim(*delimiters):
            return ""
        self.at += 1
        return token.value or ""

    def needs(self, delimiter: str) -> None:
        """Pass a delimiter that must stand here."""
        if not self.takes(delimiter):
            raise self.wrong(f"{delimiter!r} is missing")

    def word(self, what: str) -> str:
        """Pass an identifier that must stand here."""
        token = self.token
        if token.type != "IDENT":
            raise self.wrong(f"{what} is missing")
        self.at += 1
        return token.value or ""

    def wrong(self, message: str, token: Token | None = None) -> QueryError:
        return QueryError(message, self.source, (token or self.token).pos)

    # ── the group ────────────────────────────────────────────────────────────

    def query(self) -> str:
        """The whole source as an XPath expression."""
        plain: list[str] = []
        paths: list[str] = []
        for selector in self.group(top=True):
            if selector.conditions[0] == SCOPE and selector.joints[:1] in (["+"], ["~"]):
                paths.append(selector.path() + selector.tail)
            elif selector.tail:
                paths.append(f"descendant-or-self::*[{selector.condition()}]{selector.tail}")
            else:
                plain.append(selector.condition())
        if self.token.type != "EOF":
            raise self.wrong("unexpected " + repr(self.token.value))
        if plain:
            paths.insert(0, f"descendant-or-self::*[{either(plain)}]")
        return " | ".join(paths)

    def group(self, *, top: bool = False, relative: bool = False, most: int = 0) -> list[Complex]:
        """Selectors parted by commas; at most `most`, if it is not 0."""
        self.depth += 1
        if self.depth > DEEPEST:
            message = f"more than {DEEPEST} levels of parentheses"
            raise TooMuch(message, self.source, self.token.pos)
        found = [self.complex(top=top, relative=relative)]
        while len(found) != most and self.takes(","):
            found.append(self.complex(top=top, relative=relative))
        self.depth -= 1
        return found

    def complex(self, *, top: bool, relative: bool) -> Complex:
        """Compounds with combinators between them, up to a comma, `)` or the end."""
        selector = Complex()
        self.spaces()
        if top or relative:
            joint = self.takes(">", "+", "~")
            if joint or relative:
                selector.conditions.append(SCOPE)
                selector.joints.append(joint or " ")
                self.spaces()
        while True:
            selector.conditions.append(self.compound(selector if top else None))
            spaced = self.spaces()
            if self.token.type == "EOF" or self.token.is_delim(",", ")"):
                return selector
            if selector.tail:
                raise self.wrong("nothing can follow a pseudo-element")
            joint = self.takes(">", "+", "~")
            if not joint and not spaced:
                raise self.wrong("unexpected " + repr(self.token.value))
            selector.joints.append(joint or " ")
            self.spaces()

    def compound(self, whole: Complex | None) -> str:
        """Simple selectors without white space between them.

        Args:
            whole: the selector that a pseudo-element may belong to; None where none may stand.
        """
        start = self.at
        conditions = [self.type_condition()]
        while True:
            token = self.token
            if token.type == "HASH":
                self.at += 1
                conditions.append(f"@id = {quoted(token.value or '')}")
            elif self.takes("."):
                name = self.word("a class name")
                conditions.append(holds_word("@class", name))
            elif self.takes("["):
                conditions.append(self.attribute_condition())
            elif token.is_delim(":"):
                self.at += 1
                if self.takes(":"):
                    if whole is None:
                        raise self.wrong("a pseudo-element cannot stand here", token)
                    whole.tail = self.pseudo_element()
                    break
                conditions.append(self.pseudo_class(token))
            else:
                break
        if self.at == start:
            raise self.wrong("a selector is missing")
        return both(*conditions)

    # ── names ────────────────────────────────────────────────────────────────

    def qualified(self, what: str) -> tuple[str | None, str | None] | None:
        """The name here: prefix (None if there is no `|`, "*" for any), local (None for `*`).

        None if there is no name here.
        """
        start = self.at
        if self.token.is_delim("|") and not self.tokens[self.at + 1].is_delim("="):
            first: str | None = ""
        elif self.takes("*"):
            first = None
        elif self.token.type == "IDENT":
            first = self.word(what)
        else:
            return None
        after = self.tokens[self.at + 1] if self.token.is_delim("|") else None
        if after is None or after.is_delim("="):
            return None, first
        prefix = "*" if first is None else first
        if prefix not in {"*", ""} and prefix not in self.namespaces:
            raise self.wrong(f"nobody has declared the prefix {prefix!r}", self.tokens[start])
        self.at += 1
        if self.takes("*"):
            return prefix, None
        return prefix, self.word(what)

    def named(self, prefix: str | None, local: str | None) -> str:
        """The condition that a node has a name."""
        if prefix is None:
            if local is None:
                return "true()"
            return either([f"name() = {quoted(n)}" for n in spellings(local, html=self.html)])
        conditions = []
        if prefix != "*":
            conditions.append(f"namespace-uri() = {quoted(self.namespaces.get(prefix, ''))}")
        if local is not None:
            forms = dict.fromkeys(map(escape_ncname, casings(local, html=self.html)))
            conditions.append(either([f"local-name() = {quoted(name)}" for name in forms]))
        return both(*conditions)

    def type_condition(self) -> str:
        """The condition of a type selector, or of none."""
        name = self.qualified("an element name")
        return "true()" if name is None else self.named(*name)

    # ── attributes ───────────────────────────────────────────────────────────

    def attribute_condition(self) -> str:
        """The condition of an attribute selector whose `[` is behind us.

        Source: Selectors Level 4 §6.
        """
        self.spaces()
        prefix, local = self.attribute_name()
        nodes = self.attribute_nodes(prefix, local)
        self.spaces()
        if self.takes("]"):
            return either(nodes)
        sign = self.takes("~", "|", "^", "$", "*", "!")
        self.needs("=")
        self.spaces()
        token = self.token
        if token.type not in {"IDENT", "STRING"}:
            raise self.wrong("a value is missing (numbers and the like need quotes)")
        self.at += 1
        value = token.value or ""
        self.spaces()
        caseless = self.html and lowered(local) in CASELESS
        if self.token.type == "IDENT" and lowered(self.token.value or "") in {"i", "s"}:
            caseless = lowered(self.word("a flag")) == "i"
            self.spaces()
        self.needs("]")
        if sign == "!":
            return f"not({either([compare(node, '', value, caseless) for node in nodes])})"
        return either([compare(node, sign, value, caseless) for node in nodes])

    def attribute_name(self) -> tuple[str | None, str]:
        """Pass the name of an attribute: prefix, as `qualified` has it, and local name."""
        name = self.qualified("an attribute name")
        if name is None or name[1] is None:
            raise self.wrong("an attribute name is missing")
        return name[0], name[1]

    def attribute_nodes(self, prefix: str | None, local: str) -> list[str]:
        """XPath steps to the attributes that a name means: a name in HTML has no case."""
        if prefix is None:
            forms = spellings(local, html=self.html)
            return [f"@{n}" if is_ncname(n) else f"@*[name() = {quoted(n)}]" for n in forms]
        if prefix == "":
            return [f"@{escape_ncname(form)}" for form in casings(local, html=self.html)]
        return [f"@*[{self.named(prefix, local)}]"]

    # ── pseudo-classes ───────────────────────────────────────────────────────

    def pseudo_class(self, colon: Token) -> str:
        """The condition of a pseudo-class whose colon is behind us."""
        name = lowered(self.word("the name of a pseudo-class"))
        if not self.takes("("):
            if name == "scope":
                return SCOPE
            if name not in CONDITIONS:
                about = f"no pseudo-class :{name}"
                if name in ARGUMENTS or name in self.FUNCTIONS:
                    about = f":{name} needs an argument in parentheses"
                raise self.wrong(about, colon)
            return CONDITIONS[name]
        function = self.FUNCTIONS.get(name)
        if function is not None:
            condition: str = function(self, name)
        elif name in ARGUMENTS:
            condition = ARGUMENTS[name](self.arguments())
        else:
            raise self.wrong(f"no pseudo-class :{name}()", colon)
        self.spaces()
        self.needs(")")
        return condition

    def arguments(self) -> list[str]:
        """Words or strings parted by commas."""
        found = []
        while True:
            self.spaces()
            token = self.token
            if token.type not in {"IDENT", "STRING"}:
                raise self.wrong("a word or a string is missing")
            self.at += 1
            found.append(token.value or "")
            self.spaces()
            if not self.takes(","):
                return found

    def one_of(self, name: str) -> str:
        """`:is()`, `:where()`: any of the selectors; those that are invalid match nothing.

        Source: Selectors Level 4 §18.1 (<forgiving-selector-list>).
        """
        conditions = []
        while True:
            start, depth = self.at, self.depth
            try:
                (selector,) = self.group(most=1)
                conditions.append(selector.condition())
            except TooMuch:
                raise
            except QueryError:
                self.at, self.depth = start, depth
                self.skip()
            if not self.takes(","):
                return either(conditions)

    def skip(self) -> None:
        """Go on to the comma or bracket that ends the selector here, whatever is in it."""
        closing: list[str] = []
        while self.token.type != "EOF":
            token = self.token
            if closing and token.is_delim(closing[-1]):
                closing.pop()
            elif not closing and token.is_delim(",", ")"):
                return
            elif token.is_delim("(", "[", "{"):
                closing.append({"(": ")", "[": "]", "{": "}"}[token.value or ""])
            self.at += 1

    def none_of(self, name: str) -> str:
        """`:not()`: none of the selectors."""
        return f"not({either([s.condition() for s in self.group()])})"

    def having(self, name: str) -> str:
        """`:has()`: the selectors, relative to the element, select something."""
        return either([f"boolean({s.path()})" for s in self.group(relative=True)])

    def children(self, name: str) -> str:
        """`:has-n-children(n)`: exactly n element children (ours)."""
        self.spaces()
        token = self.token
        if token.type != "NUMBER" or not (token.value or "").isdecimal():
            raise self.wrong("a whole number is missing")
        self.at += 1
        return f"count(*) = {token.value}"

    def nth(self, name: str) -> str:
        """`:nth-child(An+B of S)` and the like.

        Source: Selectors Level 4 §14.3; CSS Syntax §6 (An+B).
        """
        self.spaces()
        start = self.token
        text = ""
        while self.token.type in {"NUMBER", "IDENT", "S"} or self.token.is_delim("+", "-"):
            token = self.token
            if token.type == "IDENT" and lowered(token.value or "") == "of":
                break
            text += " " if token.type == "S" else token.value or ""
            self.at += 1
        found = AN_B(text.strip())
        if found is None:
            raise self.wrong("a position is missing, e.g. 2, odd or 3n+1", start)
        if len(text) > LONGEST_POSITION:
            raise TooMuch("too long", self.source, start.pos)
        kind = name.removeprefix("nth-")
        if self.token.type == "IDENT" and not kind.endswith("of-type"):
            self.at += 1
            among = either([s.condition() for s in self.group()])
            if len(among) > LONGEST:  # it is written more than once, at each level
                raise TooMuch("too long", self.source, start.pos)
            scope = ", $scope" if "$scope" in among else ""
            place = f"{PREFIX}:position('{kind}', {quoted(among)}{scope})"
            return both(among, *progression(*series(found), place))
        return both(*progression(*series(found), f"{PREFIX}:position('{kind}')"))

    FUNCTIONS: Final = {
        "is": one_of,
        "matches": one_of,
        "where": one_of,
        "not": none_of,
        "has": having,
        "has-n-children": children,
        "nth-child": nth,
        "nth-last-child": nth,
        "nth-of-type": nth,
        "nth-last-of-type": nth,
    }

    # ── pseudo-elements ──────────────────────────────────────────────────────

    def pseudo_element(self) -> str:
        """The XPath step of `::text` or `::attr(name)`, whose colons are behind us."""
        token = self.token
        name = lowered(self.word("the name of a pseudo-element"))
        if name == "text":
            return "/text()"
        if name != "attr":
            raise self.wrong(f"no pseudo-element ::{name}", token)
        self.needs("(")
        self.spaces()
        prefix, local = self.attribute_name()
        self.spaces()
        self.needs(")")
        nodes = self.attribute_nodes(prefix, local)
        if len(nodes) == 1:
            return f"/{nodes[0]}"
        return f"/@*[{self.named(prefix, local)}]"
