"""`layer_norm_bwd_apply` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from ..core import layer_norm_bwd_apply as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=(
        "*batch *norm",
        "*batch *norm",
        "*batch",
        "*batch",
        "*batch",
        "*batch",
        "*norm",
    ),
    outputs=("*batch *norm", "*norm", "*norm"),
    platforms=("cpu", "cuda"),
    on_request=("dx", "dweight", "dbias"),
    varies=True,
    split=("batch", "norm"),
    reduce=({}, {"batch": "sum"}, {"batch": "sum"}),
    fold=("batch",),
)


def layer_norm_bwd_apply(
    dy: ArrayLike,
    x: ArrayLike,
    mean: ArrayLike,
    rstd: ArrayLike,
    g_mean: ArrayLike,
    gh_mean: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[jax.Array | None, jax.Array | None, jax.Array | None]:
    """The gradients of `layer_norm` from the means of its rows; each only where it is
    asked for: a part of `layer_norm_bwd`.

    dy: T[*batch *norm].
    x: T[*batch *norm].
    mean: Acc[*batch].
    rstd: Acc[*batch].
    g_mean: Acc[*batch].
    gh_mean: Acc[*batch].
    weight: W[*norm].
    wanted: the results to compute; the others are None.
    Returns dx: T[*batch *norm], dweight: Acc[*norm], dbias: Acc[*norm].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _layer_norm_bwd_apply(
            dy, x, mean, rstd, g_mean, gh_mean, weight, tuple(wanted)
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _layer_norm_bwd_apply,
            dy,
            x,
            mean,
            rstd,
            g_mean,
            gh_mean,
            weight,
            wanted=wanted,
        )


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(7,))
def _layer_norm_bwd_apply(dy, x, mean, rstd, g_mean, gh_mean, weight, wanted):
    dy, x, mean, rstd, g_mean, gh_mean, weight = _runtime.check(
        _KERNEL, dy, x, mean, rstd, g_mean, gh_mean, weight, wanted=wanted
    )
    dy, x, mean, rstd, g_mean, gh_mean, weight = _runtime.no_gradient(
        "layer_norm_bwd_apply", dy, x, mean, rstd, g_mean, gh_mean, weight
    )
    return _runtime.call(
        _KERNEL, dy, x, mean, rstd, g_mean, gh_mean, weight, wanted=wanted
    )
