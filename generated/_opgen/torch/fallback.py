"""Run reference functions if an op has no kernel."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import torch

from ..core.project import NAMESPACE
from .call import CALLS, bare, empty
from .library import find_op, library
from .out import check_out
from .references import Function

REASONS = {
    "default": "has no kernel for {}",
    "reference": "has a kernel for {} that does not take this call",
}


def fall_back(name: str, function: Function) -> None:
    """Run the reference of op `name` on devices without a kernel, and warn once.

    If a call does not meet a kernel's requirements, the kernel calls the overload `reference`. The
    reference does not compute residuals, so they are NaN. If the backward runs its own reference
    too, this reference ignores the residuals.
    """
    for overload in getattr(getattr(torch.ops, NAMESPACE), name).overloads():
        run = _writer(name) if overload == "out" else _runner(name, function, REASONS[overload])
        qualified = name if overload == "default" else f"{name}.{overload}"
        library.impl(qualified, run, "CompositeExplicitAutograd")


def _runner(name: str, function: Function, reason: str) -> Callable[..., Any]:
    """Return a PyTorch kernel of op `name` that calls the reference `function`."""

    def run(*args: Any) -> Any:
        call = CALLS[name]
        arguments = call.bind(args)
        specs, device = call.results(arguments), call.device(arguments)
        _say_once(f"{name} {reason.format(device.type)}: its reference runs")
        arguments.pop("wanted", None)
        inputs = {each: arguments.pop(each) for each in call.inputs}
        made = [empty(spec, device, inputs) for spec in specs]
        results = function(*inputs.values(), **arguments)
        outputs = results[: len(results) - len(call.updated)]
        for updated, value in zip(call.updated, results[len(outputs) :]):
            _assign(inputs[updated], value)
        residuals = map(_unknown, made[len(outputs) :])
        return bare([*map(_own, outputs, made), *residuals])

    return run


def _writer(name: str) -> Callable[..., None]:
    """Return a PyTorch kernel of the overload `out` of op `name`.

    The kernel calls the functional op, and copies its results to the given tensors.
    """

    def run(*args: Any, **kwargs: Any) -> None:
        op = find_op(name, "out")
        written = [each.name for each in op._schema.arguments if each.kwarg_only]
        given = [kwargs.pop(each, None) for each in written]
        check_out(CALLS[name], written, given, CALLS[name].bind(args, kwargs))
        results = find_op(name)(*args, **kwargs)
        results = results if isinstance(results, tuple) else (results,)
        for out, result in zip(given, results):
            if out is not None:
                out.copy_(result)

    return run


def _own(result: Any, made: Any) -> Any:
    """Return a contiguous copy of a result; None if this call does not have the result.

    A copy is needed because a result must not share memory with an input.
    """
    if made is None:
        return None
    if isinstance(result, (list, tuple)):
        return [_own(*each) for each in zip(result, made)]
    return made.copy_(result)


def _assign(given: Any, value: Any) -> None:
    """Copy the new value of an updated input to the input, if the call has that input."""
    if isinstance(given, (list, tuple)):
        for each in zip(given, value):
            _assign(*each)
    elif given is not None:
        given.copy_(value)


def _unknown(made: torch.Tensor | None) -> torch.Tensor | None:
    return None if made is None else made.fill_(math.nan)


@cache
def _say_once(text: str) -> None:
    warnings.warn(text, stacklevel=5)
