"""`embedding_rows` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_rows as _core

_KERNEL = _runtime.Kernel(_core)


def embedding_rows(
    weight: ArrayLike, indices: ArrayLike, first: ArrayLike, *, rows: int
) -> jax.Array:
    """Rows of a shard of the table at `indices`; zeros for rows of other shards. A step of
    `embedding` when the rows are split.

    Args:
        weight (ArrayLike): shape `(n, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(*s)`, int64 or int32.
        first (ArrayLike): The number of the first row of `weight` in the whole table. Scalar,
            int64.
        rows (int): The number of rows on all shards. At least 1.

    Returns:
        jax.Array: shape `(*s, d)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(rows) is not int:
        rows = _runtime.static("embedding_rows", "rows", rows, "int")
    try:
        return _embedding_rows(weight, indices, first, rows)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _embedding_rows, weight, indices, first, rows=rows)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3,))
def _embedding_rows(weight, indices, first, rows):
    weight, indices, first = _runtime.check(_KERNEL, weight, indices, first, rows=rows)
    (weight,) = _runtime.no_gradient("embedding_rows", weight)
    (y,) = _runtime.call(_KERNEL, weight, indices, first, rows=rows)
    return y
