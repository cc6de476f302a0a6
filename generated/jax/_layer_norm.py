"""`layer_norm` for JAX.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import layer_norm as _core
from . import _layer_norm_bwd

_reference = _runtime.reference("layer_norm")
_KERNEL = _runtime.Kernel(_core)


def layer_norm(
    x: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> jax.Array:
    """Layer normalization over the trailing dims `normalized_shape`, optionally scaled and shifted.

    Args:
        x (ArrayLike): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        bias (ArrayLike, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        normalized_shape (Sequence[int])
        eps (float): at least 0. Default: 1e-05.

    Returns:
        jax.Array: shape `(*batch, *normalized_shape)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    normalized_shape = _runtime.static("layer_norm", "normalized_shape", normalized_shape, "int[]")
    if type(eps) is not float:
        eps = _runtime.static("layer_norm", "eps", eps, "float")
    try:
        return _layer_norm(x, weight, bias, normalized_shape, eps)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _layer_norm, x, weight, bias, normalized_shape=normalized_shape, eps=eps
        )


@functools.partial(jax.jit, static_argnums=(3, 4))
def _layer_norm(x, weight, bias, normalized_shape, eps):
    x, weight, bias = _runtime.check(
        _KERNEL, x, weight, bias, normalized_shape=normalized_shape, eps=eps
    )
    y, _, _ = _layer_norm_op(x, weight, bias, normalized_shape, eps)
    return y


_layer_norm_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, bias, normalized_shape, eps):
    needed = _runtime.needed(x=x, weight=weight, bias=bias)
    x, weight, bias = _runtime.values(x, weight, bias)
    y, mean, rstd = _layer_norm_op(x, weight, bias, normalized_shape, eps)
    return ((y, mean, rstd), (x, weight, _runtime.type_of(bias), mean, rstd, needed))


def _backward(normalized_shape, eps, saved, cotangents):
    x, weight, bias, mean, rstd, needed = saved
    dy, _, _ = cotangents
    dy = _runtime.or_zeros(dy)
    dx, dweight, dbias = _layer_norm_bwd.layer_norm_bwd(
        dy,
        x,
        mean,
        rstd,
        weight,
        eps=eps,
        wanted=needed.results(dx="x", dweight="weight", dbias="bias"),
    )
    return (
        _runtime.as_cotangent(dx, x),
        _runtime.as_cotangent(dweight, weight),
        _runtime.as_cotangent(dbias, bias),
    )


_layer_norm_op.defvjp(_forward, _backward, symbolic_zeros=True)
_layer_norm_op.defjvp(_reference)
