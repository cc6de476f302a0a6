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
        "call embedding_bwd cotangent:y input:indices let:rows input:padding_idx -> weight",
    ),
    fold=("indices",),
)
_runtime.shard(
    _op,
    split=("s", "d"),
    inputs={"weight": "rows d", "indices": "*s"},
    results={"y": "*s d"},
)
_runtime.count_flops(_op, lambda weight, indices, padding_idx: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding(
    weight: Tensor, indices: Tensor, *, padding_idx: int | None = None
) -> Tensor:
    """Rows of `weight` at `indices`; that of `padding_idx` gets no gradient.

    weight: T[rows d].
    indices: I[*s].
    padding_idx: int. A row that gets no gradient; below 0 it counts from the end.
    Returns y: T[*s d].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            weight, indices, padding_idx
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding", error, weight, indices, padding_idx
        ) from None
