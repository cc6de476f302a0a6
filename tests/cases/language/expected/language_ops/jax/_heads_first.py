"""`heads_first` for JAX.

Rendered by opgen from layouts.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import heads_first as _core

_reference = _runtime.References("layouts")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.heads_first)


def heads_first(x: ArrayLike, *, order: str, wide: bool = False) -> jax.Array:
    """Tokens in order `heads tokens d`, whatever their order was; in f32 on request.

    Args:
        x (ArrayLike): shape `(t, h, d)` or shape `(h, t, d)`, float32 or float16.
        order (str): one of 'THD', 'HTD'.
        wide (bool): Default: False.

    Returns:
        jax.Array: shape `(h, t, d)`, float32 or the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(order) is not str:
        order = _runtime.static("heads_first", "order", order, "str")
    if type(wide) is not bool:
        wide = _runtime.static("heads_first", "wide", wide, "bool")
    try:
        return _heads_first(x, order, wide)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _heads_first, x, order=order, wide=wide)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(1, 2))
def _heads_first(x, order, wide):
    (x,) = _runtime.check(_KERNEL, x, order=order, wide=wide)
    (y,) = _heads_first_op(x, order, wide)
    return y


_heads_first_op = _runtime.Differentiable(_KERNEL)


def _forward(x, order, wide):
    return (_heads_first_op(x, order, wide), (x,))


def _backward(order, wide, saved, cotangents):
    (x,) = saved
    (dy,) = cotangents

    def reference(x):
        return _reference.heads_first(_runtime.xp, x, order=order, wide=wide)

    (dx,) = _runtime.pullback(reference, (x,), (dy,))
    return (_runtime.as_cotangent(dx, x),)


_heads_first_op.defvjp(_forward, _backward)
_heads_first_op.defjvp(_reference.heads_first)
