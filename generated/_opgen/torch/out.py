"""Support for `out=`: write results to tensors that the caller passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ..core.kinds import is_list, wrong_kind
from ..core.project import NAMESPACE
from .caches import salt
from .call import CALLS, Call
from .dtypes import DTYPES
from .eager import eager, traced
from .kinds import unfit
from .library import find_op, library, register_rule


@dataclass(frozen=True)
class Out:
    """The overload `out` of an op, with the names of the tensors that it writes."""

    op: torch._ops.OpOverload
    eager: Callable[..., None]
    traced: Callable[..., None]
    names: tuple[str, ...]


OUTS: dict[str, Out] = {}


def register_out(name: str) -> None:
    """Register the overload `out` of op `name`: a fake kernel, and a rule that raises an error if a
    call would be differentiated.
    """
    call, op = CALLS[name], find_op(name, "out")
    op.tags.append(torch.Tag.pt2_compliant_tag)
    names = tuple(each.name for each in op._schema.arguments if each.kwarg_only)
    OUTS[name] = Out(op, eager(op), traced(op), names)
    inputs = " ".join(call.inputs)
    register_rule(f"op {name}.out ->\nrefuse {inputs}")

    def fake(*args: Any, **kwargs: Any) -> None:
        salt()
        out = [kwargs.pop(each, None) for each in names]
        check_out(call, names, out, call.bind(args, kwargs))

    torch.library.register_fake(f"{NAMESPACE}::{name}.out", fake, lib=library)


def write(name: str, out: Tensor | Sequence[Tensor | None], *args: Any) -> Any:
    """Call op `name`, write its results to `out`, and return `out`.

    An element of `out` is None for a result that the call does not have. As in PyTorch's own ops, a
    tensor without elements is first resized to the shape of the result. Raises TypeError for a
    wrong dtype. Raises ValueError for a wrong number of tensors, a wrong shape or device, or
    overlapping memory.
    """
    overload = OUTS[name]
    given = _given(name, out)
    if len(given) != len(overload.names):
        results = len(overload.names)
        raise ValueError(
            f"{name}: out: expected a tensor for each result, {results}, got {len(given)}"
        )
    for tensor in given:
        if tensor is not None and tensor.numel() == 0:
            _give_shapes(CALLS[name], given, args)
            break
    try:
        if is_dynamo_compiling():
            overload.traced(*args, *given)
        else:
            overload.eager(*args, *given)
    except (RuntimeError, ValueError):
        check_out(CALLS[name], overload.names, given, CALLS[name].bind(args))
        raise
    return out


def _given(name: str, out: Any) -> tuple[Tensor | None, ...]:
    """Return `out` as a tuple with one item for each result: a tensor or None."""
    if isinstance(out, Tensor):
        return (out,)
    if not is_list(out):
        raise wrong_kind(name, "out", "a tensor, or one for each result", out)
    for index, each in enumerate(out):
        if each is not None and not isinstance(each, Tensor):
            raise wrong_kind(name, f"out[{index}]", "a tensor", each)
    return tuple(out)


def _give_shapes(call: Call, given: Sequence[Tensor | None], args: Sequence[Any]) -> None:
    for tensor, spec in zip(given, call.results(call.bind(args))):
        if tensor is not None and spec is not None and tensor.numel() == 0:
            tensor.resize_(spec.shape)


def check_out(
    call: Call, names: Sequence[str], out: Sequence[Tensor | None], arguments: Mapping[str, Any]
) -> None:
    """Check that the tensors `out`, with these `names`, match the results of a call.

    Raises TypeError for a wrong dtype or kind, and ValueError for any other mismatch.
    """
    specs, device = call.results(arguments), call.device(arguments)
    for name, tensor, spec in zip(names, out, specs):
        where = f"{call.name}: {name}: expected"
        if spec is None and tensor is None:
            continue
        if spec is None:
            raise ValueError(f"{where} None, since this call has no such result")
        if tensor is None:
            raise ValueError(f"{where} a tensor, got None")
        if refused := unfit(tensor):
            raise wrong_kind(call.name, name, "a tensor", refused)
        if tensor.dtype != DTYPES[spec.dtype]:
            raise TypeError(f"{where} dtype {DTYPES[spec.dtype]}, got {tensor.dtype}")
        if tuple(tensor.shape) != tuple(spec.shape):
            raise ValueError(f"{where} shape {tuple(spec.shape)}, got {tuple(tensor.shape)}")
        if tensor.device != device:
            raise ValueError(f"{where} a tensor on {device}, got one on {tensor.device}")
