"""`swap_bytes` for JAX.

Rendered by opgen from samples.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import swap_bytes as _core

_KERNEL = _runtime.Kernel(_core)


def swap_bytes(x: ArrayLike) -> jax.Array:
    """The two bytes of each 16-bit number swapped: what was stored most significant byte first.

    Args:
        x (ArrayLike): shape `(*s)`, int16.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _swap_bytes(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _swap_bytes, x)


@jax.jit
def _swap_bytes(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _runtime.call(_KERNEL, x)
    return y
