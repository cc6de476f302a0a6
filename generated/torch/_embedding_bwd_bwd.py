"""`embedding_bwd_bwd` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding_bwd_bwd")
_op = _runtime.register(
    "embedding_bwd_bwd",
    rule=(
        "op embedding_bwd_bwd -> ddy",
        "let rows input:ddweight sizes 0 item",
        "call embedding_bwd cotangent:ddy input:indices let:rows input:padding_idx -> ddweight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda **_: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bwd_bwd(
    ddweight: Tensor, indices: Tensor, *, padding_idx: int | None = None
) -> Tensor:
    """Gradient of `embedding_bwd` with respect to `dy`: rows of `ddweight` at `indices`, zeros for
    `padding_idx`.

    Args:
        ddweight (Tensor): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(*s)`, int64 or int32.
        padding_idx (int, optional): Default: None.

    Returns:
        Tensor: shape `(*s, d)`, the dtype of `ddweight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(ddweight, indices, padding_idx)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("embedding_bwd_bwd", error, ddweight, indices, padding_idx) from None
