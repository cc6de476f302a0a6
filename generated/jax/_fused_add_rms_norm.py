"""`fused_add_rms_norm` for JAX.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import fused_add_rms_norm as _core

_KERNEL = _runtime.Kernel(_core)


def fused_add_rms_norm(
    x: ArrayLike, residual: ArrayLike, weight: ArrayLike, *, eps: float = 1e-06
) -> tuple[jax.Array, jax.Array]:
    """`residual += x`, then `y = rms_norm(residual) * weight`.

    Args:
        x (ArrayLike): shape `(*batch, d)`, bfloat16, float16, float32 or float64.
        residual (ArrayLike): shape `(*batch, d)`, the dtype of `x`.
        weight (ArrayLike): shape `(d,)`, the dtype of `x`.
        eps (float): at least 0. Default: 1e-06.

    Returns:
        A tuple of

        - y (jax.Array): shape `(*batch, d)`, the dtype of `x`.
        - residual (jax.Array): shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(eps) is not float:
        eps = _runtime.static("fused_add_rms_norm", "eps", eps, "float")
    try:
        return _fused_add_rms_norm(x, residual, weight, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _fused_add_rms_norm, x, residual, weight, eps=eps)


@functools.partial(jax.jit, static_argnums=(3,))
def _fused_add_rms_norm(x, residual, weight, eps):
    x, residual, weight = _runtime.check(_KERNEL, x, residual, weight, eps=eps)
    x, residual, weight = _runtime.no_gradient("fused_add_rms_norm", x, residual, weight)
    return _runtime.call(_KERNEL, x, residual, weight, eps=eps)
