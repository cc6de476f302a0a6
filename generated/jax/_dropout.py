"""`dropout` for JAX.

Rendered by opgen from dropout.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import dropout as _core

_reference = _runtime.reference("dropout")
_KERNEL = _runtime.Kernel(_core)


def dropout(
    x: ArrayLike, seed: ArrayLike | None = None, offset: ArrayLike | None = None, *, p: float = 0.5
) -> jax.Array:
    """Zeroes elements of `x` with probability `p` and scales the others by `1/(1-p)`. Philox draws
    from (`seed`, `offset`).

    Args:
        x (ArrayLike): shape `(*s)`, float32, bfloat16 or float16.
        seed (ArrayLike, optional): scalar, int64. Or a key of `jax.random`; JAX draws none by
            itself.
        offset (ArrayLike, optional): The stream of random numbers of this seed. Default: 0. Scalar,
            the dtype of `seed`.
        p (float): at least 0, at most 1. Default: 0.5.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(p) is not float:
        p = _runtime.static("dropout", "p", p, "float")
    try:
        return _dropout(x, seed, offset, p)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _dropout, x, seed, offset, p=p)


@functools.partial(jax.jit, static_argnums=(3,))
def _dropout(x, seed, offset, p):
    x, seed, offset = _runtime.check(_KERNEL, x, seed, offset, p=p)
    (y,) = _dropout_op(x, seed, offset, p)
    return y


_dropout_op = _runtime.Differentiable(_KERNEL)


def _forward(x, seed, offset, p):
    return (_dropout_op(x, seed, offset, p), (_runtime.type_of(x), seed, offset))


def _backward(p, saved, cotangents):
    x, seed, offset = saved
    (dy,) = cotangents
    dx = dropout(dy, seed, offset, p=p)
    return _runtime.as_cotangent(dx, x), None, None


_dropout_op.defvjp(_forward, _backward)
_dropout_op.defjvp(_reference)
