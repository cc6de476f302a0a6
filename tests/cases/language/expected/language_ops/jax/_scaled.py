"""`scaled` for JAX.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import scaled as _core

_reference = _runtime.References("stored")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.scaled)


def scaled(
    x: ArrayLike, weight: ArrayLike, scale: ArrayLike | None = None, *, mode: str = "whole"
) -> jax.Array:
    """`x` times a weight, however that is stored.

    Args:
        x (ArrayLike): shape `(*batch, n)`, float32 or float64.
        weight (ArrayLike): shape `(n,)`, int8, float8_e4m3fn or float32 (float64 if `x` is
            float64).
        scale (ArrayLike, optional): scalar, float32.
        mode (str): one of 'whole', 'int8'. Default: 'whole'.

    Returns:
        jax.Array: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(mode) is not str:
        mode = _runtime.static("scaled", "mode", mode, "str")
    try:
        return _scaled(x, weight, scale, mode)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _scaled, x, weight, scale, mode=mode)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(3,))
def _scaled(x, weight, scale, mode):
    x, weight, scale = _runtime.check(_KERNEL, x, weight, scale, mode=mode)
    (weight,) = _runtime.no_gradient("scaled", weight, of="weight")
    (scale,) = _runtime.no_gradient("scaled", scale, of="scale")
    (y,) = _scaled_op(x, weight, scale, mode)
    return y


_scaled_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, scale, mode):
    return (_scaled_op(x, weight, scale, mode), (_runtime.type_of(x), weight, scale))


def _backward(mode, saved, cotangents):
    x, weight, scale = saved
    (dy,) = cotangents
    dx = scaled(dy, weight, scale, mode=mode)
    return _runtime.as_cotangent(dx, x), None, None


_scaled_op.defvjp(_forward, _backward)
_scaled_op.defjvp(_reference.scaled)
