"""`layer_norm_bwd_apply` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_bwd_apply as _core

_KERNEL = _runtime.Kernel(_core)


def layer_norm_bwd_apply(
    dy: ArrayLike,
    x: ArrayLike,
    mean: ArrayLike,
    rstd: ArrayLike,
    weight: ArrayLike | None = None,
    g_mean: ArrayLike | None = None,
    gh_mean: ArrayLike | None = None,
    *,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[jax.Array | None, jax.Array | None, jax.Array | None]:
    """The requested gradients of `layer_norm`, computed from the means of its rows. A step of
    `layer_norm_bwd`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (ArrayLike): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (ArrayLike): shape `(*batch)`, the dtype of `mean`.
        weight (ArrayLike, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        g_mean (ArrayLike, optional): shape `(*batch)`, the dtype of `mean`.
        gh_mean (ArrayLike, optional): shape `(*batch)`, the dtype of `mean`.
        wanted (Collection[str]): results to compute, of "dx", "dweight", "dbias". The others are
            None. Default: all.

    Returns:
        A tuple of

        - dx (jax.Array, optional): shape `(*batch, *norm)`, the dtype of `dy`.
        - dweight (jax.Array, optional): shape `(*norm)`, the dtype of `mean`.
        - dbias (jax.Array, optional): shape `(*norm)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _layer_norm_bwd_apply(dy, x, mean, rstd, weight, g_mean, gh_mean, tuple(wanted))
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _layer_norm_bwd_apply,
            dy,
            x,
            mean,
            rstd,
            weight,
            g_mean,
            gh_mean,
            wanted=wanted,
        )


@functools.partial(jax.jit, static_argnums=(7,))
def _layer_norm_bwd_apply(dy, x, mean, rstd, weight, g_mean, gh_mean, wanted):
    dy, x, mean, rstd, weight, g_mean, gh_mean = _runtime.check(
        _KERNEL, dy, x, mean, rstd, weight, g_mean, gh_mean, wanted=wanted
    )
    dy, x, mean, rstd, weight, g_mean, gh_mean = _runtime.no_gradient(
        "layer_norm_bwd_apply", dy, x, mean, rstd, weight, g_mean, gh_mean
    )
    return _runtime.call(_KERNEL, dy, x, mean, rstd, weight, g_mean, gh_mean, wanted=wanted)
