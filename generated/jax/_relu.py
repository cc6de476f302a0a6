"""`relu` for JAX.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import relu as _core
from . import _relu_bwd

_reference = _runtime.reference("relu")
_KERNEL = _runtime.Kernel(_core)


def relu(x: ArrayLike) -> jax.Array:
    """Elementwise `max(x, 0)`. A NaN stays a NaN.

    Args:
        x (ArrayLike): shape `(*s)`, float32, bfloat16, float16, float64, int8 or int32.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _relu(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _relu, x)


@jax.jit
def _relu(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _relu_op(x)
    return y


_relu_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    (y,) = _relu_op(x)
    return ((y,), (_runtime.type_of(x), y))


def _backward(saved, cotangents):
    x, y = saved
    (dy,) = cotangents
    dx = _relu_bwd.relu_bwd(dy, y)
    return (_runtime.as_cotangent(dx, x),)


_relu_op.defvjp(_forward, _backward)
_relu_op.defjvp(_reference)
