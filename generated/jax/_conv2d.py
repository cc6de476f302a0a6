"""`conv2d` for JAX.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import conv2d as _core
from . import _conv2d_dgrad, _conv2d_wgrad

_reference = _runtime.reference("conv2d")
_KERNEL = _runtime.Kernel(_core)


def conv2d(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> jax.Array:
    """2-D convolution of NCHW images.

    Args:
        x (ArrayLike): shape `(n, groups*cg, h, w)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(k, cg, r, s)`, the dtype of `x`.
        bias (ArrayLike, optional): shape `(k,)`, the dtype of `x`.
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.

    Returns:
        jax.Array: shape `(n, k, p, q)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    stride = _runtime.static("conv2d", "stride", stride, "int[]")
    padding = _runtime.static("conv2d", "padding", padding, "int[]")
    dilation = _runtime.static("conv2d", "dilation", dilation, "int[]")
    if type(groups) is not int:
        groups = _runtime.static("conv2d", "groups", groups, "int")
    try:
        return _conv2d(x, weight, bias, stride, padding, dilation, groups)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _conv2d,
            x,
            weight,
            bias,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )


@functools.partial(jax.jit, static_argnums=(3, 4, 5, 6))
def _conv2d(x, weight, bias, stride, padding, dilation, groups):
    x, weight, bias = _runtime.check(
        _KERNEL, x, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups
    )
    (y,) = _conv2d_op(x, weight, bias, stride, padding, dilation, groups)
    return y


_conv2d_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, bias, stride, padding, dilation, groups):
    needed = _runtime.needed(x=x, weight=weight, bias=bias)
    x, weight, bias = _runtime.values(x, weight, bias)
    return (
        _conv2d_op(x, weight, bias, stride, padding, dilation, groups),
        (x, weight, _runtime.type_of(bias), needed),
    )


def _backward(stride, padding, dilation, groups, saved, cotangents):
    x, weight, bias, needed = saved
    (dy,) = cotangents
    dy = _runtime.or_zeros(dy)
    dx = None
    if needed.any("x"):
        dx = _conv2d_dgrad.conv2d_dgrad(
            dy,
            weight,
            h=x.shape[2],
            w=x.shape[3],
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )
    dweight = dbias = None
    if needed.any("weight", "bias"):
        dweight, dbias = _conv2d_wgrad.conv2d_wgrad(
            dy,
            x,
            r=weight.shape[2],
            s=weight.shape[3],
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            wanted=needed.results(dweight="weight", dbias="bias"),
        )
    return (
        _runtime.as_cotangent(dx, x),
        _runtime.as_cotangent(dweight, weight),
        _runtime.as_cotangent(dbias, bias),
    )


_conv2d_op.defvjp(_forward, _backward, symbolic_zeros=True)
_conv2d_op.defjvp(_reference)
