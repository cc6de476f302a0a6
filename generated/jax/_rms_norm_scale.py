"""`rms_norm_scale` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_norm_scale as _core

_reference = _runtime.reference("rms_norm_scale")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def rms_norm_scale(
    x: ArrayLike, weight: ArrayLike, squares: ArrayLike, *, eps: float = 1e-05
) -> tuple[jax.Array, jax.Array]:
    """Rows of `x` divided by their root mean square, scaled by `weight`. A step of `rms_norm`.

    Args:
        x (ArrayLike): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(*norm)`, float32, bfloat16, float16 or float64.
        squares (ArrayLike): shape `(*batch)`, float32 (float64 if `x` is float64).
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - y (jax.Array): shape `(*batch, *norm)`, the dtype of `weight`.
        - invvar (jax.Array): shape `(*batch)`, the dtype of `squares`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(eps) is not float:
        eps = _runtime.static("rms_norm_scale", "eps", eps, "float")
    try:
        return _rms_norm_scale(x, weight, squares, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _rms_norm_scale, x, weight, squares, eps=eps)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3,))
def _rms_norm_scale(x, weight, squares, eps):
    x, weight, squares = _runtime.check(_KERNEL, x, weight, squares, eps=eps)
    x, weight, squares = _runtime.no_gradient("rms_norm_scale", x, weight, squares)
    return _runtime.call(_KERNEL, x, weight, squares, eps=eps)
