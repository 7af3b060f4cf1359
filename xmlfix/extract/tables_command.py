"""The command `xmlfix tables`."""

from __future__ import annotations

from xmlfix import output
from xmlfix.arguments import UNUSABLE, Documents, add_inputs, add_options, positive
from xmlfix.errors import XmlfixError
from xmlfix.extract.watch import Watch, add_limits
from xmlfix.output import CommandError, complain, tell, write_out
from xmlfix.usage import Parser, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Final

    from xmlfix.extract.tables import Table
    from xmlfix.tree import ElementTree

NO_TABLE: Final = 1  # the exit status if no input has one, as grep has it

EXAMPLES = """\
examples:
  xmlfix tables --list page.html
  xmlfix tables --index 2 page.html > second.csv
  xmlfix tables --caption 'Population' --format json https://example.org/
  xmlfix tables --css '#results' --spans first --header 2 page.html
  xmlfix tables --match '\\bTotal\\b' -d out/ pages/*.html

Several tables on standard output follow one another: a line of JSON each, else with an empty
line between them. With -d DIR each table is a file, PAGE-ADDRESS.csv.

Exit status: 0; 1 if no table is found; 2 for unusable arguments or unreadable files.
"""

CHOICE = ("index", "css", "xpath", "caption", "match")
QUERIES = ("css", "xpath", "match")  # those of them whose time depends on what the user writes
READING = (
    "header",
    "spans",
    "join",
    "nested",
    "br",
    "links",
    "hidden",
    "implied_rows",
    "max_cells",
)


def run_tables(words: Sequence[str]) -> int:
    """`xmlfix tables [FILE …]`: every HTML table as a regular grid.

    Args:
        words: after the command's name.

    Returns:
        The exit status: 0, 1 if no table is found, 2 if an input could not be read.

    Raises:
        XmlfixError: unusable arguments.
    """
    return Job(parsed(tables_parser(), words)).run()


class Job:
    """What is to be done with the tables of each input.

    Args:
        values: of the arguments.

    Raises:
        XmlfixError: they do not go together, or with anything.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.extract.tables import tables

        self.format: str = values.pop("format")
        self.list: bool = values.pop("list")
        self.guard: bool = values.pop("guard_formulas")
        self.output: str | None = values.pop("output")
        self.folder: str | None = values.pop("directory")
        self.force: bool = values.pop("force")
        self.settings = {word: values.pop(word) for word in (*CHOICE, *READING)}
        if self.guard and self.format not in ("csv", "tsv"):
            raise CommandError(f"--guard-formulas is for csv and tsv, not {self.format}")
        if self.output is not None and self.folder is not None:
            raise CommandError("-o FILE and -d DIR exclude each other")
        if self.list and self.folder is not None:
            raise CommandError("--list and -d DIR exclude each other")
        if self.force and self.folder is None:
            raise CommandError("--force is for -d DIR")
        self.limits = values.pop("timeout_query"), values.pop("max_memory")
        self.documents = Documents(values)
        tables("", **self.settings)  # complains of unusable settings before anything is read
        self.written: set[str] = set()
        if self.folder is not None:
            from xmlfix.output import make_folder

            make_folder(self.folder)

    def run(self) -> int:
        """Read the inputs, write their tables, and return the exit status."""
        found = False
        kept = []
        for name, table in self.tables():
            if self.folder is not None:
                self.write(name, table)
            elif self.output is not None:
                kept.append(self.text(name, table, first=not found))
            else:
                write_out(shown(self.text(name, table, first=not found)))
            found = True
        if self.output is not None and found:
            from xmlfix.output import write_atomically

            write_atomically(self.output, "".join(kept).encode("utf-8"))
        return self.documents.status or (0 if found else NO_TABLE)

    def tables(self) -> Iterator[tuple[str, Table]]:
        """The chosen tables of all inputs, each with the input's name."""
        for name, tree in self.documents:
            try:
                found = self.found(name, tree)
            except XmlfixError as error:
                complain(f"{name}: {error}")
                self.documents.status = UNUSABLE
                continue
            if not found:
                chosen = any(self.settings[word] is not None for word in CHOICE)
                tell(f"{name}: no {'such ' if chosen else ''}table")
            for table in found:
                yield name, table

    def found(self, name: str, tree: ElementTree) -> list[Table]:
        """The chosen tables of one input, within the limits if they are chosen by a query."""
        from xmlfix.extract.tables import tables

        if all(self.settings[word] is None for word in QUERIES):
            return tables(tree, **self.settings)
        with Watch(output.shown(name), *self.limits):
            return tables(tree, **self.settings)

    def text(self, name: str, table: Table, *, first: bool) -> str:
        """What is written of one table where others may stand before it."""
        if self.list:
            from xmlfix.output import printable

            title = " ".join(title_of(table).split())
            about = f"{printable(name)}\t" if self.documents.many else ""
            size = f"{table.width}x{table.height}"
            return f"{about}{table.address}\t{size}\t{printable(title)}\n"
        text = self.rendered(table)
        between = {"csv": "\r\n", "tsv": "\n", "markdown": "\n"}.get(self.format, "")
        return text if first else between + text

    def rendered(self, table: Table) -> str:
        """One table in the format that is asked for."""
        from xmlfix.extract.table_formats import rendered

        return rendered(table, self.format, guard=self.guard)

    def write(self, name: str, table: Table) -> None:
        """Write one table into the folder, as a file of its own."""
        from xmlfix.extract.table_formats import EXTENSIONS
        from xmlfix.output import output_name, write_into

        assert self.folder is not None
        stem = output_name(name).removesuffix(".xml")
        base = f"{stem}-{table.address}{EXTENSIONS[self.format]}"
        try:
            if base in self.written:
                raise CommandError(f"{name}: another input has become {base} already")
            write_into(self.folder, base, self.rendered(table).encode("utf-8"), force=self.force)
            self.written.add(base)
        except XmlfixError as error:
            complain(str(error))
            self.documents.status = UNUSABLE


