"""The exceptions of xmlfix. Bad HTML raises none of them: it is repaired, and a finding."""

from __future__ import annotations


class XmlfixError(Exception):
    """Base of all exceptions of xmlfix."""


class OptionError(XmlfixError, ValueError):
    """An option that does not exist, or a value that it does not take."""


class InputError(XmlfixError, ValueError):
    """Input that cannot be read at all, e.g. bytes with an encoding that nobody knows."""


class LimitError(XmlfixError):
    """A limit was reached beyond which text would be lost; the message names the option."""
