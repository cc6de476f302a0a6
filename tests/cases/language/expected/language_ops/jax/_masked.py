"""`masked` for JAX.

Rendered by opgen from seeds.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import masked as _core

_reference = _runtime.reference("masked")
_KERNEL = _runtime.Kernel(_core)


def masked(x: ArrayLike, seed: ArrayLike | None = None, *, p: float = 0.5) -> jax.Array:
    """Zeroes elements of `x` with probability `p`, and divides the others by `1 - p`.

    Args:
        x (ArrayLike): shape `(*s)`, float32 or bfloat16.
        seed (ArrayLike, optional): scalar, int64. Or a key of `jax.random`; JAX draws none by
            itself.
        p (float): at least 0. Default: 0.5.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(p) is not float:
        p = _runtime.static("masked", "p", p, "float")
    try:
        return _masked(x, seed, p)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _masked, x, seed, p=p)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2,))
def _masked(x, seed, p):
    x, seed = _runtime.check(_KERNEL, x, seed, p=p)
    (y,) = _masked_op(x, seed, p)
    return y


_masked_op = _runtime.Differentiable(_KERNEL)


def _forward(x, seed, p):
    return (_masked_op(x, seed, p), (_runtime.type_of(x), seed))


def _backward(p, saved, cotangents):
    x, seed = saved
    (dy,) = cotangents
    dx = masked(dy, seed, p=p)
    return _runtime.as_cotangent(dx, x), None


_masked_op.defvjp(_forward, _backward)
_masked_op.defjvp(_reference)
