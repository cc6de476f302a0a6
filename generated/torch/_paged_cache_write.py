"""`paged_cache_write` for PyTorch.

Rendered by opgen from paged_cache_write.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "paged_cache_write",
    rule=("op paged_cache_write ->", "refuse k v k_cache v_cache k_scale v_scale"),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def paged_cache_write(
    k: Tensor,
    v: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    slots: Tensor,
    k_scale: Tensor | None = None,
    v_scale: Tensor | None = None,
    *,
    order: str = "NHD",
) -> tuple[Tensor, Tensor]:
    """Writes the rows of `k` and `v` to the `slots` of a paged cache. A row with a negative slot is
    skipped.

    Args:
        k (Tensor): shape `(t, h, d)`, bfloat16, float16 or float32.
        v (Tensor): shape `(t, h, d)`, the dtype of `k`.
        k_cache (Tensor): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, bfloat16, float16,
            float32 or float8_e4m3fn.
        v_cache (Tensor): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, the dtype of `k_cache`.
        slots (Tensor): shape `(t,)`, int32.
        k_scale (Tensor, optional): scalar, float32.
        v_scale (Tensor, optional): scalar, float32.
        order (str): one of 'NHD', 'HND'. Default: 'NHD'.

    Returns:
        A tuple of

        - k_cache (Tensor): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, bfloat16, float16,
          float32 or float8_e4m3fn.
        - v_cache (Tensor): shape `(nb, bs, h, d)` or shape `(nb, h, bs, d)`, the dtype of
          `k_cache`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        (_traced if is_dynamo_compiling() else _eager)(
            k,
            v,
            k_cache,
            v_cache,
            slots,
            _runtime.number(k_scale, "f32", k),
            _runtime.number(v_scale, "f32", k),
            order,
        )
        return k_cache, v_cache
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "paged_cache_write",
            error,
            k,
            v,
            k_cache,
            v_cache,
            slots,
            _runtime.number(k_scale, "f32", k),
            _runtime.number(v_scale, "f32", k),
            order,
        ) from None
