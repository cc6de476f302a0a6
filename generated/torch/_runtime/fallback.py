"""Reference functions in place of kernels that there are not. Rendered by opgen."""

from __future__ import annotations

import math
import warnings
from functools import cache
from typing import Any

import torch

from .call import CALLS, bare, empty
from .library import library
from .references import Function


def fall_back(name: str, function: Function) -> None:
    """Run the reference of op `name` on devices without a kernel; a warning says so once.

    It does not know the residuals: they are NaN, and a backward that falls back with it
    does not read them.
    """

    def run(*args: Any) -> Any:
        call = CALLS[name]
        arguments = call.bind(args)
        specs, device = call.results(arguments), call.device(arguments)
        _say_once(f"{name} has no kernel for {device.type}: its reference runs")
        inputs = [arguments.pop(each) for each in call.inputs]
        results = [_own(each) for each in function(*inputs, **arguments)]
        residuals = [empty(spec, device) for spec in specs[len(results) :]]
        return bare([*results, *(each.fill_(math.nan) for each in residuals)])

    library.impl(name, run, "CompositeExplicitAutograd")


def _own(result: torch.Tensor) -> torch.Tensor:
    """A copy: what an op gives neither shares memory with an input nor has gaps."""
    return result.clone(memory_format=torch.contiguous_format)


@cache
def _say_once(text: str) -> None:
    warnings.warn(text, stacklevel=5)
