"""`silu_and_mul_bwd` for JAX.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import silu_and_mul_bwd as _core

# Autodiff of `silu_and_mul`'s reference.
_reference = _runtime.reference("silu_and_mul_bwd")
_KERNEL = _runtime.Kernel(_core)


def silu_and_mul_bwd(dy: ArrayLike, x: ArrayLike) -> jax.Array:
    """Gradient of `silu_and_mul`.

    Args:
        dy (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(*batch, 2*d)`, the dtype of `dy`.

    Returns:
        jax.Array: shape `(*batch, 2*d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _silu_and_mul_bwd(dy, x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _silu_and_mul_bwd, dy, x)


@jax.jit
def _silu_and_mul_bwd(dy, x):
    dy, x = _runtime.check(_KERNEL, dy, x)
    (dx,) = _silu_and_mul_bwd_op(dy, x)
    return dx


_silu_and_mul_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, x):
    return (_silu_and_mul_bwd_op(dy, x), (dy, x))


def _backward(saved, cotangents):
    dy, x = saved
    (ddx,) = cotangents

    def reference(dy, x):
        return _reference(_runtime.xp, dy, x)

    ddy, dx = _runtime.pullback(reference, (dy, x), (ddx,))
    return _runtime.as_cotangent(ddy, dy), _runtime.as_cotangent(dx, x)


_silu_and_mul_bwd_op.defvjp(_forward, _backward)
_silu_and_mul_bwd_op.defjvp(_reference)
