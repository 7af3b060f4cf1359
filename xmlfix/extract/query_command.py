"""The commands `xmlfix xpath`, `xmlfix css` and `xmlfix xslt`.

Exit status: 0; 1 if a query found nothing in any input; 2 for an expression or stylesheet
that cannot be used, an input that cannot be read, or a limit that was passed.
"""

from __future__ import annotations

import re
import sys

from xmlfix.arguments import UNUSABLE, Documents, add_inputs, add_options
from xmlfix.errors import XmlfixError
from xmlfix.output import CommandError, complain, printable, tell, write_out
from xmlfix.usage import Parser, check_order, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from xmlfix.tree import ElementTree

NOTHING: Final = 1  # exit status
BATCH: Final = 1_000_000  # characters that are written at once
LINE_BREAK: Final = re.compile(r"[ \t]*[\r\n]\s*")  # white space that breaks a line
IN_XML: Final = re.compile(r"<!--.*?-->|<\?.*?\?>|\n", re.DOTALL)
# control characters that XML can hold, and those that turn the direction of writing
STEERING: Final = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

XPATH_EXAMPLES = """\
examples:
  xmlfix xpath '//h2' page.html
  xmlfix xpath --text '//table[1]//td[2]' pages/*.html
  xmlfix xpath 'count(//a[not(@href)])' https://example.org/
  xmlfix xpath --json '//a/@href' page.html
  xmlfix xpath --namespace s=http://www.w3.org/2000/svg --xhtml '//s:svg' page.html

The prefixes that the page declares can be used, and html, svg, math and xlink. In lines, a
line break inside a result is written &#10; in XML and as a space elsewhere; -0 and --json
keep it. Exit status: 0; 1 if nothing was found; 2 if something is wrong.
"""

CSS_EXAMPLES = """\
examples:
  xmlfix css 'h2, h3' page.html
  xmlfix css 'a[href^=http]::attr(href)' pages/*.html
  xmlfix css --text 'tr:has-n-children(13) > td:nth-child(2)' report.html
  xmlfix css 'li:not(.ad, .promo):has(> a)' page.html

In lines, a line break inside a result is written &#10; in XML and as a space elsewhere; -0
and --json keep it. Exit status: 0; 1 if nothing was found; 2 if something is wrong.
"""

XSLT_EXAMPLES = """\
examples:
  xmlfix xslt titles.xsl page.html
  xmlfix xslt titles.xsl --param language=en pages/*.html

A stylesheet reads no network, writes no file, and reads none without --read-files. With
several inputs, a line ==> FILE <== stands before the result of each. Exit status: 0; 2 if
something is wrong.
"""


def run_xpath(words: Sequence[str]) -> int:
    """`xmlfix xpath EXPR [FILE …]`: what an XPath expression finds."""
    parser = new_parser("xpath", "Print what an XPath 1.0 expression finds.", XPATH_EXAMPLES)
    parser.add_argument("expression", metavar="EXPR", help="XPath 1.0")
    add_query(parser)
    values = parsed(parser, words)
    from xmlfix.extract.query import check_xpath, xpath

    expression = values.pop("expression")
    namespaces = prefixes(values.pop("namespace"))
    check_order("expression", expression, values["file"], "xpath")
    check_xpath(expression)
    return run_query(values, lambda tree: xpath(tree, expression, namespaces))


def run_css(words: Sequence[str]) -> int:
    """`xmlfix css SELECTOR [FILE …]`: what CSS selectors select."""
    parser = new_parser("css", "Print what CSS selectors select.", CSS_EXAMPLES)
    parser.add_argument(
        "selector",
        metavar="SELECTOR",
        help="of CSS, with ::text, ::attr(name), :contains(text) and :has-n-children(n)",
    )
    add_query(parser)
    values = parsed(parser, words)
    from xmlfix.extract.query import check_css, css

    selector = values.pop("selector")
    namespaces = prefixes(values.pop("namespace"))
    check_order("selector", selector, values["file"], "css")
    check_css(selector)
    return run_query(values, lambda tree: css(tree, selector, namespaces))


