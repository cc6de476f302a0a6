"""`conv2d_dgrad` for JAX.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import conv2d_dgrad as _core
from . import _conv2d, _conv2d_wgrad

# Autodiff of `conv2d`'s reference.
_reference = _runtime.reference("conv2d_dgrad")
_KERNEL = _runtime.Kernel(_core)


def conv2d_dgrad(
    dy: ArrayLike,
    weight: ArrayLike,
    *,
    h: int,
    w: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> jax.Array:
    """Gradient of `conv2d` with respect to `x`. The size `h` by `w` of `x` does not follow from
    `dy`.

    Args:
        dy (ArrayLike): shape `(n, k, p, q)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(k, cg, r, s)`, the dtype of `dy`.
        h (int)
        w (int)
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.

    Returns:
        jax.Array: shape `(n, groups*cg, h, w)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(h) is not int:
        h = _runtime.static("conv2d_dgrad", "h", h, "int")
    if type(w) is not int:
        w = _runtime.static("conv2d_dgrad", "w", w, "int")
    stride = _runtime.static("conv2d_dgrad", "stride", stride, "int[]")
    padding = _runtime.static("conv2d_dgrad", "padding", padding, "int[]")
    dilation = _runtime.static("conv2d_dgrad", "dilation", dilation, "int[]")
    if type(groups) is not int:
        groups = _runtime.static("conv2d_dgrad", "groups", groups, "int")
    try:
        return _conv2d_dgrad(dy, weight, h, w, stride, padding, dilation, groups)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _conv2d_dgrad,
            dy,
            weight,
            h=h,
            w=w,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )


@functools.partial(jax.jit, static_argnums=(2, 3, 4, 5, 6, 7))
def _conv2d_dgrad(dy, weight, h, w, stride, padding, dilation, groups):
    dy, weight = _runtime.check(
        _KERNEL,
        dy,
        weight,
        h=h,
        w=w,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
    )
    (dx,) = _conv2d_dgrad_op(dy, weight, h, w, stride, padding, dilation, groups)
    return dx


_conv2d_dgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, weight, h, w, stride, padding, dilation, groups):
    needed = _runtime.needed(dy=dy, weight=weight)
    dy, weight = _runtime.values(dy, weight)
    return (
        _conv2d_dgrad_op(dy, weight, h, w, stride, padding, dilation, groups),
        (dy, weight, needed),
    )


def _backward(h, w, stride, padding, dilation, groups, saved, cotangents):
    dy, weight, needed = saved
    (ddx,) = cotangents
    ddx = _runtime.or_zeros(ddx)
    ddy = None
    if needed.any("dy"):
        ddy = _conv2d.conv2d(
            ddx, weight, stride=stride, padding=padding, dilation=dilation, groups=groups
        )
    dweight = None
    if needed.any("weight"):
        dweight, _ = _conv2d_wgrad.conv2d_wgrad(
            dy,
            ddx,
            r=weight.shape[2],
            s=weight.shape[3],
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            wanted=needed.results(dweight="weight"),
        )
    return _runtime.as_cotangent(ddy, dy), _runtime.as_cotangent(dweight, weight)


_conv2d_dgrad_op.defvjp(_forward, _backward, symbolic_zeros=True)
_conv2d_dgrad_op.defjvp(_reference)
