"""Ops that choose among kernels, or values of one: what there is, and what a call takes.

Rendered by opgen.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar, cast

import torch

from ..core import kernel_choice as _kernels
from ..core.kernel_choice import Listed, Which
from ..core.runtime import Launch
from ..core.tuned import Tuned, values_of
from .call import CALLS, device_facts, platform_of

P = ParamSpec("P")
R = TypeVar("R")


def listed(name: str) -> Callable[[Callable[P, R]], Listed[P, R]]:
    """Give the function of the op `name` what tells of its kernels."""

    def decorate(function: Callable[P, R]) -> Listed[P, R]:
        found = cast(Any, function)
        signature = inspect.signature(function)
        found.kernels = functools.partial(_kernels.kernels_of, name)
        found.which = lambda *args, **kwargs: _which(name, signature, args, kwargs)
        found.tuned = lambda *args, **kwargs: _values(name, signature, args, kwargs)
        return cast(Listed[P, R], found)

    return decorate


def tuned(name: str) -> Callable[[Callable[P, R]], Tuned[P, R]]:
    """Give the function of the op `name` what tells of the values that are chosen."""

    def decorate(function: Callable[P, R]) -> Tuned[P, R]:
        found = cast(Any, function)
        signature = inspect.signature(function)
        found.tuned = lambda *args, **kwargs: _values(name, signature, args, kwargs)
        return cast(Tuned[P, R], found)

    return decorate


def _which(
    name: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Which:
    device, launch = _launch(name, signature, args, kwargs)
    platform = platform_of(device.type)
    if torch.are_deterministic_algorithms_enabled():
        found = _kernels.which(name, platform, launch, also=["deterministic"])
        if found.kernel is not None or not torch.is_deterministic_algorithms_warn_only_enabled():
            return found
    return _kernels.which(name, platform, launch)


def _values(
    name: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, int]:
    device, launch = _launch(name, signature, args, kwargs)
    threads = torch.get_num_threads() if device.type == "cpu" else 1
    index = -1 if device.index is None else device.index
    return values_of(name, platform_of(device.type), launch, threads, index)


def _launch(
    name: str, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[torch.device, Launch[Any] | None]:
    """Where a call runs, and what it gives kernels; None: nothing that they look at."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    call = CALLS[name]
    arguments = {each: bound.arguments.get(each) for each in call.defaults}
    if "wanted" in bound.arguments:
        arguments["wanted"] = call.bits(bound.arguments["wanted"])
    call.results(arguments)
    device = call.device(arguments)
    if call.core.bind is None:
        return device, None
    known = inspect.signature(call.core.bind).parameters
    facts = dict(device_facts(device.type, device.index))
    if device.type == "cpu":
        facts["sms"] = torch.get_num_threads()
    return device, call.launch(arguments, **{n: v for n, v in facts.items() if n in known})
