"""`unit_rows_dw` for JAX.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from ..core import unit_rows_dw as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*batch d", "*batch d", "*batch"),
    outputs=("d",),
    platforms=("cpu",),
    split=("batch",),
    reduce=({"batch": "sum"},),
)


def unit_rows_dw(dy: ArrayLike, x: ArrayLike, length: ArrayLike) -> jax.Array:
    """Gradient of `unit_rows` with respect to `weight`.

    dy: T[*batch d].
    x: T[*batch d].
    length: T[*batch].
    Returns dweight: T[d].
    T: float32 or float64.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _unit_rows_dw(dy, x, length)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _unit_rows_dw, dy, x, length)


@_runtime.dumped
@jax.jit
def _unit_rows_dw(dy, x, length):
    dy, x, length = _runtime.check(_KERNEL, dy, x, length)
    dy, x, length = _runtime.no_gradient("unit_rows_dw", dy, x, length)
    (dweight,) = _runtime.call(_KERNEL, dy, x, length)
    return dweight
