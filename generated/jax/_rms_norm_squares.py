"""`rms_norm_squares` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm_squares as _core

_reference = _runtime.reference("rms_norm_squares")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def rms_norm_squares(x: ArrayLike, *, norm: Sequence[int]) -> jax.Array:
    """The mean of the squares of each row of `x`. A step of `rms_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        norm (Sequence[int])

    Returns:
        jax.Array: shape `(*batch)`, float32 (float64 if `x` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    norm = _runtime.static("rms_norm_squares", "norm", norm, "int[]")
    try:
        return _rms_norm_squares(x, norm)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_squares, x, norm=norm)


@functools.partial(jax.jit, static_argnums=(1,))
def _rms_norm_squares(x, norm):
    (x,) = _runtime.check(_KERNEL, x, norm=norm)
    (x,) = _runtime.no_gradient("rms_norm_squares", x)
    (squares,) = _runtime.call(_KERNEL, x, norm=norm)
    return squares