def title_of(table: Table) -> str:
    """The caption of a table, else its header, else the first row that says something."""
    if table.caption or any(table.columns):
        return table.caption or " | ".join([path for path in table.columns if path])
    row = next((row for row in table.rows if any(row)), [])
    return " | ".join([value for value in dict.fromkeys(row) if value])


def printable_line(text: str) -> str:
    """`text` without what could steer a terminal, but with tabs and line breaks."""
    from xmlfix.output import printable

    return "\n".join(
        ["\t".join([printable(part) for part in line.split("\t")]) for line in text.split("\n")]
    )


def shown(text: str) -> bytes:
    """`text` for standard output: as it is, but on a terminal nothing in it steers that."""
    import sys

    if sys.stdout is not None and sys.stdout.isatty():
        text = printable_line(text.replace("\r\n", "\n"))
    return text.encode("utf-8")


# ── the arguments ────────────────────────────────────────────────────────────


def tables_parser() -> Parser:
    """The arguments of `xmlfix tables`."""
    from xmlfix.extract.grid import MAX_CELLS
    from xmlfix.extract.table_formats import FORMATS
    from xmlfix.extract.tables import SPANS

    parser = Parser(
        prog="xmlfix tables",
        description="Write the tables of pages as regular grids, with their headers.",
        epilog=EXAMPLES,
    )
    choose = parser.add_argument_group("which tables (default: all)")
    choose.add_argument(
        "--index",
        action="append",
        metavar="N",
        help="the Nth table that lies in no other, from 1; 2.1: the first within the second;"
        " may be repeated",
    )
    choose.add_argument(
        "--css", metavar="SELECTOR", help="tables that it selects, or that lie in what it selects"
    )
    choose.add_argument("--xpath", metavar="EXPRESSION", help="likewise")
    choose.add_argument(
        "--caption", metavar="TEXT", help="tables whose caption has TEXT in it, in any case"
    )
    choose.add_argument(
        "--match", metavar="REGEX", help="tables of which the caption or a cell matches"
    )
    read = parser.add_argument_group("how they are read")
    read.add_argument(
        "--header",
        type=header,
        default="auto",
        metavar="auto|none|N",
        help="how many rows are the header (default: auto, by thead, th and scope; the first"
        " row if there is no th)",
    )
    read.add_argument(
        "--spans",
        choices=SPANS,
        default="repeat",
        help="what a spanned slot holds: the cell's value; nothing but in the first slot;"
        " auto: the value, but below a header cell nothing (default: repeat)",
    )
    read.add_argument(
        "--join", default=" / ", metavar="STR", help='between labels of a header (default: " / ")'
    )
    read.add_argument(
        "--nested",
        choices=("text", "drop"),
        default="text",
        help="whether an inner table's text is also in the outer cell (default: text)",
    )
    read.add_argument(
        "--br",
        default="\n",
        metavar="STR",
        help="what stands between the lines of a cell (default: a line break)",
    )
    read.add_argument("--links", action="store_true", help="write links as [text](href)")
    read.add_argument(
        "--hidden",
        choices=("drop", "keep"),
        default="drop",
        help="whether tables, row groups, rows, cells and parts of cells that `hidden` or"
        " `display: none` hides are left out (default: drop)",
    )
    read.add_argument(
        "--implied-rows",
        choices=("keep", "drop"),
        default="keep",
        help="whether rows that a rowspan alone makes, past the last row of its group, are"
        " written; browsers show none (default: keep)",
    )
    read.add_argument(
        "--max-cells",
        type=positive(int),
        default=MAX_CELLS,
        metavar="N",
        help=f"slots that the tables of a page may have (default: {MAX_CELLS})",
    )
    write = parser.add_argument_group("what is written")
    write.add_argument("--format", choices=FORMATS, default="csv", help="default: csv")
    write.add_argument(
        "--list",
        action="store_true",
        help="only list the tables: address, columns x rows, and caption, header or first row",
    )
    write.add_argument(
        "--guard-formulas",
        action="store_true",
        help="put an apostrophe before values that a spreadsheet would run (csv and tsv)",
    )
    write.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, atomically, not to standard output"
    )
    write.add_argument(
        "-d", "--directory", metavar="DIR", help="write each table into DIR, as a file of its own"
    )
    write.add_argument(
        "--force", action="store_true", help="with -d: replace files that exist already"
    )
    add_inputs(parser)
    add_limits(parser)
    add_options(parser)
    return parser


def header(text: str) -> str | int:
    """The value of --header."""
    if text in ("auto", "none"):
        return text
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ValueError
    return int(text)


header.__name__ = "number of rows, auto or none"  # for messages about other values
