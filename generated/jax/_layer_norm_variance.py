"""`layer_norm_variance` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_variance as _core

_reference = _runtime.reference("layer_norm_variance")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def layer_norm_variance(
    x: ArrayLike, mean: ArrayLike, *, normalized_shape: Sequence[int]
) -> jax.Array:
    """The mean of the squares of `x - mean` in each row. A step of `layer_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        mean (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        normalized_shape (Sequence[int])

    Returns:
        jax.Array: shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    normalized_shape = _runtime.static(
        "layer_norm_variance", "normalized_shape", normalized_shape, "int[]"
    )
    try:
        return _layer_norm_variance(x, mean, normalized_shape)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _layer_norm_variance, x, mean, normalized_shape=normalized_shape
        )


@functools.partial(jax.jit, static_argnums=(2,))
def _layer_norm_variance(x, mean, normalized_shape):
    x, mean = _runtime.check(_KERNEL, x, mean, normalized_shape=normalized_shape)
    x, mean = _runtime.no_gradient("layer_norm_variance", x, mean)
    (variance,) = _runtime.call(_KERNEL, x, mean, normalized_shape=normalized_shape)
    return variance
