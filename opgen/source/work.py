"""Count the steps that a file takes, and stop at too many.

A few lines of a spec can ask for more than any machine has: names that stand for names, options
that multiply. Everything that goes through expressions, names and combinations counts its steps
here. So such a file ends in a finding, the same one on every machine.
"""

from __future__ import annotations

# Limit of a file: about half a second. The largest spec of this repository takes a fifteenth.
STEPS_AT_MOST = 500_000


class TooMuchWork(Exception):
    """Raised where a file takes more steps than it may."""


class Work:
    """The steps that are left for a file; `with` counts in it what is done."""

    def __init__(self, steps: int = STEPS_AT_MOST) -> None:
        self.left = steps
        self.told = False  # whether it was reported that there are too many
        self._before: list[Work | None] = []

    def __enter__(self) -> None:
        global _current
        self._before.append(_current)
        _current = self

    def __exit__(self, *error: object) -> None:
        global _current
        _current = self._before.pop()


_current: Work | None = None


def steps_left() -> int:
    """The steps that are left for what is counted now; 0 where nothing is."""
    return 0 if _current is None else _current.left


def spend(steps: int = 1) -> None:
    """Count `steps`. Raises `TooMuchWork`; outside of `with work` nothing is counted."""
    if _current is not None:
        _current.left -= steps
        if _current.left < 0:
            raise TooMuchWork
