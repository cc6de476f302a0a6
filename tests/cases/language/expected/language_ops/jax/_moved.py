"""`moved` for JAX.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moved as _core

_reference = _runtime.References("options")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.moved)


def moved(x: ArrayLike, by: ArrayLike | None = None) -> jax.Array:
    """`x + by`, or `x`.

    Args:
        x (ArrayLike): shape `(*s)`, float32 or float64.
        by (ArrayLike, optional): shape `(*s)`, int64.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _moved(x, by)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moved, x, by)


@_runtime.dumped
@jax.jit
def _moved(x, by):
    x, by = _runtime.check(_KERNEL, x, by)
    (y,) = _moved_op(x, by)
    return y


_moved_op = _runtime.Differentiable(_KERNEL)


def _forward(x, by):
    return (_moved_op(x, by), (_runtime.type_of(x),))


def _backward(saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    dx = moved(dy)
    return _runtime.as_cotangent(dx, x), None


_moved_op.defvjp(_forward, _backward)
_moved_op.defjvp(_reference.moved)
