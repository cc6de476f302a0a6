"""Forward mode: compute the tangents of an op's results, from its reference or its gradient
formulas.

The ops that compute tangents are defined at the first call that has a tangent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.forward_ad import unpack_dual
from torch.utils._pytree import tree_flatten, tree_unflatten

from ..core.kinds import is_list
from .call import CALLS
from .kinds import schema_type
from .library import find_op, library, on_forward_mode
from .references import Function, Unread, like


@dataclass(frozen=True)
class ForwardMode:
    """The way to compute the tangents of an op's results.

    If `reference` is None, the formulas give the tangents. The reference must not read the inputs
    in `unread`, which are computed from other inputs.
    """

    reference: Function | None
    unread: Sequence[str]


WAYS: dict[str, ForwardMode] = {}
_DEFINED: set[str] = set()
_LOCK = threading.Lock()


@on_forward_mode
def define(name: str) -> None:
    """Define the ops that compute the tangents of op `name`, once."""
    with _LOCK:
        if name not in _DEFINED:
            _define(name, WAYS[name])
            _DEFINED.add(name)


def _define(name: str, way: ForwardMode) -> None:
    arguments = ", ".join(
        f"{schema_type(each)} {each.name}" for each in find_op(name)._schema.arguments
    )

    def add(suffix: str, function: Callable[..., list[Tensor | None]]) -> None:
        def tangents(*args: Any) -> list[Tensor | None]:
            with _as_in_the_call():
                return function(name, args)

        library.define(f"{name}_{suffix}({arguments}) -> Tensor?[]")
        library.impl(f"{name}_{suffix}", tangents, "CompositeImplicitAutograd")

    add("formulas_jvp", _of_formulas)
    if way.reference is not None:
        add("reference_jvp", _of_reference)


@contextmanager
def _as_in_the_call() -> Iterator[None]:
    """Return a context in which ops run through all active functorch transforms.

    Inside a kernel, the dispatcher has already entered the innermost transform, and would apply no
    other transform to the ops that the kernel calls. A transform cannot be entered twice. The
    context therefore replaces the innermost transform by a copy.
    """
    functorch = torch._C._functorch
    innermost = functorch.peek_interpreter_stack()
    if innermost is None:
        yield
        return
    keys = json.loads(innermost.serialize())["savedLocalDispatchKeySet"]
    layer = functorch.pop_dynamic_layer_stack()
    functorch._jvp_increment_nesting()
    sets = (torch._C.DispatchKeySet.from_raw_repr(keys[each]) for each in ("included", "excluded"))
    try:
        with torch._C._ForceDispatchKeyGuard(*sets):
            yield
    finally:
        functorch.pop_dynamic_layer_stack()
        functorch.push_dynamic_layer_stack(layer)


def _of_reference(name: str, args: Sequence[Any]) -> list[Tensor | None]:
    """Return the tangents of the results, by differentiating the reference in forward mode."""
    call, way = CALLS[name], WAYS[name]
    assert way.reference is not None
    arguments = call.bind(args)
    specs = _shown(name, call.results(arguments))
    arguments.pop("wanted", None)
    for each in way.unread:
        if arguments[each] is not None:
            arguments[each] = Unread(name, each, arguments[each])
    inputs = [arguments.pop(each) for each in call.inputs]
    pairs = zip(_shown(name, way.reference(*inputs, **arguments)), specs, strict=True)
    return [
        like(unpack_dual(y, level=0).tangent, spec) if y is not None and spec is not None else None
        for y, spec in pairs
    ]


def _of_formulas(name: str, args: Sequence[Any]) -> list[Tensor | None]:
    """Return the tangents by transposing the op's gradient, which is linear in the cotangents."""
    leaves, tree = tree_flatten(list(args))
    duals = {n: unpack_dual(x, level=0) for n, x in enumerate(leaves) if isinstance(x, Tensor)}
    moving = {n: dual for n, dual in duals.items() if dual.tangent is not None}
    shown: list[Any] = []

    def results(*primals: Tensor) -> list[Tensor]:
        given = {**dict(enumerate(leaves)), **dict(zip(moving, primals))}
        made = find_op(name)(*tree_unflatten([*given.values()], tree))
        shown[:] = _shown(name, made if isinstance(made, tuple) else (made,))
        return [y for y in shown if _is_floating(y)]

    vjp: Any = torch.func.vjp
    ys, pull = vjp(results, *(dual.primal for dual in moving.values()))
    (tangents,) = vjp(pull, [*map(torch.zeros_like, ys)])[1](
        tuple(dual.tangent for dual in moving.values())
    )
    made = iter(tangents)
    return [next(made) if _is_floating(y) else None for y in shown]


def _shown(name: str, results: Sequence[Any]) -> list[Any]:
    """Return the results that have tangents, with lists flattened. An absent result is None."""
    named = zip(CALLS[name].facts.results, results)
    values = [value for result, value in named if not (result.constant or result.residual)]
    return [x for value in values for x in (value if is_list(value) else [value])]


def _is_floating(y: Any) -> bool:
    return isinstance(y, Tensor) and (y.is_floating_point() or y.is_complex())
