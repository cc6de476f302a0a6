"""`embedding_bwd_rows` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_bwd_rows as _core

_KERNEL = _runtime.Kernel(_core)


def embedding_bwd_rows(
    dy: ArrayLike,
    indices: ArrayLike,
    first: ArrayLike,
    *,
    n: int,
    rows: int,
    padding_idx: int | None = None,
) -> jax.Array:
    """The gradient of `embedding` for a shard of the table. A step of `embedding_bwd` when the rows
    are split.

    Args:
        dy (ArrayLike): shape `(*s, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(*s)`, int64 or int32.
        first (ArrayLike): The number of the first row of `dweight` in the whole table. Scalar,
            int64.
        n (int): The number of rows of `dweight`. At least 0.
        rows (int): The number of rows on all shards. At least 1.
        padding_idx (int, optional): Default: None.

    Returns:
        jax.Array: shape `(n, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(n) is not int:
        n = _runtime.static("embedding_bwd_rows", "n", n, "int")
    if type(rows) is not int:
        rows = _runtime.static("embedding_bwd_rows", "rows", rows, "int")
    if padding_idx is not None and type(padding_idx) is not int:
        padding_idx = _runtime.static("embedding_bwd_rows", "padding_idx", padding_idx, "int?")
    try:
        return _embedding_bwd_rows(dy, indices, first, n, rows, padding_idx)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _embedding_bwd_rows,
            dy,
            indices,
            first,
            n=n,
            rows=rows,
            padding_idx=padding_idx,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3, 4, 5))
def _embedding_bwd_rows(dy, indices, first, n, rows, padding_idx):
    dy, indices, first = _runtime.check(
        _KERNEL, dy, indices, first, n=n, rows=rows, padding_idx=padding_idx
    )
    (dy,) = _runtime.no_gradient("embedding_bwd_rows", dy)
    (dweight,) = _runtime.call(_KERNEL, dy, indices, first, n=n, rows=rows, padding_idx=padding_idx)
    return dweight
