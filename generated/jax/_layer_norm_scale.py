"""`layer_norm_scale` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_scale as _core

_reference = _runtime.reference("layer_norm_scale")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def layer_norm_scale(
    x: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> tuple[jax.Array, jax.Array]:
    """Rows of `x` minus their mean, divided by their standard deviation, scaled and shifted. A step
    of `layer_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        mean (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        variance (ArrayLike): shape `(*batch)`, the dtype of `mean`.
        weight (ArrayLike, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        bias (ArrayLike, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        normalized_shape (Sequence[int])
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - y (jax.Array): shape `(*batch, *normalized_shape)`, the dtype of `x`.
        - rstd (jax.Array): shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    normalized_shape = _runtime.static(
        "layer_norm_scale", "normalized_shape", normalized_shape, "int[]"
    )
    if type(eps) is not float:
        eps = _runtime.static("layer_norm_scale", "eps", eps, "float")
    try:
        return _layer_norm_scale(x, mean, variance, weight, bias, normalized_shape, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _layer_norm_scale,
            x,
            mean,
            variance,
            weight,
            bias,
            normalized_shape=normalized_shape,
            eps=eps,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(5, 6))
def _layer_norm_scale(x, mean, variance, weight, bias, normalized_shape, eps):
    x, mean, variance, weight, bias = _runtime.check(
        _KERNEL, x, mean, variance, weight, bias, normalized_shape=normalized_shape, eps=eps
    )
    x, mean, variance, weight, bias = _runtime.no_gradient(
        "layer_norm_scale", x, mean, variance, weight, bias
    )
    return _runtime.call(
        _KERNEL, x, mean, variance, weight, bias, normalized_shape=normalized_shape, eps=eps
    )
