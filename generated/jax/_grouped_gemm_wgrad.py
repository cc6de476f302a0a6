"""`grouped_gemm_wgrad` for JAX.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import grouped_gemm_wgrad as _core
from . import _grouped_gemm

# Autodiff of `grouped_gemm`'s reference.
_reference = _runtime.reference("grouped_gemm_wgrad")
_KERNEL = _runtime.Kernel(_core)


def grouped_gemm_wgrad(
    a: ArrayLike, dc: ArrayLike, offsets: ArrayLike, *, trans_b: bool
) -> jax.Array:
    """Gradient of `grouped_gemm` with respect to `b`.

    Args:
        a (ArrayLike): shape `(m, k)`, bfloat16, float16, float32 or float64.
        dc (ArrayLike): shape `(m, n)`, the dtype of `a`.
        offsets (ArrayLike): shape `(g+1,)`, int32.
        trans_b (bool)

    Returns:
        jax.Array: shape `(g, n, k)` or shape `(g, k, n)`, the dtype of `a`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(trans_b) is not bool:
        trans_b = _runtime.static("grouped_gemm_wgrad", "trans_b", trans_b, "bool")
    try:
        return _grouped_gemm_wgrad(a, dc, offsets, trans_b)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _grouped_gemm_wgrad, a, dc, offsets, trans_b=trans_b)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3,))
def _grouped_gemm_wgrad(a, dc, offsets, trans_b):
    a, dc, offsets = _runtime.check(_KERNEL, a, dc, offsets, trans_b=trans_b)
    (db,) = _grouped_gemm_wgrad_op(a, dc, offsets, trans_b)
    return db


_grouped_gemm_wgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(a, dc, offsets, trans_b):
    needed = _runtime.needed(a=a, dc=dc)
    a, dc, offsets = _runtime.values(a, dc, offsets)
    return (_grouped_gemm_wgrad_op(a, dc, offsets, trans_b), (a, dc, offsets, needed))


def _backward(trans_b, saved, cotangents):
    a, dc, offsets, needed = saved
    (ddb,) = cotangents
    ddb = _runtime.or_zeros(ddb)
    da = None
    if needed.any("a"):
        da = _grouped_gemm.grouped_gemm(dc, ddb, offsets, trans_b=not trans_b)
    ddc = None
    if needed.any("dc"):
        ddc = _grouped_gemm.grouped_gemm(a, ddb, offsets, trans_b=trans_b)
    return _runtime.as_cotangent(da, a), _runtime.as_cotangent(ddc, dc), None


_grouped_gemm_wgrad_op.defvjp(_forward, _backward, symbolic_zeros=True)
_grouped_gemm_wgrad_op.defjvp(_reference)
