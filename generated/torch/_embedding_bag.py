"""`embedding_bag` for PyTorch.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("embedding_bag")
_op = _runtime.register(
    "embedding_bag",
    rule=(
        "op embedding_bag -> y argmax",
        "let rows input:weight sizes 0 item",
        "call embedding_bag_bwd cotangent:y input:indices input:offsets input:sample_weights "
        "result:argmax input:weight@dsample_weights let:rows input:mode wanted -> weight "
        "sample_weights",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda weight, indices, **_: indices[0] * weight[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    sample_weights: Tensor | None = None,
    *,
    mode: str = "mean",
) -> tuple[Tensor, Tensor | None]:
    """Rows of `weight` at `indices`, pooled over the bags that `offsets` delimit.

    Args:
        weight (Tensor): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (Tensor): shape `(n,)`, int64 or int32.
        offsets (Tensor): shape `(b+1,)`, the dtype of `indices`.
        sample_weights (Tensor, optional): shape `(n,)`, the dtype of `weight`.
        mode (str): one of 'sum', 'mean', 'max'. Default: 'mean'.

    Returns:
        A tuple of

        - y (Tensor): shape `(b, d)`, the dtype of `weight`.
        - argmax (Tensor, optional): shape `(b, d)`, the dtype of `indices`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            weight, indices, offsets, sample_weights, mode
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "embedding_bag", error, weight, indices, offsets, sample_weights, mode
        ) from None
