"""Compare the speed of two benchmark runs.

The times of two runs cannot be compared directly, because the whole machine may have been slower in
one of them. So this module divides an op's time by the time of a fixed program in the same run.
This program is a memcpy for a large call, and interpreted Python code for a small call.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opgen.bench.errors import BenchError
from opgen.bench.harness import Spread
from opgen.bench.rows import Row
from opgen.source.frozen import dataclass

# A difference counts as a change if it exceeds this fraction and the quartiles do not overlap.
NOTICED = 0.05


@dataclass(frozen=True)
class Change:
    """A call's times in the earlier run and in this run, in units of the fixed program's time."""

    row: Row
    before: Spread

    @property
    def factor(self) -> float:
        """Return the call's time divided by its time in the earlier run."""
        return self.row.relative.median / self.before.median

    @property
    def slower(self) -> bool:
        return self.row.relative.low > self.before.high and self.factor > 1 + NOTICED

    @property
    def faster(self) -> bool:
        return self.row.relative.high < self.before.low and self.factor < 1 - NOTICED


def compare(before: Sequence[Row], now: Sequence[Row]) -> list[Change]:
    """Return the change of each row that both runs have.

    Raises `BenchError` if the runs have no row in common.
    """
    former = {row.key: row.relative for row in before}
    found = [Change(row, former[row.key]) for row in now if row.key in former]
    if not found:
        raise BenchError("the runs have no op, dtype, size, device and threads in common")
    return found


def shown(changes: Sequence[Change], path: Path) -> str:
    """Return the changes as text, the largest slowdown first. `path` is the earlier run's file."""
    noted = [c for c in changes if c.slower or c.faster]
    lines = [
        f"Against {path}: {len(changes)} calls, {sum(c.slower for c in changes)} slower, "
        f"{sum(c.faster for c in changes)} faster"
    ]
    for change in sorted(noted, key=lambda c: -c.factor):
        row, spread = change.row, change.row.relative
        word = "slower" if change.slower else "faster"
        lines.append(
            f"  {row.op} {row.direction}, {row.framework}, {row.dtype} {row.size}: "
            f"{abs(change.factor - 1):.0%} {word} "
            f"({change.before.median:.3g} yardsticks, {change.before.low:.3g} to {change.before.high:.3g};"
            f" now {spread.median:.3g}, {spread.low:.3g} to {spread.high:.3g})"
        )
    return "\n".join(lines) + "\n"
