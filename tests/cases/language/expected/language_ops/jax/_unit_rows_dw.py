"""`unit_rows_dw` for JAX.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import unit_rows_dw as _core

_KERNEL = _runtime.Kernel(_core)


def unit_rows_dw(dy: ArrayLike, x: ArrayLike, length: ArrayLike) -> jax.Array:
    """Gradient of `unit_rows` with respect to `weight`.

    Args:
        dy (ArrayLike): shape `(*batch, d)`, float32 or float64.
        x (ArrayLike): shape `(*batch, d)`, the dtype of `dy`.
        length (ArrayLike): shape `(*batch)`, the dtype of `dy`.

    Returns:
        jax.Array: shape `(d,)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
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
