"""The command: `xmlfix` filters, `xmlfix check` checks, `xmlfix states` draws the reader.

Exit status: 0; 1 if `check` found a file not well-formed; 2 for unusable arguments or
unreadable files. What is repaired never changes it.
"""

from __future__ import annotations

import sys

import xmlfix
from xmlfix.errors import XmlfixError
from xmlfix.output import CommandError, complain, give_up, printable, say, write_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from xmlfix.finding import Finding

UNUSABLE = 2
INTERRUPTED = 130

EXAMPLES = """\
examples:
  curl -s https://example.org/ | xmlfix | xmllint --xpath '//h1' -
  xmlfix https://example.org/ -o page.xml
  xmlfix -d xml/ pages/*.html
  xmlfix --repair xml --report broken-feed.rss > feed.xml
  xmlfix --drop script,style,#comment --nbsp space page.html
  xmlfix check page.xml

`xmlfix check --help` and `xmlfix states --help` tell about the commands. A file that is
named like a command is written ./check.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: the words after the program's name; None for those of the process.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            return COMMANDS[words[0]](words[1:])
        return run_filter(words)
    except XmlfixError as error:
        complain(str(error))
        return UNUSABLE
    except BrokenPipeError:
        give_up(sys.stdout)  # whoever read the output has enough
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


# ── the filter ───────────────────────────────────────────────────────────────


def run_filter(words: Sequence[str]) -> int:
    """`xmlfix [FILE …]`: HTML in, XML out."""
    values = vars(filter_parser().parse_args(words))
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


class Job:
    """What is to be done with each input.

    Args:
        values: of the arguments; what is not popped here are options of `xmlfix.fix`.

    Raises:
        CommandError, OptionError: they do not go together, or with anything.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.options import Options
        from xmlfix.write.encode import codec_and_name

        self.names: list[str] = values.pop("file") or ["-"]
        self.output: str | None = values.pop("output")
        self.folder: str | None = values.pop("directory")
        self.force: bool = values.pop("force")
        self.save_source: str | None = values.pop("save_source")
        self.output_encoding: str = values.pop("output_encoding")
        self.report: bool = values.pop("report")
        self.limits = {word: values.pop(word) for word in ("timeout", "max_size", "any_type")}
        self.options = values
        self.written: set[str] = set()
        if len(self.names) > 1:
            if self.folder is None:
                raise CommandError(f"{self.names[1]}: more than one input needs -d DIR")
            if self.save_source is not None:
                raise CommandError("--save-source is for one input")
            if self.names.count("-") > 1:
                raise CommandError("standard input can be read only once")
        if self.output is not None and self.folder is not None:
            raise CommandError("-o FILE and -d DIR exclude each other")
        if self.force and self.folder is None:
            raise CommandError("--force is for -d DIR")
        Options({**self.options})
        codec_and_name(self.output_encoding)
        if self.folder is not None:
            from xmlfix.output import make_folder

            make_folder(self.folder)

    def run(self, name: str) -> None:
        """Read one input, and write what comes of it.

        Raises:
            XmlfixError: why there is nothing.
        """
        from xmlfix.inputs import read_input

        came = read_input(name, **self.limits)
        if self.save_source is not None:
            from xmlfix.output import write_atomically

            write_atomically(self.save_source, came.source)
        options = self.options
        if came.content_type is not None:
            options = {"transport_encoding": came.content_type, **options}
        if self.report:
            options = {**options, "on_finding": Report(name)}
        xml = xmlfix.fix_bytes(came.data, output_encoding=self.output_encoding, **options)
        newline = "\n".encode(self.output_encoding)
        if xml[-1:] != b"\n" and len(newline) == 1:
            xml += newline
        self.write(name, xml)

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
    """Prints findings to standard error as `file:line:column: code: message; action`."""

    def __init__(self, name: str) -> None:
        self.name = "<stdin>" if name == "-" else name

    def __call__(self, finding: Finding) -> None:
        place = f"{self.name}:{finding.line}:{finding.column}"
        say(sys.stderr, f"{printable(place)}: {printable(str(finding))}\n")


