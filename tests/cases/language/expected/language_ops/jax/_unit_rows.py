"""`unit_rows` for JAX.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import unit_rows as _core
from . import _unit_rows_dw, _unit_rows_dx

_reference = _runtime.reference("unit_rows")
_KERNEL = _runtime.Kernel(_core)


def unit_rows(x: ArrayLike, weight: ArrayLike) -> jax.Array:
    """The rows of `x` divided by their lengths, times `weight`.

    Args:
        x (ArrayLike): shape `(*batch, d)`, float32 or float64.
        weight (ArrayLike): shape `(d,)`, the dtype of `x`.

    Returns:
        jax.Array: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _unit_rows(x, weight)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _unit_rows, x, weight)


@jax.jit
def _unit_rows(x, weight):
    x, weight = _runtime.check(_KERNEL, x, weight)
    y, _ = _unit_rows_op(x, weight)
    return y


_unit_rows_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight):
    needed = _runtime.needed(x=x, weight=weight)
    x, weight = _runtime.values(x, weight)
    y, length = _unit_rows_op(x, weight)
    return ((y, length), (x, weight, length, needed))


def _backward(saved, cotangents):
    x, weight, length, needed = saved
    dy, _ = cotangents
    dy = _runtime.or_zeros(dy)
    dx = None
    if needed.any("x"):
        dx = _unit_rows_dx.unit_rows_dx(dy, x, weight, length)
    dweight = None
    if needed.any("weight"):
        dweight = _unit_rows_dw.unit_rows_dw(dy, x, length)
    return _runtime.as_cotangent(dx, x), _runtime.as_cotangent(dweight, weight)


_unit_rows_op.defvjp(_forward, _backward, symbolic_zeros=True)
_unit_rows_op.defjvp(_reference)
