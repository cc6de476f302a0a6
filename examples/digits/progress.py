"""A progress bar for the terminal. If the output is not a terminal, it prints only one line at the
end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")
WIDTH = 30
REDRAW_SECONDS = 0.1


def bar(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """Yield the first `total` items. Show a progress bar on stderr, which grows with each item."""
    live = sys.stderr.isatty()
    drawn = 0.0
    for done, item in zip(range(total), items):
        if live and monotonic() - drawn > REDRAW_SECONDS:
            drawn = monotonic()
            print(f"\r{_line(done, total, label)}", end="", file=sys.stderr, flush=True)
        yield item
    print(f"{live * chr(13)}{_line(total, total, label)}", file=sys.stderr, flush=True)


def _line(done: int, total: int, label: str) -> str:
    filled = WIDTH * done // max(total, 1)
    return f"{label:<23} [{'#' * filled:<{WIDTH}}] {done}/{total} epochs"
