"""Find the splits of an op that PyTorch's DTensor can express."""

from __future__ import annotations

from typing import Any

from opgen.ir.op import Op
from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in, substitute
from opgen.spec.cases import Cases


def untold(op: Op) -> str | None:
    """Return the reason why DTensor cannot split this op; None if DTensor can split the op."""
    if op.follow is not None:
        return None
    if any(tensor.list for tensor in op.written):
        return "the op returns a list"
    tensors = (*op.inputs, *op.written)
    cases: tuple[Cases[Any], ...] = (
        op.split,
        *(t.forms for t in tensors),
        *(how for t in tensors for _, how in t.reduce),
    )
    known = {argument.name for argument in op.arguments} | carriers(op).keys() | DTYPES.keys()
    for condition in (each for case in cases for each in case.conditions):
        for name in names_in(substitute(condition, op.asking)):
            if name not in known:
                return f"a condition reads `{name}`, which no argument has"
    return None


def carriers(op: Op) -> dict[str, str]:
    """Return, for each dtype name, the first input with this dtype that is always present."""
    return {d: t.name for t in reversed(op.inputs) if t.always for d in t.dtype.values()}
