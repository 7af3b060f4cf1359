"""The command: `xmlfix` filters, `xmlfix check` checks, `xmlfix states` draws the reader.

Exit status: 0; 1 if `check` found a file not well-formed; 2 for unusable arguments or
unreadable files. What is repaired never changes it.
"""

from __future__ import annotations

import os
import sys

import xmlfix
from xmlfix import output
from xmlfix.errors import OptionError, XmlfixError, did_you_mean
from xmlfix.inputs import LIMITS, MAX_SIZE, TIMEOUT
from xmlfix.options import OPTIONS
from xmlfix.output import (
    CommandError,
    Stopped,
    complain,
    die,
    flush,
    give_up,
    printable,
    say,
    shown,
    write_out,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from xmlfix.finding import Finding
    from xmlfix.usage import Parser

UTF_8 = "utf-8"  # of the output, unless it is said otherwise
UNUSABLE = 2
INTERRUPTED = 130
HELP = frozenset(("-h", "--help"))
# of single commands, with flags of the same name
FURTHER_OPTIONS = frozenset(
    ("base", "css", "element", "header", "index", "match", "output_encoding", "xpath")
)

EXAMPLES = """\
examples:
  curl -s https://example.org/ | xmlfix | xmllint --xpath '//h1' -
  xmlfix https://example.org/ -o page.xml
  xmlfix -d xml/ pages/*.html
  xmlfix --repair xml --report broken-feed.rss > feed.xml
  xmlfix --drop script,style,#comment --nbsp space page.html
  xmlfix check page.xml

commands, each with a --help of its own:
  check     say where XML is not well-formed
  xpath     print what an XPath expression finds
  css       print what a CSS selector finds
  xslt      apply an XSLT stylesheet
  extract   turn repeated rows into records
  outline   show the element tree, to find selectors by
  tables    turn tables into CSV, JSON or Markdown
  links     list the addresses of a page
  states    draw the states of the reader

A file that is named like a command is written ./check.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: the words after the program's name; None for those of the process.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    flags = words[: words.index("--")] if "--" in words else words
    try:
        if HELP.intersection(flags):
            return run_leniently(words)
        return run(words)
    except OptionError as error:
        complain(as_flag(str(error)))
    except XmlfixError as error:
        complain(str(error))
    except MemoryError:
        complain("there is not enough memory")
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.start + 1]
        complain(f"an argument or a file has {wrong!r}, which {error.encoding} cannot write")
    except KeyboardInterrupt:
        return INTERRUPTED
    except Stopped as stopped:
        return die(stopped.number)
    return UNUSABLE


def run_leniently(words: list[str]) -> int:
    """Run the command where standard output may lack characters of the help."""
    stdout, errors = sys.stdout, getattr(sys.stdout, "errors", "")
    try:
        stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):
        return run(words)
    try:
        return run(words)
    finally:
        stdout.reconfigure(errors=errors)  # type: ignore[union-attr]


def run(words: list[str]) -> int:
    """Run the command, whether or not anybody reads what it writes."""
    complaints = output.complaints
    try:
        if words and words[0] in COMMANDS:
            return command(words[0])(words[1:])
        return run_filter(words)
    except SystemExit as end:  # argparse has said what there was to say
        try:
            flush(sys.stderr)
        except (CommandError, BrokenPipeError):
            give_up(sys.stderr)
        try:
            flush(sys.stdout)
        except BrokenPipeError:
            give_up(sys.stdout)
        return end.code if isinstance(end.code, int) else UNUSABLE
    except BrokenPipeError:  # whoever read the output has enough
        give_up(sys.stdout)
        return UNUSABLE if output.complaints > complaints else 0


def command(word: str) -> Callable[[Sequence[str]], int]:
    """The command behind a word."""
    from importlib import import_module

    module, _, name = COMMANDS[word].partition(":")
    run: Callable[[Sequence[str]], int] = getattr(import_module(module), name)
    return run


def as_flag(message: str) -> str:
    """The message of an OptionError, with the flag for the option's word."""
    word, _, rest = message.partition(" ")
    if word.rstrip(":") in {option.word for option in OPTIONS} | FURTHER_OPTIONS:
        rest = rest.replace("repair='browser', not ", "--repair browser, not ")
        return f"--{word.replace('_', '-')} {rest}"
    return message


# ── the filter ───────────────────────────────────────────────────────────────


def run_filter(words: Sequence[str]) -> int:
    """`xmlfix [FILE …]`: HTML in, XML out."""
    values = usual_values(words) or flagged_values(words)
    job = Job(values)
    names = job.names
    status = 0
    for name in names:
        try:
            job.run(name)
        except XmlfixError as error:
            about = "" if isinstance(error, CommandError) or len(names) == 1 else f"{name}: "
            complain(f"{about}{error}")
            status = UNUSABLE
    return status


def usual_values(words: Sequence[str]) -> dict[str, Any] | None:
    """What `filter_parser` makes of words without a flag; None if there is one.

    Most runs have none, and making the parser takes as long as a small file.
    """
    if any(word[:1] == "-" and word != "-" for word in words):
        return None
    return {
        "file": [*words],
        "timeout": TIMEOUT,
        "max_size": MAX_SIZE,
        "any_type": False,
        "public_only": False,
        "output": None,
        "directory": None,
        "force": False,
        "save_source": None,
        "output_encoding": UTF_8,
        "report": False,
    }


def flagged_values(words: Sequence[str]) -> dict[str, Any]:
    """The values of words among which there are flags."""
    from xmlfix.usage import parsed

    return parsed(filter_parser(), words)


def check_word(word: str, *, is_only: bool) -> None:
    """Raise CommandError if the first input was meant to be a command.

    Args:
        word: the input.
        is_only: there may be inputs like it, so that only what is like a command is taken
            for one.
    """
    if not word.isalpha() or os.path.exists(word):
        return
    if word in COMMANDS:
        raise CommandError(f"the command comes before everything else: xmlfix {word} …")
    hint = did_you_mean(word, COMMANDS)
    if hint or not is_only:
        raise CommandError(f"{word}: no such command, and no such file{hint}")


class Job:
    """What is to be done with each input.

    Args:
        values: of the arguments; what is not popped here are options of `xmlfix.fix`.

    Raises:
        CommandError, OptionError: they do not go together, or with anything.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.options import Options

        self.names: list[str] = values.pop("file") or ["-"]
        self.output: str | None = values.pop("output")
        self.folder: str | None = values.pop("directory")
        self.force: bool = values.pop("force")
        self.save_source: str | None = values.pop("save_source")
        self.output_encoding: str = values.pop("output_encoding")
        self.report: bool = values.pop("report")
        self.limits = {word: values.pop(word) for word in LIMITS}
        self.options = values
        self.written: set[str] = set()
        check_word(self.names[0], is_only=len(self.names) == 1 or self.folder is not None)
        if len(self.names) > 1:
            if self.folder is None:
                raise CommandError(f"{self.names[1]}: more than one input needs -d DIR")
            if self.save_source is not None:
                raise CommandError("--save-source is for one input")
            if self.names.count("-") > 1:
                raise CommandError("standard input can be read only once")
        if self.save_source == "-":
            raise CommandError("--save-source needs a file, standard output is for the XML")
        if self.output is not None and self.folder is not None:
            raise CommandError("-o FILE and -d DIR exclude each other")
        if self.force and self.folder is None:
            raise CommandError("--force is for -d DIR")
        Options({**self.options})
        self.is_utf_8 = self.output_encoding == UTF_8
        if not self.is_utf_8:
            from xmlfix.write.encode import codec_and_name

            self.is_utf_8 = codec_and_name(self.output_encoding)[1] == "UTF-8"
        if self.folder is not None:
            from xmlfix.output import make_folder

            make_folder(self.folder)

    def run(self, name: str) -> None:
        """Read one input, and write what comes of it.

        Raises:
            XmlfixError: why there is nothing.
        """
        if self.can_stream(name):
            self.stream(name)
            return
        from xmlfix.arguments import with_transport
        from xmlfix.fixer import fix_bytes
        from xmlfix.inputs import read_input

        came = read_input(name, **self.limits)
        if self.save_source is not None:
            from xmlfix.output import write_atomically

            write_atomically(self.save_source, came.source)
        options = with_transport(self.options, came)
        if self.report:
            options = {**options, "on_finding": Report(name)}
        self.write(
            name, fix_bytes(came.data, self.output_encoding, {**options}, final_newline=True)
        )

    def can_stream(self, name: str) -> bool:
        """Whether output can leave before the input has ended."""
        from xmlfix.output import is_address

        return (
            self.output is None
            and self.folder is None
            and self.save_source is None
            and not is_address(name)
            and self.is_utf_8
        )

    def stream(self, name: str) -> None:
        """Filter one input to standard output, piece by piece.

        Raises:
            XmlfixError: why it ends early.
        """
        from xmlfix.fixer import XML_DECLARATION
        from xmlfix.inputs import Pieces
        from xmlfix.push import Fixer

        options = {**self.options, "on_finding": Report(name)} if self.report else self.options
        declaration = XML_DECLARATION.replace(" standalone", ' encoding="UTF-8" standalone')
        last = ""
        with Pieces(name, max_size=self.limits["max_size"]) as pieces, Fixer(**options) as fixer:
            is_open = True
            while is_open:
                data = pieces.read()
                chunks = fixer.feed_chunks(data) if data else fixer.close_chunks()
                is_open = bool(data)
                if chunks[:1] == [XML_DECLARATION]:
                    chunks[0] = declaration
                xml = "".join(chunks)
                last = xml[-1:] or last
                if not is_open and last != "\n":
                    xml += "\n"
                if xml:
                    write_out(xml.encode("utf-8"))

    def write(self, name: str, xml: bytes) -> None:
        """Write the XML of one input where it belongs."""
        if self.folder is not None:
            from xmlfix.output import output_name, write_into

            base = output_name(name)
            if base in self.written:
                raise CommandError(f"{name}: another input has become {base} already")
            write_into(self.folder, base, xml, force=self.force)
            self.written.add(base)
        elif self.output is not None:
            from xmlfix.output import write_atomically

            write_atomically(self.output, xml)
        else:
            write_out(xml)


class Report:
    """Prints findings to standard error as `file:line:column: code: message; action (lossy)`."""

    def __init__(self, name: str) -> None:
        self.name = shown(name)

    def __call__(self, finding: Finding) -> None:
        place = f"{self.name}:{finding.line}:{finding.column}"
        lossy = " (lossy)" if finding.lossy else ""
        say(sys.stderr, f"{printable(place)}: {printable(str(finding))}{lossy}\n")


def filter_parser() -> Parser:
    """The arguments of the filter: one flag for each option."""
    from xmlfix.arguments import add_inputs, add_options
    from xmlfix.usage import Parser

    parser = Parser(
        prog="xmlfix",
        usage="xmlfix [option …] [FILE …]\n       xmlfix COMMAND …",
        description="Turn any HTML into well-formed XML.",
        epilog=EXAMPLES,
    )
    add_inputs(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to FILE, atomically; -: to standard output, as without",
    )
    parser.add_argument(
        "-d",
        "--directory",
        metavar="DIR",
        help="write each input into DIR, under its own name with .xml, atomically",
    )
    parser.add_argument(
        "--force", action="store_true", help="with -d: replace files that exist already"
    )
    parser.add_argument(
        "--save-source", metavar="FILE", help="keep in FILE what came from the address"
    )
    parser.add_argument(
        "--output-encoding",
        default=UTF_8,
        metavar="NAME",
        help="encoding of the output (default: utf-8)",
    )
    parser.add_argument("--report", action="store_true", help="list every repair on standard error")
    parser.add_argument("--version", action="version", version=f"xmlfix {xmlfix.__version__}")
    add_options(parser)
    return parser


# ── the commands ─────────────────────────────────────────────────────────────


def run_check(words: Sequence[str]) -> int:
    """`xmlfix check [FILE …]`: say which inputs are not well-formed, and where."""
    from xmlfix.arguments import add_inputs
    from xmlfix.inputs import read_input
    from xmlfix.usage import Parser, parsed
    from xmlfix.wellformed import check

    parser = Parser(
        prog="xmlfix check",
        description="Check that XML is namespace-well-formed: file:line:column: message."
        " Exit status 1 if any is not, 2 if one cannot be read.",
    )
    add_inputs(parser)
    parser.add_argument(
        "--huge", action="store_true", help="lift the default limits on depth and size"
    )
    values = parsed(parser, words)
    names = values.pop("file") or ["-"]
    huge = values.pop("huge")
    if names.count("-") > 1:
        raise CommandError("standard input can be read only once")
    status = 0
    is_read = True  # what is written
    for name in names:
        try:
            result = check(read_input(name, **values).data, huge=huge)
        except CommandError as error:
            complain(str(error))
            status = UNUSABLE
            continue
        if result:
            continue
        status = status or 1
        place = f"{shown(name)}:{result.line}:{result.column}"
        message = result.message.replace("(huge=True)", "(--huge)")
        if is_read:
            try:
                write_out(f"{printable(place)}: {printable(message)}\n".encode())
            except BrokenPipeError:  # whoever wants to know no more may still ask for the status
                give_up(sys.stdout)
                is_read = False
    return status


def run_states(words: Sequence[str]) -> int:
    """`xmlfix states`: the reader's states and their transitions as a Mermaid diagram."""
    from xmlfix.read.diagram import mermaid
    from xmlfix.usage import Parser

    parser = Parser(
        prog="xmlfix states",
        description="Print the reader's states and their transitions as a Mermaid diagram.",
    )
    parser.parse_args(words)
    write_out(mermaid().encode("utf-8"))
    return 0


# By word: where the command is, imported when it is used.
COMMANDS = {
    "check": "xmlfix.cli:run_check",
    "states": "xmlfix.cli:run_states",
    "xpath": "xmlfix.extract.query_command:run_xpath",
    "css": "xmlfix.extract.query_command:run_css",
    "xslt": "xmlfix.extract.query_command:run_xslt",
    "extract": "xmlfix.extract.records_command:run_extract",
    "outline": "xmlfix.extract.records_command:run_outline",
    "tables": "xmlfix.extract.tables_command:run_tables",
    "links": "xmlfix.extract.links_command:run_links",
}
