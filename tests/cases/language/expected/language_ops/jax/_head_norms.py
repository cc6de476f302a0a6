"""`head_norms` for JAX.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import head_norms as _core

_reference = _runtime.References("strides")
_KERNEL = _runtime.Kernel(_core)


def head_norms(x: ArrayLike) -> jax.Array:
    """The norm of each head's vector, of heads that lie side by side in rows of any distance.

    Args:
        x (ArrayLike): shape `(t, h, d)`, float32 or float64.

    Returns:
        jax.Array: shape `(t, h)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _head_norms(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _head_norms, x)


@_runtime.dumped
@jax.jit
def _head_norms(x):
    (x,) = _runtime.check(_KERNEL, x)
    (norms,) = _head_norms_op(x)
    return norms


_head_norms_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_head_norms_op(x), (x,))


def _backward(saved, cotangents):
    (x,) = saved
    (dnorms,) = cotangents

    def reference(x):
        return _reference.head_norms(_runtime.xp, x)

    (dx,) = _runtime.pullback(reference, (x,), (dnorms,))
    return (_runtime.as_cotangent(dx, x),)


_head_norms_op.defvjp(_forward, _backward)
_head_norms_op.defjvp(_reference.head_norms)
