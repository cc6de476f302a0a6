"""`moe_unpermute` for JAX.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moe_unpermute as _core
from . import _moe_unpermute_dgrad, _moe_unpermute_wgrad

_reference = _runtime.reference("moe_unpermute")
_KERNEL = _runtime.Kernel(_core)


def moe_unpermute(
    rows: ArrayLike, places: ArrayLike, weights: ArrayLike | None = None
) -> jax.Array:
    """The weighted sum of the rows of each token, which reverses `moe_permute`.

    Args:
        rows (ArrayLike): shape `(t*k, d)`, float32, bfloat16, float16 or float64.
        places (ArrayLike): shape `(t, k)`, int32.
        weights (ArrayLike, optional): shape `(t, k)`, float32, bfloat16, float16 or float64.

    Returns:
        jax.Array: shape `(t, d)`, the dtype of `rows`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _moe_unpermute(rows, places, weights)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moe_unpermute, rows, places, weights)


@_runtime.checked(_KERNEL)
@jax.jit
def _moe_unpermute(rows, places, weights):
    rows, places, weights = _runtime.check(_KERNEL, rows, places, weights)
    (y,) = _moe_unpermute_op(rows, places, weights)
    return y


_moe_unpermute_op = _runtime.Differentiable(_KERNEL)


def _forward(rows, places, weights):
    needed = _runtime.needed(rows=rows, weights=weights)
    rows, places, weights = _runtime.values(rows, places, weights)
    return (_moe_unpermute_op(rows, places, weights), (rows, places, weights, needed))


def _backward(saved, cotangents):
    rows, places, weights, needed = saved
    (dy,) = cotangents
    dy = _runtime.or_zeros(dy)
    drows = None
    if needed.any("rows"):
        drows = _moe_unpermute_dgrad.moe_unpermute_dgrad(dy, places, weights)
    dweights = None
    if needed.any("weights"):
        dweights = _moe_unpermute_wgrad.moe_unpermute_wgrad(dy, places, rows)
    return _runtime.as_cotangent(drows, rows), None, _runtime.as_cotangent(dweights, weights)


_moe_unpermute_op.defvjp(_forward, _backward, symbolic_zeros=True)
_moe_unpermute_op.defjvp(_reference)
