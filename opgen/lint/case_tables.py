"""Find the values of an op that a spec defines by a table from conditions to values (cases)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opgen.source.diagnostics import Path
from opgen.spec.cases import Cases
from opgen.spec.models.ops import OpSpec


def case_tables(op: OpSpec) -> Iterator[tuple[Path, str | None, Cases[Any]]]:
    """Yield (path, tensor name, cases) for each table of cases in the op.

    The tensor name is None if the table does not belong to a tensor. If the table belongs to a
    tensor, it has no effect in calls without this tensor.
    """
    for name, tensor in op.tensors.items():
        for key, cases in tensor.cases.items():
            if cases.by_table:
                yield (*tensor.path, *key), name, cases
    others: list[tuple[Path, Cases[Any]]]
    others = [(("dtypes", name), dtype.value) for name, dtype in op.own_dtypes.items()]
    others += [(("dims", name), dim.value) for name, dim in op.dims.items()]
    others += [(("grad",), op.grad), (("sharding", "split"), op.sharding.split)]
    others += [((*kernel.path, "symbol"), kernel.symbol) for kernel in op.kernels]
    for path, cases in others:
        if cases.by_table:
            yield path, None, cases
