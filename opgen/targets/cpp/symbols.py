"""Find the functions of a kernel whose `symbol` has cases."""

from __future__ import annotations

from opgen.ir.nodes import Kernel
from opgen.language.expr.decide import decide


def possible(kernel: Kernel, row: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the symbols that calls with the dtypes of `row` may use. Each item is (index of the
    symbol's case, symbol).
    """
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
    """Return whether the entry must receive the index of the symbol's case. It must if the dtypes
    alone do not determine the case.
    """
    cases = kernel.symbol.cases
    return len(cases) > 1 and any(len(possible(kernel, row)) > 1 for row in kernel.rows)
