"""Write docs/bounds.md, which compares the errors of CPU kernels with their bounds.

`python -m bench.bounds` calls each op with the small edge cases of the op's `test_hostile`. With
names of ops, it only prints the lines for these ops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import generated
from opgen.testing import OpUnderTest, load, oracle
from opgen.testing.arrays import named
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.hostile import entry, guarantees
from opgen.testing.hostile.edges import edge_cases
from opgen.testing.hostile.limits import NAMES, Limits, of_use
from opgen.testing.hostile.poisoned_call import Attempt, call

PAGE = Path(__file__).parents[1] / "docs" / "bounds.md"
HEAD = """\
# Error bounds of each op

How close do the errors of our CPU kernels come to the [bounds that opgen derives](accuracy.md#the-numbers)? The table
shows the largest errors over all calls of the generated tests `test_hostile`. `python -m bench.bounds` measured the
errors and wrote this page on {date}.

| column | meaning |
|---|---|
| derived | the percentage of elements for which opgen derives a useful bound |
| error / bound | for results of 32 and 64 bits, the largest error relative to its bound |
| one number | for results of 8 and 16 bits, the percentage of elements for which the bound allows only one value |
| otherwise | why the other elements have no bound: a function whose error opgen cannot bound, or `large` if the bound is too large to be useful |
| error / allowed | for elements without a bound, the largest error relative to the error that the tests allow instead |

The table leaves out integer results, which must be equal to the reference. It also leaves out `exact` results, which
must be the number nearest to the reference.

| op | result | derived | error / bound | one number | otherwise | error / allowed |
|---|---|---|---|---|---|---|
"""


@dataclass
class Row:
    """The statistics of one result of an op over all calls: one row of the table."""

    elements: int = 0
    derived: int = 0
    near: float | None = None
    narrow: int = 0
    single: int = 0
    others: Counter[str] = field(default_factory=Counter)
    beside: float | None = None

    def add(self, limits: Limits, name: str, got: np.ndarray, wanted: np.ndarray) -> None:
        wide, bounded = oracle.wide(got), limits.bounded(name, got.dtype)
        self.elements += got.size
        left = np.ones(got.shape, bool)
        if bounded is not None:
            useful = of_use(bounded)
            wanted, left = bounded.value, ~useful
            self.derived += int(useful.sum())
            if got.dtype.itemsize < 4:
                self.narrow += int(useful.sum())
                self.single += int((useful & (bounded.bound == 0)).sum())
            else:
                self.near = _larger(self.near, wide - wanted, bounded.bound, useful)
        if left.any():
            self.others[limits.unbounded or "large"] += 1
            allowed = limits.allowed(name, oracle.wide(wanted), got.dtype)
            self.beside = _larger(self.beside, wide - wanted, allowed, left)

    def cells(self) -> Iterator[str]:
        yield _percent(self.derived, self.elements)
        yield _number(self.near)
        yield _percent(self.single, self.narrow) if self.narrow else ""
        yield ", ".join(self.others)
        yield _number(self.beside)


def _larger(most: float | None, off: Any, allowed: Any, where: Any) -> float | None:
    """Return the larger of `most` and the largest `|off| / allowed` within `where`. An `off` of 0
    counts as 0.
    """
    off = np.abs(off[where])
    if not off.size:
        return most
    with np.errstate(all="ignore"):
        ratio = np.where(off > 0, off / allowed[where], 0.0)
    found = float(np.nanmax(ratio, initial=0.0))
    return found if most is None else max(most, found)


def _percent(count: int, of: int) -> str:
    share = 100 * count / max(of, 1)
    return f"{share:.0f}" if share in (0, 100) else f"{share:.1f}" if share < 99.9 else "99.9"


def _number(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def measured(subject: OpUnderTest) -> dict[str, Row]:
    """Call an op with all its edge cases, and return the statistics of each floating-point result."""
    rows: dict[str, Row] = {}
    for case in edge_cases(subject.op):
        for label, *parts in _results(subject, case):
            rows.setdefault(label.partition("[")[0], Row()).add(*parts)
    return rows


def _results(subject: OpUnderTest, case: Case) -> Iterator[tuple[Any, ...]]:
    if not entry.takes(subject, case):
        return
    arrays = draw(subject.op, case)
    called = call(Attempt(subject, case), arrays)
    if called.status != 0:
        return
    limits = Limits(subject, case, arrays)
    got = guarantees.results(subject, called)
    for name, y, wanted in named(subject.op.results, got, limits.exact):
        if wanted is not None and y.size and y.dtype in NAMES:
            yield name, limits, name, y, wanted


def table(names: Sequence[str]) -> Iterator[str]:
    """Yield a row of the table for each result of the ops with these names, or of all ops."""
    tests = Path(generated.__file__).parent / "tests"
    first = load(str(tests / "test_ops.py"), "relu", package="generated", namespace="generated")
    for name in names or sorted(op.name for op in first.project.ops):
        subject = OpUnderTest(first.project.op(name), first.project)
        op = subject.op
        if (
            subject.reference is None
            or op.guarantees.exact
            or name in first.project.residual_readers
        ):
            continue
        for result, row in measured(subject).items():
            yield f"| {' | '.join([f'`{name}`', f'`{result}`', *row.cells()])} |"


if __name__ == "__main__":
    import sys

    lines = []
    for line in table(sys.argv[1:]):
        print(line, flush=True)
        lines.append(line)
    if not sys.argv[1:]:
        PAGE.write_text(HEAD.format(date=date.today().isoformat()) + "\n".join(lines) + "\n")
