"""`embedding_bwd_rows` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "embedding_bwd_rows", rule=("op embedding_bwd_rows -> dweight", "refuse dy")
)
_runtime.count_flops(_op, lambda dy, **_: prod(dy))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bwd_rows(
    dy: Tensor, indices: Tensor, first: Tensor, *, n: int, rows: int, padding_idx: int | None = None
) -> Tensor:
    """The gradient of `embedding` for a shard of the table. A step of `embedding_bwd` when the rows
    are split.

    Args:
        dy (Tensor): shape `(*s, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        first (Tensor): The number of the first row of `dweight` in the whole table. Scalar, int64.
        n (int): The number of rows of `dweight`. At least 0.
        rows (int): The number of rows on all shards. At least 1.
        padding_idx (int, optional): Default: None.

    Returns:
        Tensor: shape `(n, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, indices, _runtime.number(first, "i64", dy), n, rows, padding_idx
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding_bwd_rows",
            error,
            dy,
            indices,
            _runtime.number(first, "i64", dy),
            n,
            rows,
            padding_idx,
        ) from None
