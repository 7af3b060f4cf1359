"""The command: `xmlfix` filters, `xmlfix check` checks, `xmlfix states` draws the reader.

Exit status: 0; 1 if `check` found a file not well-formed; 2 for unusable arguments or
unreadable files. What is repaired never changes it.
"""

from __future__ import annotations

import os
import sys

import xmlfix
from xmlfix.errors import XmlfixError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from xmlfix.finding import Finding

UNUSABLE = 2
INTERRUPTED = 130

EXAMPLES = """\
examples:
  curl -s https://example.org/ | xmlfix | xmllint --xpath '//h1' -
  xmlfix page.html -o page.xml
  xmlfix --repair xml --report broken-feed.rss > feed.xml
  xmlfix --drop script,style,#comment --nbsp space page.html
  xmlfix check page.xml

`xmlfix check --help` and `xmlfix states --help` tell about the commands. A file that is
named like a command is written ./check.
"""


class CommandError(Exception):
    """What the user is told in one line, with exit status 2."""


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
    except (CommandError, XmlfixError) as error:
        print(f"xmlfix: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # Whoever read the output has enough. Python must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


# ── the filter ───────────────────────────────────────────────────────────────


def run_filter(words: Sequence[str]) -> int:
    """`xmlfix [FILE]`: HTML in, XML out."""
    parser = filter_parser()
    values = vars(parser.parse_args(words))
    name = values.pop("file")
    output = values.pop("output")
    output_encoding = values.pop("output_encoding")
    if values.pop("report"):
        values["on_finding"] = Report(name)
    data = read_file(name)
    xml = xmlfix.fix_bytes(data, output_encoding=output_encoding, **values)
    newline = "\n".encode(output_encoding)[-len("\n".encode(output_encoding)) :]
    if xml[-1:] != b"\n" and len(newline) == 1:
        xml += b"\n"
    if output is None:
        sys.stdout.buffer.write(xml)
        sys.stdout.buffer.flush()
    else:
        write_atomically(output, xml)
    return 0


class Report:
    """Prints findings to standard error as `file:line:column: code: message; action`."""

    def __init__(self, name: str) -> None:
        self.name = "<stdin>" if name == "-" else name

    def __call__(self, finding: Finding) -> None:
        place = f"{self.name}:{finding.line}:{finding.column}"
        print(f"{place}: {printable(str(finding))}", file=sys.stderr)


def printable(text: str) -> str:
    """`text` without characters that could steer a terminal."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)


def filter_parser() -> argparse.ArgumentParser:
    """The arguments of the filter: one flag for each option."""
    import argparse

    from xmlfix.options import OPTIONS

    parser = argparse.ArgumentParser(
        prog="xmlfix",
        usage="xmlfix [option …] [FILE]\n       xmlfix check FILE …\n       xmlfix states",
        description="Turn any HTML into well-formed XML.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="- or none: stdin")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, atomically, not to standard output"
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
    values = parser.parse_args(words)
    status = 0
    for name in values.file:
        try:
            result = xmlfix.check(read_file(name), huge=values.huge)
        except CommandError as error:
            print(f"xmlfix: {error}", file=sys.stderr)
            status = UNUSABLE
            continue
        if not result:
            shown = "<stdin>" if name == "-" else name
            print(f"{shown}:{result.line}:{result.column}: {printable(result.message)}")
            status = status or 1
    sys.stdout.flush()
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
    print(mermaid(), end="", flush=True)
    return 0


COMMANDS = {"check": run_check, "states": run_states}


# ── files ────────────────────────────────────────────────────────────────────


def read_file(name: str) -> bytes:
    """The bytes of a file, or of standard input for "-".

    Raises:
        CommandError: it cannot be read.
    """
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None


def write_atomically(name: str, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it.

    Raises:
        CommandError: it cannot be written.
    """
    import tempfile

    target = os.path.realpath(name)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:  # a device or pipe cannot be replaced
                file.write(data)
            return
        try:
            mode = os.stat(target).st_mode & 0o7777
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        folder, base = os.path.split(target)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{base}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None
