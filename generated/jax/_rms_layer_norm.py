"""`rms_layer_norm` for JAX.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rms_layer_norm as _core
from . import _rms_layer_norm_bwd

_reference = _runtime.reference("rms_layer_norm", completes=True)
_KERNEL = _runtime.Kernel(_core)


def rms_layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float | None = None,
    offset: float = 0.0,
    cast_first: bool = False,
) -> jax.Array:
    """`x` divided by the root mean square over its trailing dims, times `weight + offset`: the RMS
    norm of PyTorch, Llama and Gemma.

    Args:
        x (ArrayLike): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        normalized_shape (Sequence[int])
        eps (float, optional): Default: the epsilon of f32, or of f64 for f64, as in
            `torch.nn.functional.rms_norm`. At least 0. Default: `2.0**(-52) if T == f64 else
            2.0**(-23)`.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.

    Returns:
        jax.Array: shape `(*batch, *normalized_shape)`, `promote(x.dtype, weight.dtype)` or
            `x.dtype`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    normalized_shape = _runtime.static(
        "rms_layer_norm", "normalized_shape", normalized_shape, "int[]"
    )
    if eps is not None and type(eps) is not float:
        eps = _runtime.static("rms_layer_norm", "eps", eps, "float?")
    if type(offset) is not float:
        offset = _runtime.static("rms_layer_norm", "offset", offset, "float")
    if type(cast_first) is not bool:
        cast_first = _runtime.static("rms_layer_norm", "cast_first", cast_first, "bool")
    try:
        return _rms_layer_norm(x, weight, normalized_shape, eps, offset, cast_first)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _rms_layer_norm,
            x,
            weight,
            normalized_shape=normalized_shape,
            eps=eps,
            offset=offset,
            cast_first=cast_first,
        )


@functools.partial(jax.jit, static_argnums=(2, 3, 4, 5))
def _rms_layer_norm(x, weight, normalized_shape, eps, offset, cast_first):
    x, weight = _runtime.check(
        _KERNEL,
        x,
        weight,
        normalized_shape=normalized_shape,
        eps=eps,
        offset=offset,
        cast_first=cast_first,
    )
    y, _ = _rms_layer_norm_op(x, weight, normalized_shape, eps, offset, cast_first)
    return y


_rms_layer_norm_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, normalized_shape, eps, offset, cast_first):
    y, rstd = _rms_layer_norm_op(x, weight, normalized_shape, eps, offset, cast_first)
    return ((y, rstd), (x, weight, rstd))


def _backward(normalized_shape, eps, offset, cast_first, saved, cotangents):
    x, weight, rstd = saved
    dy, _ = cotangents
    eps = (2.0**-52 if _runtime.dtype_name(x) == "f64" else 2.0**-23) if eps is None else eps
    dx, dweight = _rms_layer_norm_bwd.rms_layer_norm_bwd(
        dy, x, rstd, weight, eps=eps, offset=offset, cast_first=cast_first
    )
    return _runtime.as_cotangent(dx, x), _runtime.as_cotangent(dweight, weight)


_rms_layer_norm_op.defvjp(_forward, _backward)
_rms_layer_norm_op.defjvp(_reference)
