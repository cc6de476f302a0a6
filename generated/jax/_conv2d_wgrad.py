"""`conv2d_wgrad` for JAX.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import conv2d_wgrad as _core
from . import _conv2d, _conv2d_dgrad

# Autodiff of `conv2d`'s reference.
_reference = _runtime.reference("conv2d_wgrad")
_KERNEL = _runtime.Kernel(_core)


def conv2d_wgrad(
    dy: ArrayLike,
    x: ArrayLike,
    *,
    r: int,
    s: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    wanted: Collection[str] = ("dweight", "dbias"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """Gradient of `conv2d` with respect to `weight` and `bias`.

    Args:
        dy (ArrayLike): shape `(n, k, p, q)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(n, groups*cg, h, w)`, the dtype of `dy`.
        r (int)
        s (int)
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.
        wanted (Collection[str]): results to compute, of "dweight", "dbias". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dweight (jax.Array, optional): shape `(k, cg, r, s)`, the dtype of `dy`.
        - dbias (jax.Array, optional): shape `(k,)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(r) is not int:
        r = _runtime.static("conv2d_wgrad", "r", r, "int")
    if type(s) is not int:
        s = _runtime.static("conv2d_wgrad", "s", s, "int")
    stride = _runtime.static("conv2d_wgrad", "stride", stride, "int[]")
    padding = _runtime.static("conv2d_wgrad", "padding", padding, "int[]")
    dilation = _runtime.static("conv2d_wgrad", "dilation", dilation, "int[]")
    if type(groups) is not int:
        groups = _runtime.static("conv2d_wgrad", "groups", groups, "int")
    try:
        return _conv2d_wgrad(dy, x, r, s, stride, padding, dilation, groups, tuple(wanted))
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _conv2d_wgrad,
            dy,
            x,
            r=r,
            s=s,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            wanted=wanted,
        )


@functools.partial(jax.jit, static_argnums=(2, 3, 4, 5, 6, 7, 8))
def _conv2d_wgrad(dy, x, r, s, stride, padding, dilation, groups, wanted):
    dy, x = _runtime.check(
        _KERNEL,
        dy,
        x,
        r=r,
        s=s,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        wanted=wanted,
    )
    return _conv2d_wgrad_op(dy, x, r, s, stride, padding, dilation, groups, wanted)


_conv2d_wgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, x, r, s, stride, padding, dilation, groups, wanted):
    needed = _runtime.needed(dy=dy, x=x)
    dy, x = _runtime.values(dy, x)
    dweight, dbias = _conv2d_wgrad_op(
        dy, x, r, s, stride, padding, dilation, groups, (*wanted, "dweight")
    )
    return (
        (dweight if "dweight" in wanted else None, dbias),
        (dy, x, _runtime.type_of(dweight), needed),
    )


def _backward(r, s, stride, padding, dilation, groups, wanted, saved, cotangents):
    dy, x, dweight, needed = saved
    ddweight, ddbias = cotangents
    ddweight = _runtime.or_zeros(ddweight, dweight)
    ddy = None
    if needed.any("dy"):
        ddy = _conv2d.conv2d(
            x,
            ddweight,
            _runtime.or_none(ddbias),
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )
    dx = None
    if needed.any("x"):
        dx = _conv2d_dgrad.conv2d_dgrad(
            dy,
            ddweight,
            h=x.shape[2],
            w=x.shape[3],
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
        )
    return _runtime.as_cotangent(ddy, dy), _runtime.as_cotangent(dx, x)


_conv2d_wgrad_op.defvjp(_forward, _backward, symbolic_zeros=True)
_conv2d_wgrad_op.defjvp(_reference)
