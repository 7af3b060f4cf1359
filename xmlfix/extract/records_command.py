"""The commands `xmlfix extract` and `xmlfix outline`."""

from __future__ import annotations

from xmlfix.arguments import UNUSABLE, Documents, add_inputs, add_options, names, positive
from xmlfix.errors import XmlfixError
from xmlfix.extract.query_command import prefixes
from xmlfix.extract.row_formats import SHEETS
from xmlfix.extract.watch import Watch, add_limits
from xmlfix.output import CommandError, complain, printable, reason, write_out
from xmlfix.usage import Parser, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Final, TypeVar

    from xmlfix.tree import Element

    Result = TypeVar("Result")

NOTHING: Final = 1  # the exit status if nothing is found, as grep has it
FILE_COLUMN: Final = "File"
LONGEST_TEXT: Final = 80  # characters of a text that --try shows

EXTRACT_EXAMPLES = """\
examples:
  xmlfix extract --rows 'tr:has-n-children(11)' --columns orders.csv report.html
  xmlfix extract --rows li.event --columns events.toml --format jsonl https://example.org/
  xmlfix extract --rows tr --columns c.csv --replace currencies.csv -o all.csv pages/*.html
  xmlfix extract --try 'tr:has-n-children(11)' --try-sub td report.html

A columns file is CSV with the header Name,Selector,Data: an empty Data takes the text, any
other the attribute of that name; the selector . is the row itself; a selector that begins with
/, ./ or ( is XPath. TOML has [[columns]] with the same keys, JSON an array of objects.
A replace file is CSV with the header Value,Replacement, or a table of strings in TOML or JSON.

Exit status: 0; 1 if no row is found; 2 for unusable arguments or unreadable files.
"""

OUTLINE_EXAMPLES = """\
examples:
  xmlfix outline page.html
  xmlfix outline --depth 4 --text https://example.org/
  xmlfix outline --from 'table' --attribute bgcolor report.html

Siblings with the same name, id and classes are one line, digits not counted: li.item ×3, or
×2–5 if it differs between their parents. What stands before the count is a selector.

Exit status: 0; 1 if --from finds nothing; 2 for unusable arguments or unreadable files.
"""


def run_extract(words: Sequence[str]) -> int:
    """`xmlfix extract --rows SELECTOR --columns FILE [FILE …]`: a page turned into rows.

    Args:
        words: after the command's name.

    Returns:
        The exit status: 0, 1 if no row is found, 2 if an input could not be read.

    Raises:
        XmlfixError: unusable arguments.
    """
    values = parsed(extract_parser(), words)
    tried: str | None = values.pop("try")
    if tried is not None:
        return run_try(tried, values)
    return Extraction(values).run()


