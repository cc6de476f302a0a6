"""`rms_norm` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm as _core
from . import _rms_norm_bwd

_reference = _runtime.reference("rms_norm")
_KERNEL = _runtime.Kernel(_core)


def rms_norm(x: ArrayLike, weight: ArrayLike, *, eps: float = 1e-05) -> jax.Array:
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    Args:
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0. Default: 1e-05.

    Returns:
        jax.Array: shape `(*batch, *norm)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(eps) is not float:
        eps = _runtime.static("rms_norm", "eps", eps, "float")
    try:
        return _rms_norm(x, weight, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm, x, weight, eps=eps)


@functools.partial(jax.jit, static_argnums=(2,))
def _rms_norm(x, weight, eps):
    x, weight = _runtime.check(_KERNEL, x, weight, eps=eps)
    y, _ = _rms_norm_op(x, weight, eps)
    return y


_rms_norm_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, eps):
    y, invvar = _rms_norm_op(x, weight, eps)
    return ((y, invvar), (x, weight, invvar))


def _backward(eps, saved, cotangents):
    x, weight, invvar = saved
    dy, _ = cotangents
    dx, dweight = _rms_norm_bwd.rms_norm_bwd(dy, invvar, x, weight, eps=eps)
    return _runtime.as_cotangent(dx, x), _runtime.as_cotangent(dweight, weight)


_rms_norm_op.defvjp(_forward, _backward)
_rms_norm_op.defjvp(_reference)
