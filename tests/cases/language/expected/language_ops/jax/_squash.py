"""`squash` for JAX.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import squash as _core

_reference = _runtime.reference("squash", completes=True)
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def squash(
    x: ArrayLike,
    gain: ArrayLike,
    bias: ArrayLike | None = None,
    *,
    by: str = "tanh",
    scale: float | None = None,
) -> jax.Array:
    """`x * scale + bias`, squashed, times `gain`.

    Args:
        x (ArrayLike): shape `(*batch, d)`, float32 or float64.
        gain (ArrayLike): scalar, the dtype of `x`.
        bias (ArrayLike, optional): shape `(d,)`, the dtype of `x`.
        by (str): one of 'tanh', 'softsign'. Default: 'tanh'.
        scale (float, optional): Default: `d**(-0.5)`.

    Returns:
        jax.Array: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(by) is not str:
        by = _runtime.static("squash", "by", by, "str")
    if scale is not None and type(scale) is not float:
        scale = _runtime.static("squash", "scale", scale, "float?")
    try:
        return _squash(x, gain, bias, by, scale)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _squash, x, gain, bias, by=by, scale=scale)


@functools.partial(jax.jit, static_argnums=(3, 4))
def _squash(x, gain, bias, by, scale):
    x, gain, bias = _runtime.check(_KERNEL, x, gain, bias, by=by, scale=scale)
    (y,) = _squash_op(x, gain, bias, by, scale)
    return y


_squash_op = _runtime.Differentiable(_KERNEL)


def _forward(x, gain, bias, by, scale):
    return (_squash_op(x, gain, bias, by, scale), (x, gain, bias))


def _backward(by, scale, saved, cotangents):
    x, gain, bias = saved
    (dy,) = cotangents

    def reference(x, gain, bias):
        return _reference(_runtime.xp, x, gain, bias, by=by, scale=scale)

    dx, dgain, dbias = _runtime.pullback(reference, (x, gain, bias), (dy,))
    return (
        _runtime.as_cotangent(dx, x),
        _runtime.as_cotangent(dgain, gain),
        _runtime.as_cotangent(dbias, bias),
    )


_squash_op.defvjp(_forward, _backward)
_squash_op.defjvp(_reference)
