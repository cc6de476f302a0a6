"""`conv2d_wgrad` for JAX.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
import numpy as np
from jax.typing import ArrayLike

from ..core import conv2d_wgrad as _core
from . import _conv2d, _conv2d_dgrad, _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("n k p q", "n groups*cg h w"),
    outputs=("k cg r s", "k"),
    attrs={
        "stride": _runtime.int_list,
        "padding": _runtime.int_list,
        "dilation": _runtime.int_list,
        "groups": np.int64,
        "r": np.int64,
        "s": np.int64,
    },
    wanted=("dweight", "dbias"),
    varies=True,
    split=("n",),
    reduce=({"n": "sum"}, {"n": "sum"}),
)


def conv2d_wgrad(
    dy: ArrayLike,
    x: ArrayLike,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    r: int,
    s: int,
) -> tuple[jax.Array | None, jax.Array | None]:
    """Gradient of `conv2d` with respect to `weight` and `bias`.

    dy: T[n k p q].
    x: T[n groups*cg h w].
    stride: int[2], at least 1.
    padding: int[2], at least 0.
    dilation: int[2], at least 1.
    groups: int, at least 1.
    r: int.
    s: int.
    Returns dweight: T[k cg r s], dbias: T[k].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _conv2d_wgrad(
            dy,
            x,
            _runtime.hashable(stride),
            _runtime.hashable(padding),
            _runtime.hashable(dilation),
            groups,
            r,
            s,
        )
    except (TypeError, ValueError):
        _runtime.explain(
            _KERNEL,
            dy,
            x,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=groups,
            r=r,
            s=s,
        )
        raise


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(2, 3, 4, 5, 6, 7))
def _conv2d_wgrad(dy, x, stride, padding, dilation, groups, r, s):
    _runtime.check(
        _KERNEL,
        dy,
        x,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        r=r,
        s=s,
    )
    dy, x = _runtime.reverse_mode_only("conv2d_wgrad", dy, x)
    return _op(dy, x, stride, padding, dilation, groups, r, s)


@functools.partial(jax.custom_vjp, nondiff_argnums=(2, 3, 4, 5, 6, 7))
def _op(dy, x, stride, padding, dilation, groups, r, s):
    return _runtime.call(
        _KERNEL,
        dy,
        x,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        r=r,
        s=s,
    )


def _forward(dy, x, stride, padding, dilation, groups, r, s):
    return _op(dy, x, stride, padding, dilation, groups, r, s), (dy, x)


def _backward(stride, padding, dilation, groups, r, s, saved, cotangents):
    dy, x = saved
    ddweight, ddbias = cotangents
    ddy = _conv2d.conv2d(
        x,
        ddweight,
        ddbias,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
    )
    dx = _conv2d_dgrad.conv2d_dgrad(
        dy,
        ddweight,
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        h=x.shape[2],
        w=x.shape[3],
    )
    return _runtime.as_cotangent(ddy, dy), _runtime.as_cotangent(dx, x)


_op.defvjp(_forward, _backward)
