"""The command `xmlfix links`."""

from __future__ import annotations

import re

from xmlfix.arguments import (
    UNUSABLE,
    add_inputs,
    add_options,
    names,
    pop_options,
    with_transport,
)
from xmlfix.errors import XmlfixError
from xmlfix.extract.watch import Watch, add_limits
from xmlfix.inputs import LIMITS
from xmlfix.output import (
    CommandError,
    complain,
    printable,
    shown,
    tell,
    without_user,
    write_out,
)
from xmlfix.usage import Parser, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Final

    from xmlfix.extract.links import Link

FORMATS: Final = ("lines", "csv", "json", "jsonl")
NOTHING: Final = 1  # the exit status if nothing is found, as grep has it

EXAMPLES = """\
examples:
  xmlfix links https://example.org/
  xmlfix links --base https://example.org/a/ --element a,area --unique page.html
  xmlfix links --polite --agent mybot --same-site --format jsonl https://example.org/
  xmlfix links --element img,source --match '\\.(jpe?g|png)$' pages/*.html

An address given as input is the base of its page, --base is that of all others. Lines are the
resolved addresses; csv and json have element, attribute, written, address, text, rel and line,
after the input's name if there are several inputs.

Exit status: 0; 1 if nothing is found; 2 for unusable arguments or unreadable files.
"""


def run_links(words: Sequence[str]) -> int:
    """`xmlfix links [FILE …]`: every address of a page, resolved and normalised.

    Args:
        words: after the command's name.

    Returns:
        The exit status: 0, 1 if nothing is found, 2 if an input could not be read.

    Raises:
        XmlfixError: unusable arguments.
    """
    return Search(parsed(links_parser(), words)).run()


