"""`storable` for JAX.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import storable as _core

_reference = _runtime.References("stored")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.storable)


def storable(
    weight: ArrayLike, scale: ArrayLike | None = None, *, mode: str = "whole"
) -> jax.Array:
    """A weight as `scaled` takes it.

    Args:
        weight (ArrayLike): shape `(n,)`, float32 or float64.
        scale (ArrayLike, optional): scalar, float32.
        mode (str): one of 'whole', 'int8'. Default: 'whole'.

    Returns:
        jax.Array: shape `(n,)`, int8, float8_e4m3fn or float32 (float64 if `weight` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(mode) is not str:
        mode = _runtime.static("storable", "mode", mode, "str")
    try:
        return _storable(weight, scale, mode)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _storable, weight, scale, mode=mode)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(2,))
def _storable(weight, scale, mode):
    weight, scale = _runtime.check(_KERNEL, weight, scale, mode=mode)
    weight, scale = _runtime.no_gradient("storable", weight, scale)
    (stored,) = _runtime.call(_KERNEL, weight, scale, mode=mode)
    return stored
