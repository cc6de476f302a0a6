"""`fused_add_rms_norm_quant` for JAX.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import fused_add_rms_norm_quant as _core

_KERNEL = _runtime.Kernel(_core)


def fused_add_rms_norm_quant(
    x: ArrayLike,
    residual: ArrayLike,
    weight: ArrayLike,
    scale: ArrayLike | None = None,
    scale_ub: ArrayLike | None = None,
    *,
    out_dtype: str = "f8e4m3",
    eps: float = 1e-06,
    dynamic: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """`fused_add_rms_norm` with `y` quantised to fp8, by a given scale or by a computed scale for
    each row.

    Args:
        x (ArrayLike): shape `(*batch, d)`, bfloat16, float16, float32 or float64.
        residual (ArrayLike): shape `(*batch, d)`, the dtype of `x`.
        weight (ArrayLike): shape `(d,)`, the dtype of `x`.
        scale (ArrayLike, optional): scalar, float32.
        scale_ub (ArrayLike, optional): scalar, float32.
        out_dtype (str): one of 'f8e4m3', 'f8e5m2'. Default: 'f8e4m3'.
        eps (float): at least 0. Default: 1e-06.
        dynamic (bool): Default: False.

    Returns:
        A tuple of

        - y (jax.Array): shape `(*batch, d)`, the dtype `out_dtype`.
        - y_scale (jax.Array): shape `(*batch, 1)` or shape `(*batch, 0)`, float32.
        - residual (jax.Array): shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    out_dtype = _runtime.static("fused_add_rms_norm_quant", "out_dtype", out_dtype, "dtype")
    if type(eps) is not float:
        eps = _runtime.static("fused_add_rms_norm_quant", "eps", eps, "float")
    if type(dynamic) is not bool:
        dynamic = _runtime.static("fused_add_rms_norm_quant", "dynamic", dynamic, "bool")
    try:
        return _fused_add_rms_norm_quant(
            x, residual, weight, scale, scale_ub, out_dtype, eps, dynamic
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _fused_add_rms_norm_quant,
            x,
            residual,
            weight,
            scale,
            scale_ub,
            out_dtype=out_dtype,
            eps=eps,
            dynamic=dynamic,
        )


@functools.partial(jax.jit, static_argnums=(5, 6, 7))
def _fused_add_rms_norm_quant(x, residual, weight, scale, scale_ub, out_dtype, eps, dynamic):
    x, residual, weight, scale, scale_ub = _runtime.check(
        _KERNEL, x, residual, weight, scale, scale_ub, out_dtype=out_dtype, eps=eps, dynamic=dynamic
    )
    x, residual, weight, scale, scale_ub = _runtime.no_gradient(
        "fused_add_rms_norm_quant", x, residual, weight, scale, scale_ub
    )
    return _runtime.call(
        _KERNEL, x, residual, weight, scale, scale_ub, out_dtype=out_dtype, eps=eps, dynamic=dynamic
    )
