"""`rms_norm_bwd_apply` for JAX.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from ..core import rms_norm_bwd_apply as _core
from . import _runtime

_reference = _runtime.References("rms_norm")


_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*batch *norm", "*batch", "*batch *norm", "*norm", "*batch"),
    outputs=("*batch *norm", "*norm"),
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    reduce=({}, {"batch": "sum"}),
    fallback=_reference.rms_norm_bwd_apply,
)


def rms_norm_bwd_apply(
    dy: ArrayLike,
    invvar: ArrayLike,
    x: ArrayLike,
    weight: ArrayLike,
    products: ArrayLike,
) -> tuple[jax.Array, jax.Array]:
    """The gradients of `rms_norm` from the row means of their products: a part of
    `rms_norm_bwd`.

    dy: W[*batch *norm].
    invvar: Acc[*batch].
    x: T[*batch *norm].
    weight: W[*norm].
    products: Sum[*batch].
    Returns dx: T[*batch *norm], dweight: Sum[*norm].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.
    Acc: accum(T).
    Sum: accum(promote(T, W)).

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _rms_norm_bwd_apply(dy, invvar, x, weight, products)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _rms_norm_bwd_apply, dy, invvar, x, weight, products
        )


@_runtime.dumped
@jax.jit
def _rms_norm_bwd_apply(dy, invvar, x, weight, products):
    dy, invvar, x, weight, products = _runtime.check(
        _KERNEL, dy, invvar, x, weight, products
    )
    dy, invvar, x, weight, products = _runtime.no_gradient(
        "rms_norm_bwd_apply", dy, invvar, x, weight, products
    )
    return _runtime.call(_KERNEL, dy, invvar, x, weight, products)