class Search:
    """What to look for, in which inputs, and how to write it.

    Args:
        values: of the arguments.

    Raises:
        XmlfixError: they do not fit.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.element_names import check_name
        from xmlfix.extract.addresses import resolver
        from xmlfix.options import Options

        self._names: list[str] = values.pop("file") or ["-"]
        if self._names.count("-") > 1:
            raise CommandError("standard input can be read only once")
        self._limits = {word: values.pop(word) for word in LIMITS}
        self._query_limits = values.pop("timeout_query"), values.pop("max_memory")
        self._options = pop_options(values)
        Options({**self._options})
        self._base: str | None = values.pop("base")
        self._form: str = values.pop("format")
        self._output: str | None = values.pop("output")
        self._elements = {name.lower() for name in values.pop("element")}
        for name in self._elements:
            check_name("element takes names of elements", name)
        self._match: re.Pattern[str] | None = values.pop("match")
        self._seen: set[str] | None = set() if values.pop("unique") else None
        self._asked: dict[str, Any] = values  # all others are arguments of `links`
        self._asked["polite"] = bool(values["polite"] or values["agents"])
        self._asked["lines"] = self._form != "lines"
        resolver(values["rules"], self._base, self._options.get("encoding"))
        self._many = len(self._names) > 1
        self._found = False
        self._status = 0

    def run(self) -> int:
        """Read the inputs, write what is found, and return the exit status."""
        if self._output is None:
            for piece in self._pieces():
                write_out(piece)
        else:
            from xmlfix.output import write_atomically

            write_atomically(self._output, b"".join(self._pieces()))
        return self._status or (0 if self._found else NOTHING)

    def _pieces(self) -> Iterator[bytes]:
        """The output, one piece for each input."""
        columns = ["file"] * self._many
        writer = Writer(self._form, columns)
        yield encoded(writer.head())
        for name in self._names:
            try:
                links = self._links(name)
            except XmlfixError as error:
                about = "" if isinstance(error, CommandError) or not self._many else f"{name}: "
                complain(f"{about}{error}")
                self._status = UNUSABLE
                continue
            self._found |= bool(links)
            unresolved = sum(link.address is None for link in links)
            if unresolved and self._form == "lines":
                what = "1 address" if unresolved == 1 else f"{unresolved} addresses"
                tell(
                    f"{shown(name)}: {what} left out that cannot be resolved (--format csv has all)"
                )
            yield encoded(writer.links([without_user(name)] * self._many, links))
        yield encoded(writer.end())

    def _links(self, name: str) -> list[Link]:
        """The links of one input that are asked for.

        Raises:
            XmlfixError: it cannot be read.
        """
        from xmlfix.extract.links import links
        from xmlfix.inputs import read_input

        came = read_input(name, **self._limits)
        base = came.address or self._base
        options = with_transport(self._options, came)
        found = links(came.data, base, **self._asked, **options)
        if self._match is None:
            return list(filter(self._is_asked, found))
        with Watch(shown(name), *self._query_limits):
            return list(filter(self._is_asked, found))

    def _is_asked(self, link: Link) -> bool:
        if self._elements and link.element.lower() not in self._elements:
            return False
        address = link.written if link.address is None else link.address
        if self._match is not None and not self._match.search(address):
            return False
        if self._seen is not None:
            if address in self._seen:
                return False
            self._seen.add(address)
        return True


# ── the formats ──────────────────────────────────────────────────────────────


class Writer:
    """Writes links in one of `FORMATS`: `head`, any number of `links`, `end`.

    No control character and none that is not seen comes out as it is: in lines and CSV it is
    written `\\uXXXX`, in JSON likewise, where that is the character.

    Args:
        form: the format.
        columns: the names of what stands before each link.
    """

    def __init__(self, form: str, columns: Sequence[str]) -> None:
        from xmlfix.extract.links import Link

        self._form = form
        self._columns = [*columns, *Link._fields]
        self._begun = False

    def head(self) -> str:
        """What stands before the links."""
        if self._form == "csv":
            from xmlfix.extract.row_formats import csv_line

            return csv_line(self._columns)
        return "[" if self._form == "json" else ""

    def links(self, before: Sequence[str], links: Sequence[Link]) -> str:
        """Some links, each with `before`."""
        if self._form == "lines":
            found = [link.address for link in links if link.address is not None]
            return "".join([f"{printable(address)}\n" for address in found])
        rows = [[*before, *link] for link in links]
        if self._form == "csv":
            from xmlfix.extract.row_formats import csv_line

            return "".join(
                [
                    csv_line(["" if value is None else printable(str(value)) for value in row])
                    for row in rows
                ]
            )
        out = []
        for row in rows:
            record = in_json(dict(zip(self._columns, row, strict=True)))
            if self._form == "json":
                record = f",\n {record}" if self._begun else f"\n {record}"
            self._begun = True
            out.append(record if self._form == "json" else f"{record}\n")
        return "".join(out)

    def end(self) -> str:
        """What stands after the links."""
        if self._form != "json":
            return ""
        return "\n]\n" if self._begun else "]\n"


def in_json(record: dict[str, object]) -> str:
    """A record in JSON on one line, with escapes for what is not seen.

    >>> print(in_json({"a": "\\x1b[2J"}))
    {"a": "\\u001b[2J"}
    """
    import json

    text = json.dumps(record, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join([char if char.isprintable() else json.dumps(char)[1:-1] for char in text])


def encoded(text: str) -> bytes:
    """`text` in UTF-8; the names of files may hold bytes that are something else."""
    return text.encode("utf-8", "surrogateescape")


# ── the arguments ────────────────────────────────────────────────────────────


def pattern(text: str) -> re.Pattern[str]:
    """A type of argument: a regular expression."""
    import argparse

    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"no regular expression: {error}") from None


def links_parser() -> Parser:
    """The arguments of `xmlfix links`."""
    from xmlfix.extract.addresses import RULES

    parser = Parser(
        prog="xmlfix links",
        usage="xmlfix links [option …] [FILE …]",
        description="Print every address of a page, resolved and normalised.",
        epilog=EXAMPLES,
    )
    add_inputs(parser)
    what = parser.add_argument_group("what is found")
    what.add_argument(
        "--base",
        metavar="ADDRESS",
        help="the address that files and standard input came from; a <base href> of theirs is"
        " relative to it",
    )
    what.add_argument(
        "--as",
        dest="rules",
        choices=RULES,
        default=RULES[0],
        help="resolve and normalise by RFC 3986, or as browsers do (needs ada-url)"
        " (default: rfc3986)",
    )
    what.add_argument(
        "--styles",
        action="store_true",
        help="the addresses in style attributes and <style> elements too",
    )
    what.add_argument(
        "--polite",
        action="store_true",
        help="leave out what has rel=nofollow, and all of a page whose robots meta says"
        " nofollow or none, or noindex without follow",
    )
    what.add_argument(
        "--agent",
        dest="agents",
        action="append",
        default=[],
        metavar="NAME",
        help="--polite, and the metas for the robot of that name count too; may be repeated",
    )
    what.add_argument(
        "--same-site",
        action="store_true",
        help="only addresses at the host of the page, www. not counted, or below it",
    )
    what.add_argument("--unique", action="store_true", help="each address only once")
    what.add_argument(
        "--element",
        type=names,
        action="extend",
        default=[],
        metavar="NAME[,NAME…]",
        help="only addresses of these elements",
    )
    what.add_argument(
        "--match",
        type=pattern,
        metavar="REGEX",
        help="only addresses in which this regular expression finds something",
    )
    out = parser.add_argument_group("output")
    out.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="(default: lines)")
    out.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, atomically, not to standard output"
    )
    add_limits(parser)
    add_options(parser)
    return parser
