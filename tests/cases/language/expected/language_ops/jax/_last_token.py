"""`last_token` for JAX.

Rendered by opgen from layouts.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import last_token as _core

_reference = _runtime.reference("last_token")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def last_token(x: ArrayLike, offsets: ArrayLike | None = None) -> jax.Array:
    """The last token of each sequence; with `offsets`, sequences of any length lie one behind the
    other.

    Args:
        x (ArrayLike): shape `(t, d)` or shape `(b, t, d)`, float32 or float16.
        offsets (ArrayLike, optional): shape `(b+1,)`, int32.

    Returns:
        jax.Array: shape `(b, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _last_token(x, offsets)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _last_token, x, offsets)


@_runtime.checked(_KERNEL)
@jax.jit
def _last_token(x, offsets):
    x, offsets = _runtime.check(_KERNEL, x, offsets)
    (y,) = _last_token_op(x, offsets)
    return y


_last_token_op = _runtime.Differentiable(_KERNEL)


def _forward(x, offsets):
    return (_last_token_op(x, offsets), (x, offsets))


def _backward(saved, cotangents):
    x, offsets = saved
    (dy,) = cotangents

    def reference(x):
        return _reference(_runtime.xp, x, offsets)

    (dx,) = _runtime.pullback(reference, (x,), (dy,))
    return _runtime.as_cotangent(dx, x), None


_last_token_op.defvjp(_forward, _backward)
_last_token_op.defjvp(_reference)