def filter_parser() -> argparse.ArgumentParser:
    """The arguments of the filter: one flag for each option."""
    import argparse

    from xmlfix.inputs import MAX_SIZE, TIMEOUT
    from xmlfix.options import OPTIONS

    parser = argparse.ArgumentParser(
        prog="xmlfix",
        usage="xmlfix [option …] [FILE …]\n       xmlfix check FILE …\n       xmlfix states",
        description="Turn any HTML into well-formed XML.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "file", nargs="*", metavar="FILE", help="or an http(s) address; - or none: standard input"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, atomically, not to standard output"
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
        "--timeout",
        type=positive(float),
        default=TIMEOUT,
        metavar="SECONDS",
        help=f"time that an address has to answer in full (default: {TIMEOUT:g})",
    )
    parser.add_argument(
        "--max-size",
        type=positive(int),
        default=MAX_SIZE,
        metavar="BYTES",
        help="most that an address may send, and that compressed input may become"
        f" (default: {MAX_SIZE})",
    )
    parser.add_argument(
        "--any-type",
        action="store_true",
        help="take from an address other content types than those of HTML and XML",
    )
    parser.add_argument(
        "--output-encoding",
        default="utf-8",
        metavar="NAME",
        help="encoding of the output (default: utf-8)",
    )
    parser.add_argument("--report", action="store_true", help="list every repair on standard error")
    parser.add_argument("--version", action="version", version=f"xmlfix {xmlfix.__version__}")
    for option in OPTIONS:
        if option.kind == "call":
            continue
        flag = "--" + option.word.replace("_", "-")
        settings: dict[str, Any] = {"help": option.meaning, "default": argparse.SUPPRESS}
        if option.kind == "flag":
            settings["action"] = "store_false" if option.default else "store_true"
            settings["dest"] = option.word
            if option.default:
                flag = "--no-" + flag[2:]
                settings["help"] = f"do not {option.meaning}"
        else:
            settings["metavar"] = option.metavar or None
            if option.kind == "choice":
                settings["choices"] = option.choices
            if option.kind == "number":
                settings["type"] = int
            if option.kind == "names":
                settings["type"] = names
                settings["action"] = "extend"
            if option.default not in (None, ()):
                settings["help"] += f" (default: {option.default})"
        parser.add_argument(flag, **settings)
    return parser


def names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    """A type of argument: a number above 0."""

    def number(text: str) -> float:
        value = kind(text)
        if not 0 < value < 1e12:  # nor infinite, nor no number at all
            raise ValueError
        return value

    number.__name__ = "positive number"
    return number


# ── the commands ─────────────────────────────────────────────────────────────


def run_check(words: Sequence[str]) -> int:
    """`xmlfix check FILE …`: say which files are not well-formed, and where."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="xmlfix check",
        description="Check that XML is namespace-well-formed: file:line:column: message."
        " Exit status 1 if any is not, 2 if one cannot be read.",
        allow_abbrev=False,
    )
    parser.add_argument("file", nargs="+", metavar="FILE", help="-: standard input")
    parser.add_argument(
        "--huge", action="store_true", help="lift the default limits on depth and size"
    )
    from xmlfix.check import check
    from xmlfix.inputs import read_input

    values = parser.parse_args(words)
    status = 0
    for name in values.file:
        try:
            result = check(read_input(name).data, huge=values.huge)
        except CommandError as error:
            complain(str(error))
            status = UNUSABLE
            continue
        if not result:
            place = f"{'<stdin>' if name == '-' else name}:{result.line}:{result.column}"
            line = f"{printable(place)}: {printable(result.message)}\n"
            write_out(line.encode("utf-8"))
            status = status or 1
    return status


def run_states(words: Sequence[str]) -> int:
    """`xmlfix states`: the reader's states and their transitions as a Mermaid diagram."""
    import argparse

    from xmlfix.read.diagram import mermaid

    parser = argparse.ArgumentParser(
        prog="xmlfix states",
        description="Print the reader's states and their transitions as a Mermaid diagram.",
    )
    parser.parse_args(words)
    write_out(mermaid().encode("utf-8"))
    return 0


COMMANDS = {"check": run_check, "states": run_states}
