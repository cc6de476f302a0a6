"""`embedding` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding")
_op = _runtime.register(
    "embedding",
    rule=(
        "op embedding -> y",
        "let rows input:weight sizes 0 item",
        "call embedding_bwd cotangent:y input:indices let:rows input:padding_idx -> weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda **_: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding(weight: Tensor, indices: Tensor, *, padding_idx: int | None = None) -> Tensor:
    """Rows of `weight` at `indices`. The row `padding_idx` gets no gradient.

    Args:
        weight (Tensor): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        padding_idx (int, optional): A row that gets no gradient. A negative number counts from the
            end. Default: None.

    Returns:
        Tensor: shape `(*s, d)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(weight, indices, padding_idx)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("embedding", error, weight, indices, padding_idx) from None
