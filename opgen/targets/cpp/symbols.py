"""The symbols of a kernel with cases, and the choice of one for a call."""

from __future__ import annotations

from opgen.ir.nodes import Kernel
from opgen.language.expr.decide import decide


def possible(kernel: Kernel, row: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the symbols that calls of a row of the dispatch table may use, and their cases."""
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
    """Return whether the entry must receive the number of the case, because dtypes alone do not
    determine the symbol.
    """
    return any(len(possible(kernel, row)) > 1 for row in kernel.rows)
