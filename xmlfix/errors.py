"""The exceptions of xmlfix. Bad HTML raises none of them: it is repaired, and a finding."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class XmlfixError(Exception):
    """Base of all exceptions of xmlfix."""


class OptionError(XmlfixError, ValueError):
    """An option that does not exist, or a value that it does not take."""


class InputError(XmlfixError, ValueError):
    """Input that cannot be read at all, e.g. bytes with an unknown encoding."""


class LimitError(XmlfixError):
    """A limit was reached beyond which text would be lost; the message names the option."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the known one that is most like it, or "".

    >>> did_you_mean("--repiar", ["--repair", "--report"]), did_you_mean("--x", ["--repair"])
    ('; did you mean --repair?', '')
    """
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), 1, 0.6)
    return f"; did you mean {found[0]}?" if found else ""
