"""`layer_norm_bwd` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm_bwd as _core

_reference = _runtime.reference("layer_norm_bwd")
_KERNEL = _runtime.Kernel(_core)


def layer_norm_bwd(
    dy: ArrayLike,
    x: ArrayLike,
    mean: ArrayLike,
    rstd: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    eps: float,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[jax.Array | None, jax.Array | None, jax.Array | None]:
    """Gradient of `layer_norm`. Only the requested gradients are computed.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (ArrayLike): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (ArrayLike): shape `(*batch)`, the dtype of `mean`.
        weight (ArrayLike, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0.
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
    if type(eps) is not float:
        eps = _runtime.static("layer_norm_bwd", "eps", eps, "float")
    try:
        return _layer_norm_bwd(dy, x, mean, rstd, weight, eps, tuple(wanted))
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _layer_norm_bwd, dy, x, mean, rstd, weight, eps=eps, wanted=wanted
        )


@functools.partial(jax.jit, static_argnums=(5, 6))
def _layer_norm_bwd(dy, x, mean, rstd, weight, eps, wanted):
    dy, x, mean, rstd, weight = _runtime.check(
        _KERNEL, dy, x, mean, rstd, weight, eps=eps, wanted=wanted
    )
    return _layer_norm_bwd_op(dy, x, mean, rstd, weight, eps, wanted)


_layer_norm_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, x, mean, rstd, weight, eps, wanted):
    return (
        _layer_norm_bwd_op(dy, x, mean, rstd, weight, eps, wanted),
        (dy, x, _runtime.type_of(mean), _runtime.type_of(rstd), weight),
    )


def _backward(eps, wanted, saved, cotangents):
    dy, x, mean, rstd, weight = saved
    ddx, ddweight, ddbias = cotangents

    def reference(dy, x, weight):
        return _reference(
            _runtime.xp,
            dy,
            x,
            _runtime.unread("layer_norm_bwd", "mean", mean),
            _runtime.unread("layer_norm_bwd", "rstd", rstd),
            weight,
            eps=eps,
        )

    ddy, dx, dweight = _runtime.pullback(reference, (dy, x, weight), (ddx, ddweight, ddbias))
    return (
        _runtime.as_cotangent(ddy, dy),
        _runtime.as_cotangent(dx, x),
        None,
        None,
        _runtime.as_cotangent(dweight, weight),
    )


_layer_norm_bwd_op.defvjp(_forward, _backward)
_layer_norm_bwd_op.defjvp(_reference, unread=("mean", "rstd"))
