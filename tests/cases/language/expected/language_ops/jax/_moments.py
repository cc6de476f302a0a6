"""`moments` for JAX.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moments as _core

_reference = _runtime.reference("moments")
_KERNEL = _runtime.Kernel(_core)


def moments(x: ArrayLike, *, spread: bool = False) -> tuple[jax.Array, jax.Array | None]:
    """The mean of each row and, where asked for, its variance.

    Args:
        x (ArrayLike): shape `(m, n)`, float32 or float64.
        spread (bool): Default: False.

    Returns:
        A tuple of

        - mean (jax.Array): shape `(m,)`, the dtype of `x`.
        - variance (jax.Array, optional): shape `(m,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(spread) is not bool:
        spread = _runtime.static("moments", "spread", spread, "bool")
    try:
        return _moments(x, spread)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moments, x, spread=spread)


@functools.partial(jax.jit, static_argnums=(1,))
def _moments(x, spread):
    (x,) = _runtime.check(_KERNEL, x, spread=spread)
    return _moments_op(x, spread)


_moments_op = _runtime.Differentiable(_KERNEL)


def _forward(x, spread):
    return (_moments_op(x, spread), (x,))


def _backward(spread, saved, cotangents):
    (x,) = saved
    dmean, dvariance = cotangents

    def reference(x):
        return _reference(_runtime.xp, x, spread=spread)

    (dx,) = _runtime.pullback(reference, (x,), (dmean, dvariance))
    return (_runtime.as_cotangent(dx, x),)


_moments_op.defvjp(_forward, _backward)
_moments_op.defjvp(_reference)
