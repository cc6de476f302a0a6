"""`moe_unpermute_dgrad` for JAX.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moe_unpermute_dgrad as _core
from . import _moe_unpermute, _moe_unpermute_wgrad

_reference = _runtime.reference("moe_unpermute_dgrad")
_KERNEL = _runtime.Kernel(_core)


def moe_unpermute_dgrad(
    dy: ArrayLike, places: ArrayLike, weights: ArrayLike | None = None
) -> jax.Array:
    """Gradient of `moe_unpermute` with respect to `rows`.

    Args:
        dy (ArrayLike): shape `(t, d)`, float32, bfloat16, float16 or float64.
        places (ArrayLike): shape `(t, k)`, int32.
        weights (ArrayLike, optional): shape `(t, k)`, float32, bfloat16, float16 or float64.

    Returns:
        jax.Array: shape `(t*k, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _moe_unpermute_dgrad(dy, places, weights)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moe_unpermute_dgrad, dy, places, weights)


@_runtime.checked(_KERNEL)
@jax.jit
def _moe_unpermute_dgrad(dy, places, weights):
    dy, places, weights = _runtime.check(_KERNEL, dy, places, weights)
    (drows,) = _moe_unpermute_dgrad_op(dy, places, weights)
    return drows


_moe_unpermute_dgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, places, weights):
    needed = _runtime.needed(dy=dy, weights=weights)
    dy, places, weights = _runtime.values(dy, places, weights)
    return (_moe_unpermute_dgrad_op(dy, places, weights), (dy, places, weights, needed))


def _backward(saved, cotangents):
    dy, places, weights, needed = saved
    (ddrows,) = cotangents
    ddrows = _runtime.or_zeros(ddrows)
    ddy = None
    if needed.any("dy"):
        ddy = _moe_unpermute.moe_unpermute(ddrows, places, weights)
    dweights = None
    if needed.any("weights"):
        dweights = _moe_unpermute_wgrad.moe_unpermute_wgrad(dy, places, ddrows)
    return _runtime.as_cotangent(ddy, dy), None, _runtime.as_cotangent(dweights, weights)


_moe_unpermute_dgrad_op.defvjp(_forward, _backward, symbolic_zeros=True)
_moe_unpermute_dgrad_op.defjvp(_reference)
