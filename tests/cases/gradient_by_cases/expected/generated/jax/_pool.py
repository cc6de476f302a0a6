"""`pool` for JAX.

Rendered by opgen from pool.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import pool as _core
from . import _pool_bwd

_KERNEL = _runtime.Kernel(_core)


def pool(x: ArrayLike, *, mode: str = "sum") -> jax.Array:
    """The sum of each row, its largest element, or its first.

    Args:
        x (ArrayLike): shape `(*batch, n)`, float32 or float64.
        mode (str): one of 'sum', 'max', 'first'. Default: 'sum'.

    Returns:
        jax.Array: shape `(*batch)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(mode) is not str:
        mode = _runtime.static("pool", "mode", mode, "str")
    try:
        return _pool(x, mode)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _pool, x, mode=mode)


@functools.partial(jax.jit, static_argnums=(1,))
def _pool(x, mode):
    (x,) = _runtime.check(_KERNEL, x, mode=mode)
    if mode == "sum":
        (y,) = _pool_op_1(x, mode)
        return y
    elif mode == "max":
        (y,) = _pool_op_2(x, mode)
        return y
    else:
        (x,) = _runtime.no_gradient("pool", x)
        (y,) = _runtime.call(_KERNEL, x, mode=mode)
        return y


_pool_op_1 = _runtime.Differentiable(_KERNEL)


def _forward_1(x, mode):
    return (_pool_op_1(x, mode), (x,))


def _backward_1(mode, saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    dx = _runtime.aligned(
        lambda dy, x: dy + 0 * x,
        (
            _runtime.shape(_runtime.group("batch")),
            _runtime.shape(_runtime.group("batch"), _runtime.dim("n")),
        ),
        _runtime.shape(_runtime.group("batch"), _runtime.dim("n")),
        x,
        dy,
        x,
    )
    return (_runtime.as_cotangent(dx, x),)


_pool_op_2 = _runtime.Differentiable(_KERNEL)


def _forward_2(x, mode):
    needed = _runtime.needed(x=x)
    (x,) = _runtime.values(x)
    (y,) = _pool_op_2(x, mode)
    return ((y,), (x, y, needed))


def _backward_2(mode, saved, cotangents):
    x, y, needed = saved
    (dy,) = cotangents
    dy = _runtime.or_zeros(dy)
    dx = _pool_bwd.pool_bwd(dy, x, y, wanted=needed.results(dx="x"))
    return (_runtime.as_cotangent(dx, x),)


_pool_op_1.defvjp(_forward_1, _backward_1)
_pool_op_1.defjvp()
_pool_op_2.defvjp(_forward_2, _backward_2, symbolic_zeros=True)
