"""`embedding_bwd_bwd` for PyTorch.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "embedding_bwd_bwd",
    rule=(
        "op embedding_bwd_bwd -> ddy",
        "let rows input:ddweight sizes 0 item",
        "call embedding_bwd cotangent:ddy input:indices let:rows input:padding_idx -> ddweight",
    ),
    fold=("indices",),
)
_runtime.shard(
    _op,
    split=("s", "d"),
    inputs={"ddweight": "rows d", "indices": "*s"},
    results={"ddy": "*s d"},
)
_runtime.count_flops(_op, lambda ddweight, indices, padding_idx: 0)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bwd_bwd(
    ddweight: Tensor, indices: Tensor, *, padding_idx: int | None = None
) -> Tensor:
    """Gradient of `embedding_bwd` with respect to `dy`: rows of `ddweight` at
    `indices`, zeros for `padding_idx`.

    ddweight: T[rows d].
    indices: I[*s].
    padding_idx: int.
    Returns ddy: T[*s d].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            ddweight, indices, padding_idx
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding_bwd_bwd", error, ddweight, indices, padding_idx
        ) from None
