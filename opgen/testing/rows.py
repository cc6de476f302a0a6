"""Findings about an op on shards: a row for each placement of its inputs, and their table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from opgen.language.dtypes import DTYPES
from opgen.testing.cases import dtype_rows
from opgen.testing.environment import Case, holds
from opgen.testing.op_under_test import OpUnderTest

P = TypeVar("P")


@dataclass(frozen=True)
class Row(Generic[P]):
    """One op under one placement; bytes to each device."""

    # The op, and what of it: forward, or with its gradient.
    op: str
    what: str
    # The call and its placement.
    case: Case
    placement: P
    # The bytes to each device, and what the reference moves. None: there is no reference, or
    # the framework refuses the placement for it, or nobody asked.
    ours: int = 0
    plain: int | None = None
    # What is wrong with the results, and the error of the call.
    wrong: str = ""
    error: str = ""
    # What an op says that would have to move what it updates.
    refused: str = ""
    # Both figures without what makes results of sums that were left in parts.
    before: tuple[int, int] = (0, 0)
    # Why this placement may move more.
    excuse: str = ""

    @property
    def dearer(self) -> bool:
        return self.plain is not None and self.ours > self.plain

    @property
    def more(self) -> bool:
        """True if it moves more without an excuse."""
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
    """How many cases of each op are wrong, fail, or move more bytes than the reference, and
    how many of these are excused.

    `plain` is what the reference is written in.
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
    """The dtypes of which the fewest have other than 32 bits: how an op is split does not
    depend on them."""
    rows = (row for row in dtype_rows(subject.op) if holds(subject.op, replace(case, dtypes=row)))
    return min(rows, key=lambda row: sum(DTYPES[d].bits != 32 for _, d in row))
