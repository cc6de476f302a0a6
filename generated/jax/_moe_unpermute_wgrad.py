"""`moe_unpermute_wgrad` for JAX.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moe_unpermute_wgrad as _core
from . import _moe_unpermute, _moe_unpermute_dgrad

_reference = _runtime.reference("moe_unpermute_wgrad")
_KERNEL = _runtime.Kernel(_core)


def moe_unpermute_wgrad(dy: ArrayLike, places: ArrayLike, rows: ArrayLike) -> jax.Array:
    """Gradient of `moe_unpermute` with respect to `weights`.

    Args:
        dy (ArrayLike): shape `(t, d)`, float32, bfloat16, float16 or float64.
        places (ArrayLike): shape `(t, k)`, int32.
        rows (ArrayLike): shape `(t*k, d)`, the dtype of `dy`.

    Returns:
        jax.Array: shape `(t, k)`, float32 (float64 if `dy` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _moe_unpermute_wgrad(dy, places, rows)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moe_unpermute_wgrad, dy, places, rows)


@_runtime.checked(_KERNEL)
@jax.jit
def _moe_unpermute_wgrad(dy, places, rows):
    dy, places, rows = _runtime.check(_KERNEL, dy, places, rows)
    (dweights,) = _moe_unpermute_wgrad_op(dy, places, rows)
    return dweights


_moe_unpermute_wgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, places, rows):
    needed = _runtime.needed(dy=dy, rows=rows)
    dy, places, rows = _runtime.values(dy, places, rows)
    return (_moe_unpermute_wgrad_op(dy, places, rows), (dy, places, rows, needed))


def _backward(saved, cotangents):
    dy, places, rows, needed = saved
    (ddweights,) = cotangents
    ddy = None
    if needed.any("dy"):
        ddy = _moe_unpermute.moe_unpermute(rows, places, _runtime.or_none(ddweights))
    drows = None
    if needed.any("rows"):
        drows = _moe_unpermute_dgrad.moe_unpermute_dgrad(dy, places, _runtime.or_none(ddweights))
    return _runtime.as_cotangent(ddy, dy), None, _runtime.as_cotangent(drows, rows)


_moe_unpermute_wgrad_op.defvjp(_forward, _backward, symbolic_zeros=True)
_moe_unpermute_wgrad_op.defjvp(_reference)
