"""`average_` for JAX.

Rendered by opgen from in_place.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import average_ as _core

_KERNEL = _runtime.Kernel(_core)


def average_(
    averages: Sequence[ArrayLike], values: Sequence[ArrayLike], *, rate: float
) -> list[jax.Array]:
    """Moves each of `averages` by `rate` towards its one of `values`, in place.

    Args:
        averages (list of ArrayLike): shape `(*s[i])`, float32 or float64.
        values (list of ArrayLike): shape `(*s[i])`, the dtype of `averages`.
        rate (float): at least 0, at most 1.

    Returns:
        list of jax.Array: shape `(*s[i])`, float32 or float64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(rate) is not float:
        rate = _runtime.static("average_", "rate", rate, "float")
    try:
        return _average_(averages, values, rate)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _average_, averages, values, rate=rate)


@functools.partial(jax.jit, static_argnums=(2,))
def _average_(averages, values, rate):
    averages, values = _runtime.check(_KERNEL, averages, values, rate=rate)
    averages, values = _runtime.no_gradient("average_", averages, values)
    (averages,) = _runtime.call(_KERNEL, averages, values, rate=rate)
    return averages
