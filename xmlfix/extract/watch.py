"""A limit on time and memory for work that nothing in the process can stop.

That is what libxml2, libxslt and Python's regular expressions do with what the user gives
them. lxml lets other threads run while the former two work, so one can look at the clock. A
regular expression lets none run, but heeds signals, so a timer is set too. Either says what
has happened and ends the process: the only honest way out, since the work itself cannot be
stopped. It is meant for commands; a library must not end its caller.

Where there are no such timers (Windows), only what lets threads run is limited.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from xmlfix import output
from xmlfix.arguments import UNUSABLE, positive
from xmlfix.output import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, Final, Self

SECONDS: Final = 10.0  # that the query or pattern may take with one input
MEGABYTES: Final = 2000.0  # that it may need besides what the page needs
LONGEST_TIMER: Final = 1e8  # seconds that every system can count; three years
LOOK: Final = 0.05  # seconds between two looks at the clock


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that `Watch` takes."""
    parser.add_argument(
        "--timeout-query",
        type=positive(float),
        default=SECONDS,
        metavar="SECONDS",
        help="time that the query or pattern may take with one input; then the command ends with"
        f" status {UNUSABLE} (default: {SECONDS:g})",
    )
    parser.add_argument(
        "--max-memory",
        type=positive(float),
        default=MEGABYTES,
        metavar="MEGABYTES",
        help=f"memory that it may need, where that can be told (default: {MEGABYTES:g})",
    )


class Watch:
    """While it is entered, the process ends if a limit is passed, or at once by Ctrl-C.

    The latter only if the process has been started for the command.

    Args:
        name: what the work is about, for the message.
        seconds: of wall-clock time.
        megabytes: (1,000,000 bytes) by which the process may grow.
    """

    def __init__(self, name: str, seconds: float, megabytes: float) -> None:
        self.name = name
        self.seconds = seconds
        self.megabytes = megabytes
        self.done = threading.Event()
        self.end = 0.0
        self.most = 0.0
        self.interruptible = False
        self.has_timer = False
        self.stopping = threading.Lock()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def __enter__(self) -> Self:
        self.end = time.monotonic() + self.seconds
        self.most = peak() + self.megabytes
        self.thread.start()
        is_main = threading.current_thread() is threading.main_thread()
        # Python would see to it only when lxml is done
        self.interruptible = (
            output.owns_process
            and is_main
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self.interruptible:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.has_timer = (
            is_main
            and hasattr(signal, "setitimer")
            and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        )
        if self.has_timer:
            signal.signal(signal.SIGALRM, lambda *about: self.stop_for_time())
            signal.setitimer(signal.ITIMER_REAL, min(self.seconds, LONGEST_TIMER))
        return self

    def __exit__(self, *error: Any) -> None:
        if self.has_timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        if self.interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.done.set()
        self.thread.join()

    def look(self) -> None:
        """Look at the clock until the work is done, or a limit is passed."""
        while True:
            left = self.end - time.monotonic()
            if left <= 0:
                self.stop_for_time()
            if peak() > self.most:
                self.stop(f"the query needs more than {self.megabytes:g} megabytes (--max-memory)")
            if self.done.wait(min(left, LOOK)):
                return

    def stop_for_time(self) -> None:
        """End the process because of the time."""
        self.stop(f"the query takes more than {self.seconds:g} seconds (--timeout-query)")

    def stop(self, message: str) -> None:
        """Say why, and end the process at once: all results so far are written out."""
        if not self.stopping.acquire(blocking=False):
            time.sleep(self.seconds)  # the thread is about to do so, or the timer has
            return
        complain(f"{self.name}: {message}")
        os._exit(UNUSABLE)


def peak() -> float:
    """The most memory that the process has held so far, in megabytes; 0 where none can tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / 1_000_000 if sys.platform == "darwin" else held * 1024 / 1_000_000
