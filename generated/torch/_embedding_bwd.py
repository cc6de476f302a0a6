"""`embedding_bwd` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding_bwd")
_op = _runtime.register(
    "embedding_bwd",
    rule=(
        "op embedding_bwd -> dweight",
        "call embedding_bwd_bwd cotangent:dweight input:indices input:padding_idx -> dy",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda dy, **_: prod(dy))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bwd(
    dy: Tensor, indices: Tensor, *, rows: int, padding_idx: int | None = None
) -> Tensor:
    """Gradient of `embedding` with respect to `weight`: for each row, the sum of its rows of `dy`,
    in the order of `indices`.

    Args:
        dy (Tensor): shape `(*s, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        rows (int): at least 0.
        padding_idx (int, optional): Default: None.

    Returns:
        Tensor: shape `(rows, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, indices, rows, padding_idx)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("embedding_bwd", error, dy, indices, rows, padding_idx) from None
