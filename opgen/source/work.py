"""Count the steps of work for a file, and stop at a limit.

A few lines of a spec can require more work than any machine can do. For example, 30 options with
two choices each have a billion combinations. All code that processes expressions, names and
combinations counts its steps here. A file that exceeds the limit gets the same finding on every
machine.
"""

from __future__ import annotations

# The limit for a file takes about half a second. The largest spec in opgen's repository takes a
# fifteenth of the limit.
STEPS_AT_MOST = 500_000


class TooMuchWork(Exception):
    """Error for a file that takes more steps than allowed."""


class Work:
    """The number of steps that remain for a file. Steps inside a `with` block are subtracted."""

    def __init__(self, steps: int = STEPS_AT_MOST) -> None:
        self.left = steps
        self.told = False  # True after the user was told that the limit was exceeded
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
    """Return the steps that remain for the current file, or 0 outside of a `with` block."""
    return 0 if _current is None else _current.left


def spend(steps: int = 1) -> None:
    """Count `steps`. Raises `TooMuchWork` at the limit. Outside of `with Work()`, do nothing."""
    if _current is not None:
        _current.left -= steps
        if _current.left < 0:
            raise TooMuchWork
