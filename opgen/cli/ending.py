"""End a command properly after a signal, or if the reader of its stdout has closed the pipe."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP end the command and all its processes, as Ctrl-C does."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    numbers = [n for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    former = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in numbers):
            if signal.getsignal(number) is signal.SIG_DFL:
                former[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def drop_stdout() -> None:
    """Discard buffered output. Otherwise Python would try to write it at exit, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