def run_xslt(words: Sequence[str]) -> int:
    """`xmlfix xslt STYLESHEET [FILE …]`: transform with an XSLT 1.0 stylesheet."""
    from xmlfix.extract.watch import Watch, add_limits

    parser = new_parser("xslt", "Transform with an XSLT 1.0 stylesheet.", XSLT_EXAMPLES)
    parser.add_argument("stylesheet", metavar="STYLESHEET", help="a file")
    add_inputs(parser)
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of an xsl:param, a string",
    )
    parser.add_argument(
        "--read-files",
        action="store_true",
        help="let the stylesheet read local files by document(), xsl:import and xsl:include",
    )
    add_form(parser)
    add_limits(parser)
    add_options(parser)
    values = parsed(parser, words)
    from xmlfix.extract.xslt import is_wide, messages, output_of, stylesheet, xslt
    from xmlfix.inputs import read_file

    name = values.pop("stylesheet")
    parameters = dict(pair(each, "--param NAME=VALUE") for each in values.pop("param"))
    read_files = values.pop("read_files")
    if name == "-" and "-" in (values["file"] or ["-"]):
        raise CommandError("standard input can be read only once: stylesheet or page")
    null, as_json = values.pop("null"), values.pop("json")
    limits = values.pop("timeout_query"), values.pop("max_memory")
    with Watch(name, *limits):
        try:
            source = read_file(name)
            transform = stylesheet(source, read_files=read_files, name=name)
            wide = is_wide(source)
        except CommandError:
            raise
        except XmlfixError as error:
            is_turned = any(page.lower().endswith((".xsl", ".xslt")) for page in values["file"])
            hint = "; the stylesheet comes first, then the inputs" * is_turned
            raise CommandError(f"{name}: {error}{hint}") from None
    documents = Documents(values)
    status = 0
    many: list[dict[str, Any]] = []
    for page, tree in documents:
        try:
            with Watch(shown(page), *limits):
                result = xslt(tree, transform, parameters)
                data = output_of(result)
                text = str(result) if as_json else ""
        except XmlfixError as error:
            complain(f"{shown(page)}: {error}")
            status = UNUSABLE
            continue
        for message in messages(transform):
            tell(f"{shown(page)}: {message}")
        if as_json:
            many.append({"file": shown(page), "result": text})
        elif null:
            write_out(data + b"\0")
        elif not wide:
            head = f"==> {printable(shown(page))} <==\n" if documents.many else ""
            end = b"\n" if data and not data.endswith(b"\n") else b""
            write_out(head.encode("utf-8", "surrogateescape") + data + end)
        elif documents.many:
            complain(
                f"{shown(page)}: results in UTF-16 or UTF-32 cannot follow one another (--json)"
            )
            status = UNUSABLE
        else:
            write_out(data)
    if as_json:
        write_json(many if documents.many else [each["result"] for each in many])
    return max(status, documents.status)


# ── arguments ────────────────────────────────────────────────────────────────


def new_parser(command: str, description: str, examples: str) -> Parser:
    """The parser of a command's arguments."""
    return Parser(
        prog=f"xmlfix {command}",
        description=description,
        epilog=examples,
    )


def add_query(parser: Parser) -> None:
    """Add the arguments that `xpath` and `css` share."""
    from xmlfix.extract.watch import add_limits

    add_inputs(parser)
    parser.add_argument(
        "--text", action="store_true", help="print the text of an element, not its XML"
    )
    add_form(parser)
    parser.add_argument(
        "--namespace",
        action="append",
        default=[],
        metavar="PREFIX=URI",
        help="a prefix for the expression, besides those of the page",
    )
    add_limits(parser)
    add_options(parser)


def add_form(parser: Parser) -> None:
    """Add the arguments that say how results are written."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "-0", "--null", action="store_true", help="end each result with NUL, not a line break"
    )
    form.add_argument(
        "--json",
        action="store_true",
        help="print one JSON array; with several inputs, of objects with file and result",
    )


def pair(text: str, form: str) -> tuple[str, str]:
    """What stands before and after the first `=`.

    Args:
        text: the argument.
        form: the flag and the form of what it takes, for the message.

    Raises:
        CommandError: there is no `=`, or nothing before it.
    """
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise CommandError(f"{form.replace(' ', ' takes ')}, not {text!r}")
    return name, value


def prefixes(pairs: list[str]) -> dict[str, str]:
    """The mapping that `--namespace` asks for."""
    return dict(pair(each, "--namespace PREFIX=URI") for each in pairs)


def shown(name: str) -> str:
    """An input's name for people."""
    return "<stdin>" if name == "-" else name


