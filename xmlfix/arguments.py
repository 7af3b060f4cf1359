"""The arguments that all commands share: inputs, and one flag for each option."""

from __future__ import annotations

from xmlfix.errors import XmlfixError
from xmlfix.inputs import LIMITS, MAX_SIZE, TIMEOUT, Input, read_input
from xmlfix.options import OPTIONS
from xmlfix.output import CommandError, complain, without_user

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from typing import Any

    from xmlfix.tree import ElementTree

UNUSABLE = 2  # the exit status for unusable arguments and unreadable inputs


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name inputs, and the limits on them."""
    parser.add_argument(
        "file",
        nargs="*",
        metavar="FILE",
        help="or an http(s) address; - or none: standard input",
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
        "--public-only",
        action="store_true",
        help="connect to public addresses only, not to private ones or this machine: for servers"
        " that take addresses from others",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add one flag for each option of `xmlfix.options`."""
    import argparse

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


def pop_options(values: dict[str, Any]) -> dict[str, Any]:
    """Take the options of `xmlfix.fix` out of the values of all arguments."""
    return {option.word: values.pop(option.word) for option in OPTIONS if option.word in values}


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


def with_transport(options: dict[str, Any], came: Input) -> dict[str, Any]:
    """The options, with the `Content-Type` that came with an input unless one is given."""
    if came.content_type is None:
        return options
    return {"transport_encoding": came.content_type, **options}


class Documents:
    """The trees of the inputs that a command names.

    An input that cannot be read is complained about on standard error, and the others go
    on.

    Args:
        values: of the arguments; those that `add_inputs` and `add_options` have added are
            taken out.

    Attributes:
        many: whether there are several inputs.
        status: the exit status that the inputs ask for: 0, or 2 if one could not be read.

    Raises:
        OptionError: an option has a value that it does not take.
        CommandError: standard input is named twice.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        from xmlfix.options import Options

        self._names: list[str] = values.pop("file") or ["-"]
        self._limits = {word: values.pop(word) for word in LIMITS}
        self._options = pop_options(values)
        Options({**self._options})
        if self._names.count("-") > 1:
            raise CommandError("standard input can be read only once")
        self.many = len(self._names) > 1
        self.status = 0

    def __iter__(self) -> Iterator[tuple[str, ElementTree]]:
        import xmlfix

        for name in self._names:
            try:
                came = read_input(name, **self._limits)
                tree = xmlfix.parse(came.data, **with_transport(self._options, came))
            except MemoryError:
                complain(f"{name}: there is not enough memory for it")
                self.status = UNUSABLE
                continue
            except XmlfixError as error:
                about = "" if isinstance(error, CommandError) or not self.many else f"{name}: "
                complain(f"{about}{error}")
                self.status = UNUSABLE
                continue
            yield without_user(name), tree
