"""`tensor_add` for JAX.

Rendered by opgen from tensor_add.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import tensor_add as _core

_KERNEL = _runtime.Kernel(_core)


def tensor_add(a: ArrayLike, b: ArrayLike) -> jax.Array:
    """Elementwise `a + b` of two matrices.

    Args:
        a (ArrayLike): shape `(m, n)`, float32, bfloat16, float16 or float64.
        b (ArrayLike): shape `(m, n)`, the dtype of `a`.

    Returns:
        jax.Array: shape `(m, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _tensor_add(a, b)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _tensor_add, a, b)


@jax.jit
def _tensor_add(a, b):
    a, b = _runtime.check(_KERNEL, a, b)
    (c,) = _tensor_add_op(a, b)
    return c


_tensor_add_op = _runtime.Differentiable(_KERNEL)


def _forward(a, b):
    return (_tensor_add_op(a, b), (_runtime.type_of(a), _runtime.type_of(b)))


def _backward(saved, cotangents):
    a, b = saved
    (dc,) = cotangents
    return _runtime.as_cotangent(dc, a), _runtime.as_cotangent(dc, b)


_tensor_add_op.defvjp(_forward, _backward)
_tensor_add_op.defjvp()
