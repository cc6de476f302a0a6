"""`column_sums` for JAX.

Rendered by opgen from columns.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import column_sums as _core

_reference = _runtime.References("columns")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.column_sums)


def column_sums(x: ArrayLike) -> jax.Array:
    """The sum of each column of `x`.

    Args:
        x (ArrayLike): shape `(n, d)`, float32 or float64.

    Returns:
        jax.Array: shape `(d,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _column_sums(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _column_sums, x)


@_runtime.dumped
@jax.jit
def _column_sums(x):
    (x,) = _runtime.check(_KERNEL, x)
    (sums,) = _column_sums_op(x)
    return sums


_column_sums_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_column_sums_op(x), (x,))


def _backward(saved, cotangents):
    (x,) = saved
    (dsums,) = cotangents

    def reference(x):
        return _reference.column_sums(_runtime.xp, x)

    (dx,) = _runtime.pullback(reference, (x,), (dsums,))
    return (_runtime.as_cotangent(dx, x),)


_column_sums_op.defvjp(_forward, _backward)
_column_sums_op.defjvp(_reference.column_sums)
