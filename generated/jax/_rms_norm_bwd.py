"""`rms_norm_bwd` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm_bwd as _core

# Autodiff of `rms_norm`'s reference.
_reference = _runtime.reference("rms_norm_bwd")
_KERNEL = _runtime.Kernel(_core)


def rms_norm_bwd(
    dy: ArrayLike, invvar: ArrayLike, x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-05
) -> tuple[jax.Array, jax.Array]:
    """Gradient of `rms_norm` with respect to `x` and `weight`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(*norm)`, the dtype of `dy`.
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - dx (jax.Array): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (jax.Array): shape `(*norm)`, `accum(promote(x.dtype, dy.dtype))`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(eps) is not float:
        eps = _runtime.static("rms_norm_bwd", "eps", eps, "float")
    try:
        return _rms_norm_bwd(dy, invvar, x, weight, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_bwd, dy, invvar, x, weight, eps=eps)


@functools.partial(jax.jit, static_argnums=(4,))
def _rms_norm_bwd(dy, invvar, x, weight, eps):
    dy, invvar, x, weight = _runtime.check(_KERNEL, dy, invvar, x, weight, eps=eps)
    return _rms_norm_bwd_op(dy, invvar, x, weight, eps)


_rms_norm_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, invvar, x, weight, eps):
    return (_rms_norm_bwd_op(dy, invvar, x, weight, eps), (dy, x, weight))


def _backward(eps, saved, cotangents):
    dy, x, weight = saved
    ddx, ddweight = cotangents

    def reference(dy, x, weight):
        return _reference(_runtime.xp, dy, None, x, weight, eps=eps)

    ddy, dx, dweight = _runtime.pullback(reference, (dy, x, weight), (ddx, ddweight))
    return (
        _runtime.as_cotangent(ddy, dy),
        None,
        _runtime.as_cotangent(dx, x),
        _runtime.as_cotangent(dweight, weight),
    )


_rms_norm_bwd_op.defvjp(_forward, _backward)
_rms_norm_bwd_op.defjvp(_reference)
