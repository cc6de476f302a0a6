"""`window_sums` for JAX.

Rendered by opgen from windows.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import window_sums as _core

_reference = _runtime.References("windows")
_KERNEL = _runtime.Kernel(_core)


def window_sums(x: ArrayLike, *, width: int, step: int = 1) -> jax.Array:
    """Sums of `width` neighbours along the last dim of `x`, begun every `step`.

    Args:
        x (ArrayLike): shape `(*batch, n)`, float32 or float64.
        width (int): at least 1.
        step (int): at least 1. Default: 1.

    Returns:
        jax.Array: shape `(*batch, m)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(width) is not int:
        width = _runtime.static("window_sums", "width", width, "int")
    if type(step) is not int:
        step = _runtime.static("window_sums", "step", step, "int")
    try:
        return _window_sums(x, width, step)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _window_sums, x, width=width, step=step)


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(1, 2))
def _window_sums(x, width, step):
    (x,) = _runtime.check(_KERNEL, x, width=width, step=step)
    (sums,) = _window_sums_op(x, width, step)
    return sums


_window_sums_op = _runtime.Differentiable(_KERNEL)


def _forward(x, width, step):
    return (_window_sums_op(x, width, step), (x,))


def _backward(width, step, saved, cotangents):
    (x,) = saved
    (dsums,) = cotangents

    def reference(x):
        return _reference.window_sums(_runtime.xp, x, width=width, step=step)

    (dx,) = _runtime.pullback(reference, (x,), (dsums,))
    return (_runtime.as_cotangent(dx, x),)


_window_sums_op.defvjp(_forward, _backward)
_window_sums_op.defjvp(_reference.window_sums)
