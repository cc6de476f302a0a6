"""Where an op says something by cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opgen.source.diagnostics import Path
from opgen.spec.cases import Cases
from opgen.spec.op import OpSpec


def case_tables(op: OpSpec) -> Iterator[tuple[Path, str | None, Cases[Any]]]:
    """(path, whose it is, value) of all that may go by cases; only a tensor's absence makes it moot."""
    for name, tensor in op.tensors.items():
        for key in ("dtype", "shape", "layout", "values", "update"):
            yield (*tensor.path, key), name, getattr(tensor, key)
        for split, reduction in tensor.reduce.items():
            yield (*tensor.path, "reduce", split), name, reduction
    for name, dim in op.dims.items():
        yield ("dims", name), None, dim.value
    yield ("grad",), None, op.grad
    yield ("sharding", "split"), None, op.sharding.split
    for kernel in op.kernels.values():
        yield (*kernel.path, "symbol"), None, kernel.symbol
