"""`paged_cache_write` for JAX.

Rendered by opgen from paged_cache_write.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import paged_cache_write as _core

_KERNEL = _runtime.Kernel(_core)


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
    """Writes the rows of `k` and `v` to the `slots` of a paged cache. A row with a negative slot is
    skipped.

    Args:
        k (ArrayLike): shape `(t, h, d)`, bfloat16, float16 or float32.
        v (ArrayLike): shape `(t, h, d)`, the dtype of `k`.
        k_cache (ArrayLike): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, bfloat16, float16,
            float32 or float8_e4m3fn.
        v_cache (ArrayLike): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, the dtype of
            `k_cache`.
        slots (ArrayLike): shape `(t,)`, int32.
        k_scale (ArrayLike, optional): scalar, float32.
        v_scale (ArrayLike, optional): scalar, float32.
        order (str): one of 'NHD', 'HND'. Default: 'NHD'.

    Returns:
        A tuple of

        - k_cache (jax.Array): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, bfloat16, float16,
          float32 or float8_e4m3fn.
        - v_cache (jax.Array): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, the dtype of
          `k_cache`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(order) is not str:
        order = _runtime.static("paged_cache_write", "order", order, "str")
    try:
        return _paged_cache_write(k, v, k_cache, v_cache, slots, k_scale, v_scale, order)
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
@functools.partial(jax.jit, static_argnums=(7,))
def _paged_cache_write(k, v, k_cache, v_cache, slots, k_scale, v_scale, order):
    k, v, k_cache, v_cache, slots, k_scale, v_scale = _runtime.check(
        _KERNEL, k, v, k_cache, v_cache, slots, k_scale, v_scale, order=order
    )
    k, v, k_cache, v_cache, k_scale, v_scale = _runtime.no_gradient(
        "paged_cache_write", k, v, k_cache, v_cache, k_scale, v_scale
    )
    return _runtime.call(_KERNEL, k, v, k_cache, v_cache, slots, k_scale, v_scale, order=order)
