"""`scale_all` for JAX.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import scale_all as _core

_KERNEL = _runtime.Kernel(_core)


def scale_all(xs: Sequence[ArrayLike], factor: ArrayLike) -> list[jax.Array]:
    """`factor * x` of each `x` of a list, in memory as `x` is.

    Args:
        xs (list of ArrayLike): shape `(*s[i])`, float32 or float64.
        factor (ArrayLike): scalar, the dtype of `xs`.

    Returns:
        list of jax.Array: shape `(*s[i])`, the dtype of `xs`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _scale_all(xs, factor)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _scale_all, xs, factor)


@jax.jit
def _scale_all(xs, factor):
    xs, factor = _runtime.check(_KERNEL, xs, factor)
    (ys,) = _scale_all_op(xs, factor)
    return ys


_scale_all_op = _runtime.Differentiable(_KERNEL)


def _forward(xs, factor):
    return (_scale_all_op(xs, factor), (xs, factor))


def _backward(saved, cotangents):
    xs, factor = saved
    (dys,) = cotangents
    dxs = _runtime.aligned(
        lambda factor, dys: factor * dys,
        (_runtime.shape(), _runtime.shape(_runtime.group("s", each=True))),
        _runtime.shape(_runtime.group("s", each=True)),
        xs,
        factor,
        dys,
    )
    dfactor = _runtime.aligned(
        lambda xs, dys: xs * dys,
        (
            _runtime.shape(_runtime.group("s", each=True)),
            _runtime.shape(_runtime.group("s", each=True)),
        ),
        _runtime.shape(),
        factor,
        xs,
        dys,
    )
    return _runtime.as_cotangent(dxs, xs), _runtime.as_cotangent(dfactor, factor)


_scale_all_op.defvjp(_forward, _backward)
_scale_all_op.defjvp()
