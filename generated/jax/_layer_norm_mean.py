"""`layer_norm_mean` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_mean as _core

_reference = _runtime.reference("layer_norm_mean")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def layer_norm_mean(x: ArrayLike, *, normalized_shape: Sequence[int]) -> jax.Array:
    """The mean of each row of `x`. A step of `layer_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        normalized_shape (Sequence[int])

    Returns:
        jax.Array: shape `(*batch)`, float32 (float64 if `x` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    normalized_shape = _runtime.static(
        "layer_norm_mean", "normalized_shape", normalized_shape, "int[]"
    )
    try:
        return _layer_norm_mean(x, normalized_shape)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _layer_norm_mean, x, normalized_shape=normalized_shape)


@functools.partial(jax.jit, static_argnums=(1,))
def _layer_norm_mean(x, normalized_shape):
    (x,) = _runtime.check(_KERNEL, x, normalized_shape=normalized_shape)
    (x,) = _runtime.no_gradient("layer_norm_mean", x)
    (mean,) = _runtime.call(_KERNEL, x, normalized_shape=normalized_shape)
    return mean
