"""`paged_cache_write` for JAX.

Rendered by opgen from paged_cache_write.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from ..core import paged_cache_write as _core
from . import _runtime


def _case(k, v, k_cache, v_cache, slots, k_scale, v_scale, *, order):
    """The shapes of inputs and outputs in a call, and the dims that may be split."""
    inputs = (
        "t h d",
        "t h d",
        "nb bs h d" if order == "NHD" else "nb h bs d",
        "nb bs h d" if order == "NHD" else "nb h bs d",
        "t",
        "",
        "",
    )
    outputs = ()
    return inputs, outputs, ("h",)


_KERNEL = _runtime.Kernel(
    _core,
    case=_case,
    attrs={"order": str.encode},
    updates=(2, 3),
    varies=True,
    numbers={5: ("f32",), 6: ("f32",)},
)


def paged_cache_write(
    k: ArrayLike,
    v: ArrayLike,
    k_cache: ArrayLike,
    v_cache: ArrayLike,
    slots: ArrayLike,
    k_scale: ArrayLike | None = None,
    v_scale: ArrayLike | None = None,
    *,
    order: str = "NHD",
) -> tuple[jax.Array, jax.Array]:
    """Writes the rows of `k` and `v` to the slots of a paged cache that `slots` names;
    a negative slot is skipped.

    k: T[t h d].
    v: T[t h d].
    k_cache: C[nb bs h d | nb h bs d].
    v_cache: C[nb bs h d | nb h bs d].
    slots: i32[t].
    k_scale: f32[].
    v_scale: f32[].
    order: str, one of 'NHD', 'HND'.
    Returns k_cache: C[nb bs h d | nb h bs d], v_cache: C[nb bs h d | nb h bs d].
    T: bfloat16, float16 or float32.
    C: bfloat16, float16, float32 or float8_e4m3fn.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    if type(order) is not str:
        order = _runtime.static("paged_cache_write", "order", order, "str")
    try:
        return _paged_cache_write(
            k, v, k_cache, v_cache, slots, k_scale, v_scale, order
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _paged_cache_write,
            k,
            v,
            k_cache,
            v_cache,
            slots,
            k_scale,
            v_scale,
            order=order,
        )


@_runtime.checked(_KERNEL)
@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(7,))
def _paged_cache_write(k, v, k_cache, v_cache, slots, k_scale, v_scale, order):
    k, v, k_cache, v_cache, slots, k_scale, v_scale = _runtime.check(
        _KERNEL, k, v, k_cache, v_cache, slots, k_scale, v_scale, order=order
    )
    k, v, k_cache, v_cache, k_scale, v_scale = _runtime.no_gradient(
        "paged_cache_write", k, v, k_cache, v_cache, k_scale, v_scale
    )
    return _runtime.call(
        _KERNEL, k, v, k_cache, v_cache, slots, k_scale, v_scale, order=order
    )
