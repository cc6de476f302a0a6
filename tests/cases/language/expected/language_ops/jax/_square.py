"""`square` for JAX.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import square as _core

_KERNEL = _runtime.Kernel(_core)


def square(x: ArrayLike) -> jax.Array:
    """`x*x`, in memory as `x` is.

    Args:
        x (ArrayLike): shape `(*s)`, float32 or float64.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _square(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _square, x)


@jax.jit
def _square(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _square_op(x)
    return y


_square_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_square_op(x), (x,))


def _backward(saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    dx = _runtime.aligned(
        lambda x, dy: 2 * x * dy,
        (_runtime.shape(_runtime.group("s")), _runtime.shape(_runtime.group("s"))),
        _runtime.shape(_runtime.group("s")),
        x,
        x,
        dy,
    )
    return (_runtime.as_cotangent(dx, x),)


_square_op.defvjp(_forward, _backward)
_square_op.defjvp()
