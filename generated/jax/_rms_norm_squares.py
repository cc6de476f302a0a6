"""`rms_norm_squares` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from ..core import rms_norm_squares as _core
from . import _runtime

_reference = _runtime.References("rms_norm")


_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*batch *norm", "*norm"),
    outputs=("*batch",),
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    reduce=({"norm": "mean"},),
    fold=("batch",),
    fallback=_reference.rms_norm_squares,
)


def rms_norm_squares(x: ArrayLike, weight: ArrayLike) -> jax.Array:
    """The mean of the squares of each row of `x`: a part of `rms_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): Says which dims are a row; it is not read. Shape `(*norm)`,
            float32, bfloat16, float16 or float64.

    Returns:
        jax.Array: shape `(*batch)`, float32 (float64 if `x` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _rms_norm_squares(x, weight)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_squares, x, weight)


@_runtime.dumped
@jax.jit
def _rms_norm_squares(x, weight):
    x, weight = _runtime.check(_KERNEL, x, weight)
    x, weight = _runtime.no_gradient("rms_norm_squares", x, weight)
    (squares,) = _runtime.call(_KERNEL, x, weight)
    return squares
