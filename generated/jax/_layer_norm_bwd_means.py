"""`layer_norm_bwd_means` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_bwd_means as _core

_KERNEL = _runtime.Kernel(_core)


def layer_norm_bwd_means(
    dy: ArrayLike, x: ArrayLike, mean: ArrayLike, rstd: ArrayLike, weight: ArrayLike | None = None
) -> tuple[jax.Array, jax.Array]:
    """The means of `g = dy * weight` and of `g * (x - mean) * rstd` in each row. A step of
    `layer_norm_bwd`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (ArrayLike): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (ArrayLike): shape `(*batch)`, the dtype of `mean`.
        weight (ArrayLike, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.

    Returns:
        A tuple of

        - g_mean (jax.Array): shape `(*batch)`, the dtype of `mean`.
        - gh_mean (jax.Array): shape `(*batch)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _layer_norm_bwd_means(dy, x, mean, rstd, weight)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _layer_norm_bwd_means, dy, x, mean, rstd, weight)


@jax.jit
def _layer_norm_bwd_means(dy, x, mean, rstd, weight):
    dy, x, mean, rstd, weight = _runtime.check(_KERNEL, dy, x, mean, rstd, weight)
    dy, x, mean, rstd, weight = _runtime.no_gradient(
        "layer_norm_bwd_means", dy, x, mean, rstd, weight
    )
    return _runtime.call(_KERNEL, dy, x, mean, rstd, weight)