class Extraction:
    """What is to be extracted, and where it goes.

    Args:
        values: of the arguments.

    Raises:
        XmlfixError: they do not go together, or a file is not usable.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.extract.columns import read_columns, read_replace
        from xmlfix.extract.records import RecordReader
        from xmlfix.extract.row_formats import RowWriter

        rows, columns, replace, form, guard, output, file_column, try_sub, namespace, hidden = [
            values.pop(word)
            for word in (
                "rows",
                "columns",
                "replace",
                "format",
                "guard_formulas",
                "output",
                "file_column",
                "try_sub",
                "namespace",
                "hidden",
            )
        ]
        if try_sub is not None:
            raise CommandError("--try-sub needs --try")
        if rows is None or columns is None:
            raise CommandError("--rows SELECTOR and --columns FILE are needed, or --try SELECTOR")
        form = form or "csv"
        if guard and form not in SHEETS:
            raise CommandError(f"--guard-formulas is for csv and tsv, not {form}")
        try:
            self.reader = RecordReader(
                rows,
                read_columns(columns),
                {} if replace is None else read_replace(replace),
                prefixes(namespace),
                hidden or "drop",
            )
        except OSError as error:
            raise CommandError(f"{error.filename}: {reason(error)}") from None
        self.work = Work(values)
        self.output: str | None = output
        self.file_column = file_column or (FILE_COLUMN if self.work.many else None)
        titles = list(self.reader.names)
        if self.file_column is not None:
            if self.file_column in titles:
                raise CommandError(
                    f"{columns}: it has a column {self.file_column!r}, as the one that names the"
                    " input; --file-column NAME gives that another name"
                )
            titles.insert(0, self.file_column)
        self.writer = RowWriter(form, titles, guard=guard)

    def run(self) -> int:
        """Read the inputs, write the rows, and return the exit status."""
        if self.output is None:
            for piece in self.pieces():
                write_out(piece)
        else:
            from xmlfix.output import write_atomically

            pieces = list(self.pieces())
            if pieces:
                write_atomically(self.output, b"".join(pieces))
        return self.work.status

    def pieces(self) -> Iterator[bytes]:
        """The output, piece by piece; none if no input could be read."""
        head = self.writer.head()
        read = False
        for name, found in self.work.each(lambda root: list(self.reader.read(root))):
            read = True
            self.work.found |= bool(found)
            rows = found if self.file_column is None else [[name, *row] for row in found]
            yield encoded(head + self.writer.rows(rows), self.writer.form)
            head = ""
        if read:
            yield encoded(self.writer.end(), self.writer.form)


class Work:
    """What is done with each input, within the limits.

    An input for which it cannot be done is complained about, and the others go on.

    Args:
        values: of the arguments; all are taken out.

    Attributes:
        found: whether anything has been found; to be set by who looks.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self._limits = values.pop("timeout_query"), values.pop("max_memory")
        self._documents = Documents(values)
        self._failed = False
        self.found = False

    @property
    def many(self) -> bool:
        """Whether there are several inputs."""
        return self._documents.many

    @property
    def status(self) -> int:
        """The exit status so far."""
        if self._failed:
            return UNUSABLE
        return self._documents.status or (0 if self.found else NOTHING)

    def each(self, do: Callable[[Element], Result]) -> Iterator[tuple[str, Result]]:
        """What `do` makes of the root of each input, with the input's name."""
        for name, tree in self._documents:
            name = "<stdin>" if name == "-" else name
            try:
                with Watch(name, *self._limits):
                    result = do(tree.getroot())
            except XmlfixError as error:
                complain(f"{name}: {error}" if self.many else str(error))
                self._failed = True
                continue
            yield name, result

    def show(self, lines_of: Callable[[Element], Sequence[str]]) -> int:
        """Print lines about each input, and return the exit status."""
        for name, lines in self.each(lines_of):
            if self.many:
                lines = [f"{name}:", *lines]
            write_out("".join([f"{printable(line)}\n" for line in lines]).encode("utf-8"))
        return self.status


def encoded(text: str, form: str) -> bytes:
    """`text` in UTF-8; the names of files may hold bytes that are something else.

    In JSON they are written as it spells lone surrogates, elsewhere as they are.
    """
    return text.encode("utf-8", "surrogateescape" if form in SHEETS else "backslashreplace")


# ── --try ────────────────────────────────────────────────────────────────────


def run_try(selector: str, values: dict[str, Any]) -> int:
    """`xmlfix extract --try SELECTOR`: show what a selector finds."""
    from xmlfix.extract.query import select

    sub: str | None = values.pop("try_sub")
    namespaces = prefixes(values.pop("namespace"))
    for word in (
        "rows", "columns", "replace", "format", "guard_formulas", "output", "file_column", "hidden",
    ):  # fmt: skip
        if values.pop(word):
            raise CommandError(f"--{word.replace('_', '-')} does not go with --try")
    work = Work(values)

    def lines_of(root: Element) -> list[str]:
        items = select(root, selector, namespaces)
        work.found |= bool(items)
        lines = [f"{len(items)} found"]
        for number, item in enumerate(items, 1):
            lines.append(f"{number}: {shown(item)}")
            if sub is not None:
                lines += [f"   {line}" for line in sub_lines(item, sub, number, namespaces)]
        return lines

    return work.show(lines_of)


def sub_lines(
    item: Element | str, sub: str, number: int, namespaces: Mapping[str, str]
) -> Iterator[str]:
    """What `sub` finds within an item that `--try` has found."""
    from xmlfix.extract.records import within

    if isinstance(item, str):
        raise CommandError(f"--try-sub needs a --try that finds elements, {number} is none")
    subs = within(item, sub, namespaces)
    for sub_number, found in enumerate(subs, 1):
        yield f"{number}.{sub_number}: {shown(found)}"
    if not subs:
        yield f"{number}: nothing found"


def shown(item: Element | str) -> str:
    """An element as a selector with its text, its children's parted by bars; or a text."""
    from xmlfix.extract.outline import cells, label, shortened
    from xmlfix.extract.records import text

    if isinstance(item, str):
        return repr(shortened(text(item), LONGEST_TEXT))
    if not isinstance(item.tag, str):
        return f"<!--{shortened(str(item.text), LONGEST_TEXT)}-->"
    others = [name for name in attribute_names(item) if name not in ("id", "class", "style")]
    what = label([item], others)
    count = cells(item)
    if count and ":has-n-children" not in what:
        what += f":has-n-children({count})"
    children = list(item.iterchildren("*"))
    pieces = [item.text or "", *[child.tail or "" for child in children]]
    if len(children) > 1 and not "".join(pieces).strip():
        return f"{what} {shortened(' | '.join(map(text, children)), LONGEST_TEXT)!r}"
    return f"{what} {shortened(text(item), LONGEST_TEXT)!r}"


