"""Methods of op functions that return the kernels of an op, or the tuned values of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
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
    """Decorate the function of op `name` with methods that report which kernel runs."""

    def decorate(function: Callable[P, R]) -> Listed[P, R]:
        which, values = partial(_which, name), partial(_values, name)
        found: Any = _kernels.asked(function, which=which, tuned=values)
        found.kernels = partial(_kernels.kernels_of, name)
        return cast(Listed[P, R], found)

    return decorate


def tuned(name: str) -> Callable[[Callable[P, R]], Tuned[P, R]]:
    """Decorate the function of op `name` with a method that returns a call's tuned values."""

    def decorate(function: Callable[P, R]) -> Tuned[P, R]:
        found: Tuned[P, R] = _kernels.asked(function, tuned=partial(_values, name))
        return found

    return decorate


def _which(name: str, given: Mapping[str, Any]) -> Which:
    device, launch = _launch(name, given)
    platform = platform_of(device.type)
    if torch.are_deterministic_algorithms_enabled():
        found = _kernels.which(name, platform, launch, also=["deterministic"])
        if found.kernel is not None or not torch.is_deterministic_algorithms_warn_only_enabled():
            return found
    return _kernels.which(name, platform, launch)


def _values(name: str, given: Mapping[str, Any]) -> dict[str, int]:
    device, launch = _launch(name, given)
    threads = torch.get_num_threads() if device.type == "cpu" else 1
    index = -1 if device.index is None else device.index
    return values_of(name, platform_of(device.type), launch, threads, index)


def _launch(name: str, given: Mapping[str, Any]) -> tuple[torch.device, Launch[Any] | None]:
    """Return the device of a call, and the kernel arguments that decide the choice of a kernel.

    The second value is None if the choice does not depend on arguments.
    """
    call = CALLS[name]
    arguments = {each: given.get(each) for each in call.defaults}
    if "wanted" in given:
        arguments["wanted"] = call.bits(given["wanted"])
    call.results(arguments)
    device = call.device(arguments)
    if call.core.bind is None:
        return device, None
    known = {*call.facts.device, *call.core.sized_by}
    facts = dict(device_facts(device.type, device.index))
    if device.type == "cpu":
        facts["sms"] = torch.get_num_threads()
    return device, call.launch(arguments, **{n: v for n, v in facts.items() if n in known})
