"""Results that are written to tensors of the caller's. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .call import CALLS, Call
from .dtypes import DTYPES
from .library import NAMESPACE, find_op, library, register_rule

# The overload `out` of an op, and how it calls what it writes to.
OUTS: dict[str, tuple[torch._ops.OpOverload, tuple[str, ...]]] = {}


def register_out(name: str) -> None:
    """Complete the overload `out` of op `name`: it has a fake kernel and no gradient."""
    call, op = CALLS[name], find_op(name, "out")
    names = tuple(each.name for each in op._schema.arguments if each.kwarg_only)
    OUTS[name] = op, names
    inputs = " ".join(call.inputs)
    register_rule(f"op {name}.out ->\nrefuse {inputs}")

    def fake(*args: Any, **out: Tensor) -> None:
        _check(call, out, args)

    torch.library.register_fake(f"{NAMESPACE}::{name}.out", fake, lib=library)


def write(name: str, out: Tensor | Sequence[Tensor], *args: Any) -> Any:
    """Call op `name` so that its results are written to `out`, and give that.

    A tensor without elements gets the shape of the result first, as in PyTorch's own ops.
    Raises TypeError for a dtype, ValueError for a shape, a device or shared memory.
    """
    call = CALLS[name]
    op, names = OUTS[name]
    given = dict(zip(names, [out] if isinstance(out, Tensor) else out, strict=True))
    if any(tensor.numel() == 0 for tensor in given.values()):
        specs = call.results(call.bind(args))
        for tensor, spec in zip(given.values(), specs):
            if tensor.numel() == 0:
                tensor.resize_(spec.shape)
    try:
        op(*args, **given)
    except (RuntimeError, ValueError):
        _check(call, given, args)
        raise
    return out


def _check(call: Call, out: dict[str, Tensor], args: Sequence[Any]) -> None:
    arguments = call.bind(args)
    specs, device = call.results(arguments), call.device(arguments)
    for (name, tensor), spec in zip(out.items(), specs):
        where = f"{call.name}: {name}: expected"
        if tensor.dtype != DTYPES[spec.dtype]:
            raise TypeError(f"{where} dtype {DTYPES[spec.dtype]}, got {tensor.dtype}")
        if tuple(tensor.shape) != tuple(spec.shape):
            raise ValueError(f"{where} shape {tuple(spec.shape)}, got {tuple(tensor.shape)}")  # fmt: skip
        if tensor.device != device:
            raise ValueError(f"{where} a tensor on {device}, got one on {tensor.device}")  # fmt: skip
