"""Count the combinations of dtypes for which opgen instantiates a kernel template."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping

from opgen.language.analysis import analysis
from opgen.language.call_variants import ways
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, parse_expr
from opgen.language.expr.decide import decide
from opgen.lint.op_context import OpContext
from opgen.spec.models.kernels import KernelSpec
from opgen.spec.models.tensors import TensorSpec

COMBINATIONS_AT_MOST = 50_000


@analysis
def variables_of(op: OpContext) -> list[str]:
    """Return the names valid in `dispatch`: tensors' dtype variables and required dtype attrs."""
    spec = op.spec
    carried = {d for tensor in spec.tensors.values() for d in tensor.dtype.values()}
    attrs = [n for n, a in spec.attrs.items() if a.type == "dtype" and not a.optional]
    used = carried | {v for c in carried for v in op.dtypes.free(c)}
    known = [n for n in spec.dtypes if n in used or n in attrs]
    return [*known, *(a for a in attrs if a not in spec.dtypes)]


@analysis
def free_of(op: OpContext) -> dict[str, tuple[str, ...]]:
    """Return the possible dtypes of each name in `variables_of(op)` that is not derived."""
    free = {}
    for name in variables_of(op):
        if name in op.spec.attrs:
            choices = op.spec.attrs[name].choices
            free[name] = tuple(DTYPES) if choices is None else choices
        elif name in op.free_dtypes:
            free[name] = op.free_dtypes[name]
    return free


@analysis
def tables(op: OpContext) -> tuple[tuple[str, int], ...]:
    """Return (platform, number of rows in the dispatch table) for every kernel with such a table."""
    return tuple(_tables(op))


def _tables(op: OpContext) -> Iterator[tuple[str, int]]:
    free = free_of(op)
    for kernel in op.spec.kernels:
        if kernel.named:
            continue
        dispatch = kernel.dispatch
        if dispatch is None:
            asking = (n for n in op.dtypes.asking if n in variables_of(op))
            known = (n for n in free if not op.spec.may_be_none(n))
            dispatch = (*known, *asking)
        yield kernel.platform, _rows(op, free, dispatch, conditions_of(op, kernel))


def conditions_of(op: OpContext, kernel: KernelSpec) -> list[Expr]:
    """Return the requirements of the op and the kernel, with derived dtype variables expanded."""
    own = (op.over_free(parse_expr(each.condition)) for each in kernel.require)
    return [*op.require, *own]


def possible_dtypes(
    op: OpContext, kernel: KernelSpec, tensors: Iterable[TensorSpec]
) -> Iterator[tuple[TensorSpec, str]]:
    """Yield each of `tensors` with each dtype that it has in a call that `kernel` may receive."""
    conditions, free = conditions_of(op, kernel), free_of(op)
    found: dict[tuple[str, str], TensorSpec] = {}
    for values in itertools.product(*free.values()):
        row = dict(zip(free, values))
        if all(decide(condition, row) is not False for condition in conditions):
            for tensor in tensors:
                for written in tensor.dtype.values():
                    found |= {(tensor.name, d): tensor for d in op.dtypes.possible(written, row)}
    yield from ((tensor, dtype) for (_, dtype), tensor in found.items())


def _rows(
    op: OpContext,
    free: Mapping[str, tuple[str, ...]],
    dispatch: tuple[str, ...],
    conditions: list[Expr],
) -> int:
    """Return the number of dtype combinations of the names in `dispatch` that meet `conditions`.

    If there are too many combinations to check, return `COMBINATIONS_AT_MOST`.
    """
    others = ways(op.scope, [op.dtypes.expression(name) for name in dispatch])
    if not conditions and len(others) == 1:
        count = 1
        for name in dispatch:
            count *= len(free.get(name, op.dtypes.choices.get(name, ("",))))
        return count
    if math.prod(map(len, (*free.values(), others))) > COMBINATIONS_AT_MOST:
        return COMBINATIONS_AT_MOST
    rows: set[tuple[str, ...]] = set()
    for dtypes, other in itertools.product(itertools.product(*free.values()), others):
        values = {**dict(zip(free, dtypes)), **other}
        if all(decide(c, values) is not False for c in conditions):
            rows.update(itertools.product(*(op.dtypes.possible(n, values) for n in dispatch)))
    return len(rows)
