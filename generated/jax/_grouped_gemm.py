"""`grouped_gemm` for JAX.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import grouped_gemm as _core
from . import _grouped_gemm_wgrad

_reference = _runtime.reference("grouped_gemm")
_KERNEL = _runtime.Kernel(_core)


def grouped_gemm(
    a: ArrayLike, b: ArrayLike, offsets: ArrayLike, *, trans_b: bool = False
) -> jax.Array:
    """`c[rows of j] = a[rows of j] @ b[j]` for each group j. `offsets` delimits the rows of each
    group.

    Args:
        a (ArrayLike): shape `(m, k)`, bfloat16, float16, float32 or float64.
        b (ArrayLike): shape `(g, n, k)` or shape `(g, k, n)`, the dtype of `a`.
        offsets (ArrayLike): shape `(g+1,)`, int32.
        trans_b (bool): Default: False.

    Returns:
        jax.Array: shape `(m, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(trans_b) is not bool:
        trans_b = _runtime.static("grouped_gemm", "trans_b", trans_b, "bool")
    try:
        return _grouped_gemm(a, b, offsets, trans_b)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _grouped_gemm, a, b, offsets, trans_b=trans_b)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3,))
def _grouped_gemm(a, b, offsets, trans_b):
    a, b, offsets = _runtime.check(_KERNEL, a, b, offsets, trans_b=trans_b)
    (c,) = _grouped_gemm_op(a, b, offsets, trans_b)
    return c


_grouped_gemm_op = _runtime.Differentiable(_KERNEL)


def _forward(a, b, offsets, trans_b):
    needed = _runtime.needed(a=a, b=b)
    a, b, offsets = _runtime.values(a, b, offsets)
    return (_grouped_gemm_op(a, b, offsets, trans_b), (a, b, offsets, needed))


def _backward(trans_b, saved, cotangents):
    a, b, offsets, needed = saved
    (dc,) = cotangents
    dc = _runtime.or_zeros(dc)
    da = None
    if needed.any("a"):
        da = grouped_gemm(dc, b, offsets, trans_b=not trans_b)
    db = None
    if needed.any("b"):
        db = _grouped_gemm_wgrad.grouped_gemm_wgrad(a, dc, offsets, trans_b=trans_b)
    return _runtime.as_cotangent(da, a), _runtime.as_cotangent(db, b), None


_grouped_gemm_op.defvjp(_forward, _backward, symbolic_zeros=True)
_grouped_gemm_op.defjvp(_reference)