def attribute_names(element: Element) -> Iterator[str]:
    """The names of the attributes, with the prefixes that are declared for them."""
    prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
    for name in map(str, element.attrib):
        uri, brace, local = name[1:].partition("}")
        yield f"{prefixes.get(uri, 'xml')}:{local}" if brace else name


# ── the outline ──────────────────────────────────────────────────────────────


def run_outline(words: Sequence[str]) -> int:
    """`xmlfix outline [FILE …]`: the element tree, so that selectors can be found.

    Args:
        words: after the command's name.

    Returns:
        The exit status: 0, 1 if `--from` finds nothing, 2 if an input could not be read.

    Raises:
        XmlfixError: unusable arguments.
    """
    from xmlfix.extract.outline import outline
    from xmlfix.extract.records import elements

    values = parsed(outline_parser(), words)
    depth, start, attributes, samples = [
        values.pop(word) for word in ("depth", "start", "attribute", "text")
    ]
    work = Work(values)

    def lines_of(root: Element) -> list[str]:
        roots = [root] if start is None else elements(root, start)
        work.found |= bool(roots)
        return [
            str(line)
            for each in roots
            for line in outline(each, depth=depth, attributes=attributes, samples=samples)
        ]

    return work.show(lines_of)


# ── the arguments ────────────────────────────────────────────────────────────


def extract_parser() -> Parser:
    """The arguments of `xmlfix extract`."""
    from xmlfix.extract.row_formats import FORMATS

    parser = Parser(
        prog="xmlfix extract",
        usage="xmlfix extract --rows SELECTOR --columns FILE [option …] [FILE …]\n"
        "       xmlfix extract --try SELECTOR [--try-sub SELECTOR] [option …] [FILE …]",
        description="Turn pages into records: one for each element that the rows' selector"
        " finds, with a value for each column.",
        epilog=EXTRACT_EXAMPLES,
    )
    parser.add_argument(
        "--rows", metavar="SELECTOR", help="CSS, or XPath that begins with /, ./, ("
    )
    parser.add_argument("--columns", metavar="FILE", help="what the columns are")
    parser.add_argument("--replace", metavar="FILE", help="which values become which")
    parser.add_argument(
        "--format", choices=FORMATS, help="of the output (default: csv, as RFC 4180 has it)"
    )
    parser.add_argument(
        "--guard-formulas",
        action="store_true",
        help="put an apostrophe before values that a spreadsheet would run (csv and tsv)",
    )
    parser.add_argument(
        "--file-column",
        metavar="NAME",
        help="begin with a column that names the input; with several inputs there always is"
        f" one (default: {FILE_COLUMN})",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, atomically, not to standard output"
    )
    parser.add_argument(
        "--hidden",
        choices=("drop", "keep"),
        help="whether rows and parts of cells that `hidden` or `display: none` hides are left out"
        " (default: drop)",
    )
    parser.add_argument("--try", metavar="SELECTOR", help="show what a selector finds")
    parser.add_argument(
        "--try-sub", metavar="SELECTOR", help="and what this one finds within each of that"
    )
    parser.add_argument(
        "--namespace",
        action="append",
        default=[],
        metavar="PREFIX=URI",
        help="a prefix for the selectors, besides those of the page",
    )
    add_inputs(parser)
    add_limits(parser)
    add_options(parser)
    return parser


def outline_parser() -> Parser:
    """The arguments of `xmlfix outline`."""
    parser = Parser(
        prog="xmlfix outline",
        description="Print the element tree of pages with ids, classes and counts of repeated"
        " siblings.",
        epilog=OUTLINE_EXAMPLES,
    )
    parser.add_argument(
        "--depth", type=positive(int), metavar="N", help="show N levels (default: all)"
    )
    parser.add_argument(
        "--from",
        dest="start",
        metavar="SELECTOR",
        help="begin with these elements (default: the root)",
    )
    parser.add_argument(
        "--attribute",
        type=names,
        action="extend",
        default=[],
        metavar="NAME[,NAME…]",
        help="also tell elements apart by these attributes",
    )
    parser.add_argument("--text", action="store_true", help="show some text of the elements")
    add_inputs(parser)
    add_limits(parser)
    add_options(parser)
    return parser
