"""Changes of speed since another run.

Times of two runs are not comparable, since the whole machine may have been slower. So the module
compares an op's time over that of a yardstick in the same run. The yardstick is a memcpy for a
large call, and some interpreted Python for a small one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from opgen.bench.harness import Spread
from opgen.bench.rows import Row

# A change is one if the quartiles do not overlap, and it is more than this.
NOTICED = 0.05


class ComparisonError(Exception):
    """Two runs that have nothing in common."""


@dataclass(frozen=True)
class Change:
    """A row of both runs: its time over the yardstick's, before and now."""

    row: Row
    before: Spread

    @property
    def factor(self) -> float:
        """By how much the op takes longer than before."""
        return self.row.relative.median / self.before.median

    @property
    def slower(self) -> bool:
        return self.row.relative.low > self.before.high and self.factor > 1 + NOTICED

    @property
    def faster(self) -> bool:
        return self.row.relative.high < self.before.low and self.factor < 1 - NOTICED


def compare(before: Sequence[Row], now: Sequence[Row]) -> list[Change]:
    """The rows that both runs have. Raises `ComparisonError` where there is none."""
    former = {row.key: row.relative for row in before}
    found = [Change(row, former[row.key]) for row in now if row.key in former]
    if not found:
        raise ComparisonError("the runs have no op, dtype, size, device and threads in common")
    return found


def shown(changes: Sequence[Change], path: Path) -> str:
    """The changes, the worst first."""
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
