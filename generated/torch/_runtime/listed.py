"""Ops that choose among several kernels: what they are, and which one a call takes.

Rendered by opgen.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import torch

from ...core import _kernel_choice as _kernels
from ...core._kernel_choice import Listed, Which
from .call import CALLS, device_facts

P = ParamSpec("P")
R = TypeVar("R")


def listed(name: str) -> Callable[[Callable[P, R]], Listed[P, R]]:
    """Give the function of the op `name` what tells of its kernels."""

    def decorate(function: Callable[P, R]) -> Listed[P, R]:
        found = cast(Any, function)
        found.kernels = lambda: _kernels.names_of(name)
        found.which = _which(name, inspect.signature(function))
        return cast(Listed[P, R], found)

    return decorate


def _which(name: str, signature: inspect.Signature) -> Callable[..., Which]:
    def which(*args: Any, **kwargs: Any) -> Which:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        call = CALLS[name]
        arguments = {each: bound.arguments.get(each) for each in call.defaults}
        if "wanted" in bound.arguments:
            arguments["wanted"] = call.bits(bound.arguments["wanted"])
        call.results(arguments)
        device = call.device(arguments)
        if call.core.bind is None:
            return _kernels.which(name, device.type, None)
        known = inspect.signature(call.core.bind).parameters
        facts = dict(device_facts(device.type, device.index))
        if device.type == "cpu":
            facts["sms"] = torch.get_num_threads()
        launch = call.launch(arguments, **{n: v for n, v in facts.items() if n in known})
        return _kernels.which(name, device.type, launch)

    return which
