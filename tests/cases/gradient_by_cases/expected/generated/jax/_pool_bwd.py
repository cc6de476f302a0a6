"""`pool_bwd` for JAX.

Rendered by opgen from pool.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import pool_bwd as _core

_KERNEL = _runtime.Kernel(_core)


def pool_bwd(
    dy: ArrayLike, x: ArrayLike, y: ArrayLike, *, wanted: Collection[str] = ("dx",)
) -> jax.Array | None:
    """Gradient of `pool` where it takes the largest element.

    Args:
        dy (ArrayLike): shape `(*batch)`, float32 or float64.
        x (ArrayLike): shape `(*batch, n)`, the dtype of `dy`.
        y (ArrayLike): shape `(*batch)`, the dtype of `dy`.
        wanted (Collection[str]): results to compute, of "dx". The others are None. Default: all.

    Returns:
        jax.Array, optional: shape `(*batch, n)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _pool_bwd(dy, x, y, tuple(wanted))
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _pool_bwd, dy, x, y, wanted=wanted)


@functools.partial(jax.jit, static_argnums=(3,))
def _pool_bwd(dy, x, y, wanted):
    dy, x, y = _runtime.check(_KERNEL, dy, x, y, wanted=wanted)
    dy, x, y = _runtime.no_gradient("pool_bwd", dy, x, y)
    (dx,) = _runtime.call(_KERNEL, dy, x, y, wanted=wanted)
    return dx
