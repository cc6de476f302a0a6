"""`column_totals` for JAX.

Rendered by opgen from parts.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import column_totals as _core

_reference = _runtime.reference("column_totals")
_KERNEL = _runtime.Kernel(_core)


def column_totals(x: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """The sums of the columns of `x`: of as many ranges of rows as suit the device, then of those.

    Args:
        x (ArrayLike): shape `(m, n)`, float32 or float64.

    Returns:
        A tuple of

        - y (jax.Array): shape `(n,)`, the dtype of `x`.
        - sums (jax.Array): shape `(parts, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _column_totals(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _column_totals, x)


@jax.jit
def _column_totals(x):
    (x,) = _runtime.check(_KERNEL, x)
    (parts,) = _runtime.sizes(_KERNEL, ("parts",), x)
    return _column_totals_op(x, parts)


_column_totals_op = _runtime.Differentiable(_KERNEL)


def _forward(x, parts):
    return (_column_totals_op(x, parts), (x,))


def _backward(parts, saved, cotangents):
    (x,) = saved
    dy, dsums = cotangents

    def reference(x):
        return _reference(_runtime.xp, x, parts=parts)

    (dx,) = _runtime.pullback(reference, (x,), (dy, dsums))
    return (_runtime.as_cotangent(dx, x),)


_column_totals_op.defvjp(_forward, _backward)
_column_totals_op.defjvp(_reference)
