"""`embedding_rows` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("embedding_rows", rule=("op embedding_rows -> y", "refuse weight"))
_runtime.count_flops(_op, lambda **_: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_rows(weight: Tensor, indices: Tensor, first: Tensor, *, rows: int) -> Tensor:
    """Rows of a shard of the table at `indices`; zeros for rows of other shards. A step of
    `embedding` when the rows are split.

    Args:
        weight (Tensor): shape `(n, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        first (Tensor): The number of the first row of `weight` in the whole table. Scalar, int64.
        rows (int): The number of rows on all shards. At least 1.

    Returns:
        Tensor: shape `(*s, d)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            weight, indices, _runtime.number(first, "i64", weight), rows
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding_rows", error, weight, indices, _runtime.number(first, "i64", weight), rows
        ) from None
