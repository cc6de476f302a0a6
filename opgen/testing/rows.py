"""The results of sharding tests: a `Row` for each measurement, and a table that counts them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from opgen.language.dtypes import DTYPES
from opgen.source.frozen import dataclass
from opgen.testing.cases import dtype_rows
from opgen.testing.environment import Case, holds
from opgen.testing.op_under_test import OpUnderTest

P = TypeVar("P")


@dataclass(frozen=True)
class Row(Generic[P]):
    """One program of an op under one placement, with the bytes that each device receives."""

    # The op, and the measured program: "forward" or "gradient".
    op: str
    what: str
    # The call, and the placement of its arrays on devices.
    case: Case
    placement: P
    # The bytes that each device receives, for the op and for the reference. `plain` is None if
    # there is no reference, if the framework rejects the placement for it, or if it was not
    # measured.
    ours: int = 0
    plain: int | None = None
    # A difference between the results and the expected values, and an error that the call raised.
    wrong: str = ""
    error: str = ""
    # The error of an op that rejects the placement, because it would have to move an updated input.
    refused: str = ""
    # The moved bytes of the op and of the reference, before their partial sums are reduced.
    before: tuple[int, int] = (0, 0)
    # The reason why the op may move more bytes than the reference under this placement.
    excuse: str = ""

    @property
    def dearer(self) -> bool:
        return self.plain is not None and self.ours > self.plain

    @property
    def more(self) -> bool:
        """Return whether the op moves more bytes than the reference, and has no excuse for this."""
        return self.dearer and not self.excuse

    @property
    def excused(self) -> bool:
        return self.dearer and bool(self.excuse)

    @property
    def verdict(self) -> str:
        return (
            self.error
            or self.wrong
            or self.refused
            or ("more bytes" if self.more else "")
            or (f"excused: {self.excuse}" if self.excused else "")
        )

    def __str__(self) -> str:
        plain = "none" if self.plain is None else self.plain
        moved = f"{self.ours:9} {plain!s:>9}"
        return f"{self.op} {self.what} {moved}  {self.placement}  {self.case}  {self.verdict}"


def table(found: Iterable[Row[Any]], plain: str) -> str:
    """Return a table that counts the wrong, failed, rejected and expensive rows of each op.

    A row is expensive if the op moves more bytes than the reference. The table counts expensive
    rows with an excuse and those without one separately. `plain` names the framework of the
    reference.
    """
    counts: dict[str, list[int]] = {}
    for row in found:
        own = counts.setdefault(row.op, [0] * 6)
        kinds = True, row.wrong, row.error, row.refused, row.more, row.excused
        for n, is_one in enumerate(kinds):
            own[n] += bool(is_one)
    head = (
        f"{'op':24} {'cases':>6} {'wrong':>6} {'errors':>6} {'refused':>7} "
        f"{f'more bytes than {plain}':>22} {'excused':>8}"
    )
    lines = [
        f"{op:24} {n:6} {w:6} {e:6} {r:7} {m:22} {x:8}" for op, (n, w, e, r, m, x) in counts.items()
    ]
    return "\n".join([head, *lines])


def narrow(subject: OpUnderTest, case: Case) -> tuple[tuple[str, str], ...]:
    """Return the combination of dtypes with the fewest dtypes that are not 32 bits wide.

    One combination is enough, because the sharding of an op does not depend on its dtypes.
    """
    rows = (row for row in dtype_rows(subject.op) if holds(subject.op, replace(case, dtypes=row)))
    return min(rows, key=lambda row: sum(DTYPES[d].bits != 32 for _, d in row))
