"""`relu_bwd` for JAX.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import relu_bwd as _core

_KERNEL = _runtime.Kernel(_core)


def relu_bwd(dy: ArrayLike, y: ArrayLike) -> jax.Array:
    """Gradient of `relu`: 0 where `y <= 0`, otherwise `dy`, also where `y` is NaN.

    Args:
        dy (ArrayLike): shape `(*s)`, float32, bfloat16, float16 or float64.
        y (ArrayLike): shape `(*s)`, the dtype of `dy`.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _relu_bwd(dy, y)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _relu_bwd, dy, y)


@jax.jit
def _relu_bwd(dy, y):
    dy, y = _runtime.check(_KERNEL, dy, y)
    (dx,) = _relu_bwd_op(dy, y)
    return dx


_relu_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, y):
    return (_relu_bwd_op(dy, y), (_runtime.type_of(dy), y))


def _backward(saved, cotangents):
    dy, y = saved
    (ddx,) = cotangents
    ddy = _runtime.aligned(
        lambda y, ddx: jnp.where(y <= 0, 0, ddx),
        (_runtime.shape(_runtime.group("s")), _runtime.shape(_runtime.group("s"))),
        _runtime.shape(_runtime.group("s")),
        dy,
        y,
        ddx,
    )
    return _runtime.as_cotangent(ddy, dy), None


_relu_bwd_op.defvjp(_forward, _backward)
_relu_bwd_op.defjvp()
