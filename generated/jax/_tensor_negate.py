"""`tensor_negate` for JAX.

Rendered by opgen from tensor_negate.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import tensor_negate as _core

_KERNEL = _runtime.Kernel(_core)


def tensor_negate(x: ArrayLike) -> jax.Array:
    """Elementwise `-x`.

    Args:
        x (ArrayLike): shape `(*s)`, float32, float64 or int8.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _tensor_negate(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _tensor_negate, x)


@jax.jit
def _tensor_negate(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _tensor_negate_op(x)
    return y


_tensor_negate_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_tensor_negate_op(x), (_runtime.type_of(x),))


def _backward(saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    return (_runtime.as_cotangent(-dy, x),)


_tensor_negate_op.defvjp(_forward, _backward)
_tensor_negate_op.defjvp()
