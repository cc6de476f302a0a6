"""`rms_layer_norm_bwd` for JAX.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_layer_norm_bwd as _core

_reference = _runtime.reference("rms_layer_norm_bwd")
_KERNEL = _runtime.Kernel(_core)


def rms_layer_norm_bwd(
    dy: ArrayLike,
    x: ArrayLike,
    rstd: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    eps: float,
    offset: float = 0.0,
    cast_first: bool = False,
) -> tuple[jax.Array, jax.Array | None]:
    """Gradient of `rms_layer_norm` with respect to `x` and `weight`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, `promote(x.dtype, weight.dtype)` or `x.dtype`.
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        rstd (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        weight (ArrayLike, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0.
        offset (float): Default: 0.0.
        cast_first (bool): Default: False.

    Returns:
        A tuple of

        - dx (jax.Array): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (jax.Array, optional): shape `(*norm)`, the dtype of `rstd`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(eps) is not float:
        eps = _runtime.static("rms_layer_norm_bwd", "eps", eps, "float")
    if type(offset) is not float:
        offset = _runtime.static("rms_layer_norm_bwd", "offset", offset, "float")
    if type(cast_first) is not bool:
        cast_first = _runtime.static("rms_layer_norm_bwd", "cast_first", cast_first, "bool")
    try:
        return _rms_layer_norm_bwd(dy, x, rstd, weight, eps, offset, cast_first)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _rms_layer_norm_bwd,
            dy,
            x,
            rstd,
            weight,
            eps=eps,
            offset=offset,
            cast_first=cast_first,
        )


@functools.partial(jax.jit, static_argnums=(4, 5, 6))
def _rms_layer_norm_bwd(dy, x, rstd, weight, eps, offset, cast_first):
    dy, x, rstd, weight = _runtime.check(
        _KERNEL, dy, x, rstd, weight, eps=eps, offset=offset, cast_first=cast_first
    )
    return _rms_layer_norm_bwd_op(dy, x, rstd, weight, eps, offset, cast_first)


_rms_layer_norm_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, x, rstd, weight, eps, offset, cast_first):
    return (
        _rms_layer_norm_bwd_op(dy, x, rstd, weight, eps, offset, cast_first),
        (dy, x, _runtime.type_of(rstd), weight),
    )


def _backward(eps, offset, cast_first, saved, cotangents):
    dy, x, rstd, weight = saved
    ddx, ddweight = cotangents

    def reference(dy, x, weight):
        return _reference(
            _runtime.xp,
            dy,
            x,
            _runtime.unread("rms_layer_norm_bwd", "rstd", rstd),
            weight,
            eps=eps,
            offset=offset,
            cast_first=cast_first,
        )

    ddy, dx, dweight = _runtime.pullback(reference, (dy, x, weight), (ddx, ddweight))
    return (
        _runtime.as_cotangent(ddy, dy),
        _runtime.as_cotangent(dx, x),
        None,
        _runtime.as_cotangent(dweight, weight),
    )


_rms_layer_norm_bwd_op.defvjp(_forward, _backward)
_rms_layer_norm_bwd_op.defjvp(_reference, unread=("rstd",))
