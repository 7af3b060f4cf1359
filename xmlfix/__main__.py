"""The command `xmlfix`, also as `python -m xmlfix`."""

from __future__ import annotations

import gc

COLLECT_AFTER = 50_000  # new objects: nothing that a short run makes is garbage


def run() -> int:
    """Run the command, with the garbage collector told that most runs are short."""
    gc.set_threshold(COLLECT_AFTER)
    from xmlfix import output
    from xmlfix.cli import main

    output.owns_process = True
    status = main()
    gc.freeze()  # what is left goes with the process
    return status


if __name__ == "__main__":
    raise SystemExit(run())
