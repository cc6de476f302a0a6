"""Which of its kernels a call is for, where the spec gives one symbol for each of several cases."""

from __future__ import annotations

from opgen.ir.nodes import Kernel
from opgen.language.expr.decide import decide


def possible(kernel: Kernel, row: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """The symbols that calls of a row of the dispatch table may be for, and their cases."""
    values = dict(zip(kernel.dispatch, row))
    found = []
    for position, (condition, symbol) in enumerate(kernel.symbol.cases):
        holds = condition is None or decide(condition, values)
        if holds is not False:
            found.append((position, symbol))
        if holds:
            break
    return tuple(found)


def told(kernel: Kernel) -> bool:
    """Whether the entry must be told which: dtypes alone do not decide it."""
    return any(len(possible(kernel, row)) > 1 for row in kernel.rows)
