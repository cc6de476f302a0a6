"""`pad_rows` for JAX.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import pad_rows as _core

_KERNEL = _runtime.Kernel(_core)


def pad_rows(x: ArrayLike) -> jax.Array:
    """`x`, in rows that begin at multiples of 64 bytes.

    Args:
        x (ArrayLike): shape `(m, d)`, float32 or float64.

    Returns:
        jax.Array: shape `(m, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _pad_rows(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _pad_rows, x)


@_runtime.dumped
@jax.jit
def _pad_rows(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _pad_rows_op(x)
    return y


_pad_rows_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_pad_rows_op(x), (_runtime.type_of(x),))


def _backward(saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    return (_runtime.as_cotangent(dy, x),)


_pad_rows_op.defvjp(_forward, _backward)
_pad_rows_op.defjvp()
