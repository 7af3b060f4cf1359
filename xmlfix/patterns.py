"""Regular expressions that are compiled when they are first used.

Compiling a large character set takes as long as importing a module, and a short run of the
command needs few of them.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def late(
    module: dict[str, Any], name: str, method: str, pattern: str | bytes, flags: int = 0
) -> Callable[..., Any]:
    """A method of a compiled pattern, which takes the place of this one at the first call.

    Args:
        module: the `globals()` of the module that keeps it.
        name: what it is called there.
        method: `search`, `match`, `fullmatch` …
        pattern, flags: see `re.compile`.
    """

    def first(*arguments: Any) -> Any:
        if module[name] is first:
            module[name] = getattr(re.compile(pattern, flags), method)
        return module[name](*arguments)

    return first
