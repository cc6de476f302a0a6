"""`rms_norm_bwd_apply` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm_bwd_apply as _core

_reference = _runtime.reference("rms_norm_bwd_apply")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def rms_norm_bwd_apply(
    dy: ArrayLike, invvar: ArrayLike, x: ArrayLike, weight: ArrayLike, products: ArrayLike
) -> tuple[jax.Array, jax.Array]:
    """The gradients of `rms_norm`, computed from the row means of the products. A step of
    `rms_norm_bwd`.

    Args:
        dy (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(*norm)`, the dtype of `dy`.
        products (ArrayLike): shape `(*batch)`, `accum(promote(x.dtype, dy.dtype))`.

    Returns:
        A tuple of

        - dx (jax.Array): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (jax.Array): shape `(*norm)`, the dtype of `products`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _rms_norm_bwd_apply(dy, invvar, x, weight, products)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_bwd_apply, dy, invvar, x, weight, products)


@jax.jit
def _rms_norm_bwd_apply(dy, invvar, x, weight, products):
    dy, invvar, x, weight, products = _runtime.check(_KERNEL, dy, invvar, x, weight, products)
    dy, invvar, x, weight, products = _runtime.no_gradient(
        "rms_norm_bwd_apply", dy, invvar, x, weight, products
    )
    return _runtime.call(_KERNEL, dy, invvar, x, weight, products)
