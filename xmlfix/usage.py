"""How the command's arguments are read, and what is said about those that cannot be used."""

from __future__ import annotations

import argparse
import os
import re
import sys

from xmlfix.errors import did_you_mean
from xmlfix.output import CommandError, is_address, tell, write_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

PROTECTED = "\0"  # before a word that is no flag; no argument has one
ALONE = "--fragment"  # the flag that may stand without a value
CONTEXT_ALONE = "body"  # what it means then
BARE_ELEMENT = re.compile(r"(?:svg |math )?[A-Za-z][A-Za-z0-9-]*")
EXPRESSION = re.compile(r"//|[^./\\]*$")  # how a selector looks, and hardly a file

# argparse's words for types, and ours
TYPES = {"int": "whole number", "float": "number"}
INVALID_VALUE = re.compile(r"argument (\S+): invalid (.+?) value: (.*)", re.DOTALL)
INVALID_CHOICE = re.compile(r"argument (\S+): invalid choice: (.*) \(choose from", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that says in one line what is wrong, and what may have been meant."""

    def __init__(self, **settings: Any) -> None:
        kind = argparse.RawDescriptionHelpFormatter if "epilog" in settings else None
        super().__init__(
            formatter_class=kind or argparse.HelpFormatter, allow_abbrev=False, **settings
        )

    def error(self, message: str) -> NoReturn:
        """Raise CommandError with argparse's message, in plainer words where we have some."""
        raise CommandError(f"{self._plain(message)} ({self.prog} --help)")

    def _plain(self, message: str) -> str:
        unknown = message.partition("unrecognized arguments: ")[2]
        if unknown:
            return self._about_unknown(unknown.split(" "))
        found = INVALID_CHOICE.match(message)
        if found:
            choices: list[str] = []
            for action in self.actions():
                if found[1] == "/".join(action.option_strings):
                    choices = [str(choice) for choice in action.choices or ()]
            hint = did_you_mean(found[2].strip("'\""), choices)
            return f"{found[1]} takes {one_of(choices)}, not {found[2]}{hint}"
        missing = message.partition("arguments are required: ")[2]
        if missing:
            optional = [str(each.metavar) for each in self.actions() if each.nargs == "*"]
            names = [name for name in missing.split(", ") if name not in optional]
            return f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} missing"
        found = INVALID_VALUE.match(message)
        if found:
            return f"{found[1]} takes a {TYPES.get(found[2], found[2])}, not {found[3]}"
        message = re.sub(r"^argument (\S+): ", r"\1: ", message)
        message = message.replace(": expected one argument", " needs a value")
        return message.replace(": ignored explicit argument", " takes no value, not")

    def _about_unknown(self, words: Sequence[str]) -> str:
        """What to say of words that no argument takes."""
        word = words[0].removeprefix(PROTECTED)
        if not word.startswith("-"):
            return f"unexpected argument: {word}"
        flag = word.partition("=")[0]
        flags = [flag for action in self.actions() for flag in action.option_strings]
        hint = did_you_mean(flag, flags)
        return f"{flag}: no such option{hint}"

    def actions(self) -> list[argparse.Action]:
        """What the parser takes; argparse has no public name for it."""
        return self._actions

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print a help or version, where argparse itself lets errors of writing pass.

        Raises:
            CommandError: standard output is closed or full.
        """
        if file is not None and file is not sys.stdout:
            super()._print_message(message, file)
            return
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        write_out(message.encode(encoding, getattr(sys.stdout, "errors", None) or "strict"))


def one_of(words: Sequence[str]) -> str:
    """Words to choose from.

    >>> one_of(["a", "b", "c"]), one_of(["a"])
    ('a, b or c', 'a')
    """
    return " or ".join([", ".join(words[:-1]), *words[-1:]]) if len(words) > 1 else "".join(words)


def parsed(parser: Parser, words: Sequence[str]) -> dict[str, Any]:
    """The values of a command's arguments.

    Inputs may stand between flags, and after `--` nothing is a flag: argparse has either, but
    not both. `--fragment` may stand alone, and takes its value after a `=` only.

    Raises:
        CommandError: they cannot be used.
    """
    words = list(words)
    end = words.index("--") if "--" in words else len(words)
    alone = [at for at in range(end) if words[at] == ALONE]
    followers = [words[at + 1] for at in alone if at + 1 < end]
    for at in alone:
        words[at] = f"{ALONE}={CONTEXT_ALONE}"
    if end < len(words):
        flag = words[end - 1] if end else ""
        if any(
            flag in action.option_strings and action.nargs is None for action in parser.actions()
        ):
            parser.error(f"argument {flag}: expected one argument")
        words[end:] = [f"{PROTECTED}{word}" for word in words[end + 1 :]]
    values = vars(parser.parse_intermixed_args(words))
    for key, value in values.items():
        if isinstance(value, str):
            values[key] = value.removeprefix(PROTECTED)
        elif isinstance(value, list):
            values[key] = [
                each.removeprefix(PROTECTED) if isinstance(each, str) else each for each in value
            ]
    check_fragment(followers, values.get("file") or [])
    warn_of_transport(values.get("transport_encoding"))
    return values


def check_fragment(followers: Iterable[str], names: Iterable[str]) -> None:
    """Raise CommandError if the word after `--fragment` was meant for it.

    It was if it looks like an element, and there is no file of that name. Where it has become
    the expression of a query, the real expression stands among the files, where there is none
    of that name.
    """
    names = list(names)
    absent = [name for name in names if is_absent(name)]
    is_shifted = any(EXPRESSION.match(name) for name in absent)
    meant = [
        word
        for word in followers
        if BARE_ELEMENT.fullmatch(word) and (word in absent or (is_shifted and word not in names))
    ]
    if meant:
        shown = f'"{meant[0]}"' if " " in meant[0] else meant[0]
        raise CommandError(f"--fragment takes its element after a =: --fragment={shown}")


def check_order(what: str, first: str, names: Sequence[str], command: str) -> None:
    """Raise CommandError if the first argument of a command seems to be one of its inputs.

    Args:
        what: what the first argument is.
        first: the first argument.
        names: the inputs.
        command: its name.
    """
    if not (is_address(first) or (os.path.isfile(first) and re.search(r"[./\\]", first))):
        return
    others = [name for name in names if is_absent(name)]
    if names and not others:
        return
    right = f"xmlfix {command} {quoted(others[0]) if others else what.upper()} {quoted(first)}"
    raise CommandError(f"{first} is an input, and the {what} comes first: {right}")


def is_absent(name: str) -> bool:
    """Whether an input is named that is not there."""
    return name != "-" and not is_address(name) and not os.path.lexists(name)


def quoted(word: str) -> str:
    """A word as a shell takes it."""
    import shlex

    return shlex.quote(word)


def warn_of_transport(value: str | None) -> None:
    """Say so if `--transport-encoding` names an unknown encoding.

    It is no error: what came with a page may be nonsense, and browsers go on without it.
    """
    if value is None:
        return
    from xmlfix.sniffing import transport_label, transport_word

    label = transport_word(value)
    if label and transport_label(value) is None:
        tell(f"--transport-encoding: unknown encoding {label!r}; it is ignored")
