"""Results that are written to tensors of the caller's. Rendered by opgen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ...core._kinds import is_list, wrong_kind
from .call import CALLS, Call
from .dtypes import DTYPES
from .eager import eager, traced
from .kinds import unfit
from .library import NAMESPACE, find_op, library, register_rule


@dataclass(frozen=True)
class Out:
    """The overload `out` of an op, and how it calls what it writes to."""

    op: torch._ops.OpOverload
    eager: Callable[..., None]
    traced: Callable[..., None]
    names: tuple[str, ...]


OUTS: dict[str, Out] = {}


def register_out(name: str) -> None:
    """Complete the overload `out` of op `name`: it has a fake kernel and no gradient."""
    call, op = CALLS[name], find_op(name, "out")
    names = tuple(each.name for each in op._schema.arguments if each.kwarg_only)
    OUTS[name] = Out(op, eager(op), traced(op), names)
    inputs = " ".join(call.inputs)
    register_rule(f"op {name}.out ->\nrefuse {inputs}")

    def fake(*args: Any, **out: Tensor) -> None:
        _check(call, out, args)

    torch.library.register_fake(f"{NAMESPACE}::{name}.out", fake, lib=library)


def write(name: str, out: Tensor | Sequence[Tensor], *args: Any) -> Any:
    """Call op `name` so that its results are written to `out`, and give that.

    A tensor without elements gets the shape of the result first, as in PyTorch's own ops.
    Raises TypeError for a dtype, ValueError for a number of tensors, a shape, a device or
    shared memory.
    """
    overload = OUTS[name]
    given = _given(name, out)
    if len(given) != len(overload.names):
        results = len(overload.names)
        raise ValueError(
            f"{name}: out: expected a tensor for each result, {results}, got {len(given)}"
        )
    for tensor in given:
        if tensor.numel() == 0:
            _give_shapes(CALLS[name], given, args)
            break
    try:
        if is_dynamo_compiling():
            overload.traced(*args, *given)
        else:
            overload.eager(*args, *given)
    except (RuntimeError, ValueError):
        _check(CALLS[name], dict(zip(overload.names, given)), args)
        raise
    return out


def _given(name: str, out: Any) -> tuple[Tensor, ...]:
    """The tensors of `out`: one, or a list of them."""
    if isinstance(out, Tensor):
        return (out,)
    if not is_list(out):
        raise wrong_kind(name, "out", "a tensor, or one for each result", out)
    for index, each in enumerate(out):
        if not isinstance(each, Tensor):
            raise wrong_kind(name, f"out[{index}]", "a tensor", each)
    return tuple(out)


def _give_shapes(call: Call, given: Sequence[Tensor], args: Sequence[Any]) -> None:
    for tensor, spec in zip(given, call.results(call.bind(args))):
        if tensor.numel() == 0:
            tensor.resize_(spec.shape)


def _check(call: Call, out: dict[str, Tensor], args: Sequence[Any]) -> None:
    arguments = call.bind(args)
    specs, device = call.results(arguments), call.device(arguments)
    for (name, tensor), spec in zip(out.items(), specs):
        where = f"{call.name}: {name}: expected"
        if refused := unfit(tensor):
            raise wrong_kind(call.name, name, "a tensor", refused)
        if tensor.dtype != DTYPES[spec.dtype]:
            raise TypeError(f"{where} dtype {DTYPES[spec.dtype]}, got {tensor.dtype}")
        if tuple(tensor.shape) != tuple(spec.shape):
            raise ValueError(f"{where} shape {tuple(spec.shape)}, got {tuple(tensor.shape)}")
        if tensor.device != device:
            raise ValueError(f"{where} a tensor on {device}, got one on {tensor.device}")
