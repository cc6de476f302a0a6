"""Count the steps that a file takes, and stop at a limit.

A few lines of a spec can require more work than any machine can do: names that expand to names,
options that multiply. All code that processes expressions, names and combinations counts its steps
here. So such a file results in a finding, which is the same on every machine.
"""

from __future__ import annotations

# The limit for a file: about half a second. The largest spec here takes a fifteenth of it.
STEPS_AT_MOST = 500_000


class TooMuchWork(Exception):
    """Error for a file that takes more steps than allowed."""


class Work:
    """The remaining number of steps for a file. Work inside a `with` block counts against it."""

    def __init__(self, steps: int = STEPS_AT_MOST) -> None:
        self.left = steps
        self.told = False  # True if the excess was reported
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
    """Return the remaining steps of the current file; 0 if no file is being counted."""
    return 0 if _current is None else _current.left


def spend(steps: int = 1) -> None:
    """Count `steps`. Raises `TooMuchWork`. Outside of `with work`, nothing is counted."""
    if _current is not None:
        _current.left -= steps
        if _current.left < 0:
            raise TooMuchWork