# ── queries ──────────────────────────────────────────────────────────────────


def run_query(values: dict[str, Any], ask: Callable[[ElementTree], Any]) -> int:
    """Ask each input, and print what it answers.

    Args:
        values: of the arguments.
        ask: the query; it returns a list, or a str, float or bool.
    """
    from xmlfix.extract.watch import Watch

    printer = Printer(text=values.pop("text"), null=values.pop("null"), json=values.pop("json"))
    limits = values.pop("timeout_query"), values.pop("max_memory")
    documents = Documents(values)
    printer.many = documents.many
    status = 0
    for name, tree in documents:
        try:
            with Watch(shown(name), *limits):
                found = ask(tree)
        except XmlfixError as error:
            complain(f"{shown(name)}: {error}" if documents.many else str(error))
            status = UNUSABLE
            continue
        printer.write(shown(name), found if isinstance(found, list) else [found])
    printer.end()
    return max(status, documents.status) or (0 if printer.count else NOTHING)


class Printer:
    """Writes results to standard output, in one of three forms.

    Args:
        text: an element's text, not its XML.
        null: results end with NUL and are exact; otherwise each is one line.
        json: all results are one JSON array.

    Attributes:
        many: whether each result is to tell its input.
        count: of results so far.
    """

    def __init__(self, *, text: bool, null: bool, json: bool) -> None:
        self.text = text
        self.null = null
        self.json = json
        self.many = False
        self.count = 0
        self.rows: list[Any] = []
        self.steerable = not null and not json and sys.stdout is not None and sys.stdout.isatty()

    def write(self, name: str, found: list[Any]) -> None:
        """Write the results of one input."""
        self.count += len(found)
        if self.json:
            for each in found:
                result: Any = each if isinstance(each, bool) else self.value(each)
                if isinstance(each, float) and each == each and abs(each) != float("inf"):
                    result = int(each) if each.is_integer() else each
                self.rows.append({"file": name, "result": result} if self.many else result)
            return
        head = f"{printable(name)}:" if self.many else ""
        end = "\0" if self.null else "\n"
        lines: list[str] = []
        size = 0
        for each in found:
            line = head + self.line(each) + end
            lines.append(line)
            size += len(line)
            if size > BATCH:
                write_out("".join(lines).encode("utf-8", "surrogateescape"))
                lines, size = [], 0
        write_out("".join(lines).encode("utf-8", "surrogateescape"))

    def value(self, result: Any) -> str:
        """A result exactly: XML, text, or as XPath prints it."""
        from xmlfix.extract.query import string_value, text_of, xml_of

        if isinstance(result, tuple):  # a namespace node: prefix and address
            return str(result[1])
        if isinstance(result, (str, float, bool)):
            return text_of(result)
        return string_value(result) if self.text else xml_of(result)

    def line(self, result: Any) -> str:
        """A result as it is written in a line, or before a NUL."""
        value = self.value(result)
        if not self.null:
            if self.text or isinstance(result, (str, tuple)):
                value = LINE_BREAK.sub(" ", value.strip(" \t\r\n"))
            else:
                value = IN_XML.sub(broken, value)
        if self.steerable:
            value = STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
        return value

    def end(self) -> None:
        """Write what is written last."""
        if self.json:
            write_json(self.rows)


def broken(found: re.Match[str]) -> str:
    """A line break in XML without one: a reference, or a space in comments and the like."""
    return "&#10;" if found[0] == "\n" else found[0].replace("\n", " ")


def write_json(value: list[Any]) -> None:
    """Write an array, an item a line."""
    import json

    rows = [json.dumps(each, ensure_ascii=False) for each in value]
    text = "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"
    write_out(text.encode("utf-8", "backslashreplace"))
