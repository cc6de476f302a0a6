"""The dtype combinations that a kernel is made for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping

from opgen.language.call_variants import decide
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr
from opgen.language.scope import cases_of
from opgen.lint.expression_contexts import requirements
from opgen.lint.op_context import OpContext
from opgen.spec.extensions import named_kernel

COMBINATIONS_AT_MOST = 50_000


def variables_of(op: OpContext) -> list[str]:
    """The dtype variables that the op's tensors carry, and the dtype attrs that every call has."""
    carried = {str(d) for _, _, e in op.scope.entries() for _, d in cases_of(e["dtype"])}  # fmt: skip
    attrs = [n for n, a in op.scope.attrs.items() if a["type"] == "dtype" and not a.get("optional")]  # fmt: skip
    used = carried | {v for c in carried for v in op.dtypes.free(c)}
    return [*(n for n in op.scope.dtypes if n in used), *(a for a in attrs if a not in op.scope.dtypes)]  # fmt: skip


def free_of(op: OpContext) -> dict[str, tuple[str, ...]]:
    """The free ones among them, with what each may be."""
    free = {}
    for name in variables_of(op):
        if name in op.scope.attrs:
            free[name] = tuple(op.scope.attrs[name].get("choices", DTYPES))
        elif name in op.free_dtypes:
            free[name] = op.free_dtypes[name]
    return free


def tables(op: OpContext) -> Iterator[tuple[str, int]]:
    """(platform, rows of its dispatch table) of every kernel."""
    free = free_of(op)
    for platform, kernel in op.scope.section("kernels").items():
        kernel = kernel if isinstance(kernel, Mapping) else {}
        if platform == "else" or named_kernel(platform, kernel):
            continue
        own = requirements((), kernel.get("require"), "kernel")
        conditions = [*op.require, *(op.over_free(site.expr) for site in own)]
        yield platform, _rows(op, free, tuple(kernel.get("dispatch", free)), conditions)
    if isinstance(op.table["kernels"], list):
        for platform in op.table["kernels"]:
            yield platform, _rows(op, free, tuple(free), list(op.require))


def _rows(op: OpContext, free: Mapping[str, tuple[str, ...]], dispatch: tuple[str, ...], conditions: list[Expr]) -> int:  # fmt: skip
    """How many different rows `conditions` leave over the variables of `dispatch`.

    Where there are too many combinations to look at, their number.
    """
    if not conditions:
        count = 1
        for name in dispatch:
            count *= len(free.get(name, op.dtypes.choices.get(name, ("",))))
        return count
    if math.prod(map(len, free.values())) > COMBINATIONS_AT_MOST:
        return COMBINATIONS_AT_MOST
    rows = set()
    for values in itertools.product(*free.values()):
        row = dict(zip(free, values))
        if all(decide(c, row) is not False for c in conditions):
            rows.add(tuple(row.get(n) or op.dtypes.value(n, row) for n in dispatch))
    return len(rows)
