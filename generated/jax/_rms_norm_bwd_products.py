"""`rms_norm_bwd_products` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm_bwd_products as _core

_reference = _runtime.reference("rms_norm_bwd_products")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def rms_norm_bwd_products(
    dy: ArrayLike, invvar: ArrayLike, x: ArrayLike, weight: ArrayLike
) -> jax.Array:
    """The mean of `dy * weight * x * invvar` in each row. A step of `rms_norm_bwd`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(*norm)`, the dtype of `dy`.

    Returns:
        jax.Array: shape `(*batch)`, `accum(promote(x.dtype, dy.dtype))`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _rms_norm_bwd_products(dy, invvar, x, weight)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_bwd_products, dy, invvar, x, weight)


@jax.jit
def _rms_norm_bwd_products(dy, invvar, x, weight):
    dy, invvar, x, weight = _runtime.check(_KERNEL, dy, invvar, x, weight)
    dy, invvar, x, weight = _runtime.no_gradient("rms_norm_bwd_products", dy, invvar, x, weight)
    (products,) = _runtime.call(_KERNEL, dy, invvar, x, weight)
    return products
