"""Methods of op functions that report which kernel runs, and with which tuned values."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

import jax
from jax.experimental.xla_metadata import set_xla_metadata

from ..core import kernel_choice as _kernels
from ..core.kernel_choice import Listed, Which
from ..core.project import NAMESPACE
from ..core.runtime import Launch
from ..core.tuned import Tuned, values_of
from .check import arrays
from .kernel import Kernel
from .platforms import platform_of

P = ParamSpec("P")
R = TypeVar("R")


def listed(kernel: Kernel) -> Callable[[Callable[P, R]], Listed[P, R]]:
    """Decorate the function of a kernel's op with methods that report which kernel runs."""

    def decorate(function: Callable[P, R]) -> Listed[P, R]:
        which, values = partial(_which, kernel), partial(_values, kernel)
        found: Any = _kernels.asked(function, which=which, tuned=values)
        found.kernels = partial(_kernels.kernels_of, kernel.core.name)
        return cast(Listed[P, R], found)

    return decorate


def tuned(kernel: Kernel) -> Callable[[Callable[P, R]], Tuned[P, R]]:
    """Decorate the function of a kernel's op with a method that returns a call's tuned values."""

    def decorate(function: Callable[P, R]) -> Tuned[P, R]:
        found: Tuned[P, R] = _kernels.asked(function, tuned=partial(_values, kernel))
        return found

    return decorate


def _which(kernel: Kernel, given: Mapping[str, Any]) -> Which:
    return _kernels.which(kernel.core.name, *_launch(kernel, given))


def _values(kernel: Kernel, given: Mapping[str, Any]) -> dict[str, int]:
    platform, launch = _launch(kernel, given)
    threads = 1
    if platform == "cpu":  # XLA's pool: a thread for each processor, and for each device
        threads = max(len(os.sched_getaffinity(0)), jax.local_device_count("cpu"))
    return values_of(kernel.core.name, platform, launch, threads, 0)


def _launch(kernel: Kernel, given: Mapping[str, Any]) -> tuple[str, Launch[Any] | None]:
    """Return a call's platform, and the arguments of its kernels. The arguments are None if the
    choice of a kernel does not depend on them.
    """
    inputs = arrays(kernel, [given.get(name) for name in kernel.arguments])
    attrs = {name: given[name] for name in kernel.options if name in given}
    wanted = given.get("wanted", ())
    kernel.infer(inputs, attrs, wanted)
    platform = _platform_of(inputs)
    launch = None
    if kernel.core.bind is not None:
        launch = kernel.launch(platform, inputs, attrs, wanted)
    return platform, launch


def _platform_of(inputs: Any) -> str:
    """Return the spec's name for the platform of a call with these arrays."""
    for x in jax.tree.leaves(inputs):
        if isinstance(x, jax.Array) and not isinstance(x, jax.core.Tracer):
            return platform_of(next(iter(x.devices())))
    return platform_of(jax.local_devices()[0])


@contextlib.contextmanager
def _forced(kernels: str) -> Iterator[None]:
    """Let JAX use the forced kernels inside a `with` block. `kernels` names them.

    The block starts after all earlier calls have finished, and ends after its own calls have
    finished. A trace contains one kernel or the reference. JAX does not reuse the trace for another
    kernel, because the metadata set here is part of the key in JAX's cache of traces.
    """
    jax.block_until_ready(jax.live_arrays())
    with set_xla_metadata(**{f"{NAMESPACE}_kernels": kernels}):
        yield
    jax.block_until_ready(jax.live_arrays())


_kernels.around.append(_forced)
