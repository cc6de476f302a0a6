"""`embedding` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "embedding",
    rule=(
        "op embedding -> y",
        "let rows input:weight sizes 0 item",
        "call embedding_bwd cotangent:y input:indices let:rows input:padding -> weight",
    ),
    fold=("indices",),
)
_runtime.shard(
    _op,
    split=("s", "d"),
    inputs={"weight": "rows d", "indices": "*s"},
    results={"y": "*s d"},
)
_runtime.count_flops(_op, lambda weight, indices, padding: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding(weight: Tensor, indices: Tensor, *, padding: int = -1) -> Tensor:
    """Rows of `weight` at `indices`; those of `padding` are zeros.

    weight: T[rows d].
    indices: I[*s].
    padding: int, at least -1. An index that stands for no row; -1: there is none.
    Returns y: T[*s d].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(weight, indices, padding)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("embedding", error, weight, indices, padding) from None
