"""Gradients by automatic differentiation of reference functions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor

from ..core.project import core_op
from ..core.references import reference_of
from .call import CALLS, attr_of, bare, empty, spec_of
from .dtypes import DTYPES
from .kinds import tensors_in
from .library import library

Function = Callable[..., tuple[Any, ...]]


def reference(op: str, *, completes: bool = False) -> Function:
    """Return the reference of an op, a function that returns a tuple. The first call imports it.

    If a backward op has no own reference, this is autodiff of the forward's reference.
    Residuals are not read but computed again. `completes` means that attrs have defaults that
    depend on sizes.
    """

    def call(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        from array_api_compat import torch as xp

        found, core = reference_of(op), core_op(op)
        options = values = {name: attr_of(value) for name, value in attrs.items()}
        if completes or found.gradients:
            values = core.complete(*map(spec_of, inputs), **options)
        if not found.gradients:
            return found(xp, *inputs, **values)
        given = dict(zip((each.name for each in core.facts.inputs), inputs))
        made = core.infer(*map(spec_of, inputs), **options)
        device = next(x.device for x in inputs if isinstance(x, Tensor))

        def zeros(result: int) -> Any:
            return torch.zeros_like(empty(made[result], device))

        return tuple(map(like, found.differentiate(xp, given, values, zeros, pull_back), made))

    return call


class Unread:
    """An object that replaces a residual while a reference is differentiated. It raises
    NotImplementedError if the reference reads the residual.
    """

    def __init__(self, op: str, name: str, value: Tensor) -> None:
        self.shape, self.dtype, self.ndim = value.shape, value.dtype, value.ndim
        self.refusal = f"{op}: its reference reads {name}, a residual: a derivative would take that for a constant"

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(self.refusal)

    @classmethod
    def __torch_function__(
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError(next(each.refusal for each in args if isinstance(each, cls)))


def define_gradient(
    op: str,
    signature: str,
    function: Function,
    *,
    wanted: Sequence[str],
    unread: Sequence[str] = (),
) -> None:
    """Define the op that differentiates `function`, the reference of `op`.

    `signature` is the new op's schema without its name. The new op takes the cotangents of the
    results (None if absent), the inputs, the attrs, and a bool for each gradient in `wanted`.
    Inputs in `unread` are computed from other inputs and have no gradient. A reference that reads
    them raises NotImplementedError.
    """
    name = f"{op}_reference_vjp"

    def gradient(*args: Any) -> Any:
        *rest, needed = args
        call = CALLS[op]
        inputs, attrs = call.inputs, call.facts.attrs
        count = len(rest) - len(inputs) - len(attrs)
        given = dict(zip((*inputs, *attrs), rest[count:]))
        keywords = {name: given.pop(name) for name in attrs}
        given |= {name: Unread(op, name, given[name]) for name in unread}
        by = [name for name, asked in zip(wanted, needed) if asked and name not in unread]

        def results(*some: Any) -> tuple[Any, ...]:
            return function(*(given | dict(zip(by, some))).values(), **keywords)

        xs = [given[name] for name in by]
        found = dict(zip(by, pull_back(results, xs, rest[:count])))
        return bare([found.get(name) for name in wanted])

    # It is also registered for functorch's first key, because no transform may start inside another
    # one.
    library.define(name + signature)
    for key in ("CompositeImplicitAutograd", "FuncTorchDynamicLayerFrontMode"):
        library.impl(name, gradient, key)


def pull_back(function: Function, xs: Sequence[Any], dys: Sequence[Any]) -> Any:
    """Return the gradients of `function` with respect to `xs`. A result with the cotangent None is
    ignored.
    """

    def counted(*some: Any) -> tuple[Any, ...]:
        pairs = zip(function(*some), dys)
        return tuple(y for y, dy in pairs if dy is not None)

    if not xs:  # only gradients of unread inputs are requested: check that they are not read
        counted()
        return ()
    with _replicated(xs):
        made: Any = torch.func.vjp(counted, *xs)
        ys, pullback = made
        given = (dy for dy in dys if dy is not None)
        return pullback(tuple(map(like, given, ys)))


def _replicated(tensors: Iterable[Any]) -> AbstractContextManager[Any]:
    """Return a context for running a reference on DTensors.

    Inside this context, plain tensors that the reference creates count as replicated over all
    processes.
    """
    module = sys.modules.get("torch.distributed.tensor")
    flat = (each for tensor in tensors for each in tensors_in(tensor))
    if module is None or not any(isinstance(each, module.DTensor) for each in flat):
        return nullcontext()
    from torch.distributed.tensor.experimental import implicit_replication

    return implicit_replication()


def like(tensor: Any, other: Any) -> Any:
    """Cast `tensor`, or each tensor of a list, to the dtype of `other`, unless one is None."""
    if tensor is None or other is None:
        return tensor
    if isinstance(other, list):
        return list(map(like, tensor, other))
    return tensor.to(DTYPES.get(other.dtype, other.dtype))
