"""`moe_permute` for JAX.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import moe_permute as _core
from . import _moe_unpermute

_reference = _runtime.reference("moe_permute")
_KERNEL = _runtime.Kernel(_core)


def moe_permute(x: ArrayLike, ids: ArrayLike, *, e: int) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The row of each token, repeated for its `k` experts and sorted by expert, with the offset of
    each expert and the place of each row.

    Args:
        x (ArrayLike): shape `(t, d)`, float32, bfloat16, float16 or float64.
        ids (ArrayLike): shape `(t, k)`, int64 or int32.
        e (int): The number of experts. At least 1.

    Returns:
        A tuple of

        - rows (jax.Array): shape `(t*k, d)`, the dtype of `x`.
        - offsets (jax.Array): The first row of each expert, as `grouped_gemm` expects. Shape
          `(e+1,)`, int32.
        - places (jax.Array): The row of `rows` for each token and each of its experts. Shape `(t,
          k)`, int32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(e) is not int:
        e = _runtime.static("moe_permute", "e", e, "int")
    try:
        return _moe_permute(x, ids, e)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _moe_permute, x, ids, e=e)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2,))
def _moe_permute(x, ids, e):
    x, ids = _runtime.check(_KERNEL, x, ids, e=e)
    return _moe_permute_op(x, ids, e)


_moe_permute_op = _runtime.Differentiable(_KERNEL)


def _forward(x, ids, e):
    rows, offsets, places = _moe_permute_op(x, ids, e)
    return ((rows, offsets, places), (_runtime.type_of(x), places))


def _backward(e, saved, cotangents):
    x, places = saved
    drows, _, _ = cotangents
    dx = _moe_unpermute.moe_unpermute(drows, places)
    return _runtime.as_cotangent(dx, x), None


_moe_permute_op.defvjp(_forward, _backward)
_moe_permute_op.defjvp(_reference)
