"""`accumulate` for JAX.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import accumulate as _core

_KERNEL = _runtime.Kernel(_core)


def accumulate(
    total: ArrayLike, x: ArrayLike, *, in_place: bool = False
) -> tuple[jax.Array, jax.Array]:
    """`total + x`; where asked for, `total` becomes that, too.

    Args:
        total (ArrayLike): shape `(*s)`, float32 or float64.
        x (ArrayLike): shape `(*s)`, the dtype of `total`.
        in_place (bool): Default: False.

    Returns:
        A tuple of

        - sum (jax.Array): shape `(*s)`, the dtype of `total`.
        - total (jax.Array): shape `(*s)`, float32 or float64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(in_place) is not bool:
        in_place = _runtime.static("accumulate", "in_place", in_place, "bool")
    try:
        return _accumulate(total, x, in_place)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _accumulate, total, x, in_place=in_place)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(2,))
def _accumulate(total, x, in_place):
    total, x = _runtime.check(_KERNEL, total, x, in_place=in_place)
    total, x = _runtime.no_gradient("accumulate", total, x)
    return _runtime.call(_KERNEL, total, x, in_place=in_place)
