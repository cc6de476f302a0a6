"""`linear_cross_entropy_terms` for PyTorch.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("linear_cross_entropy_terms")
_runtime.fall_back("linear_cross_entropy_terms", _reference)
_op = _runtime.register(
    "linear_cross_entropy_terms",
    rule=("op linear_cross_entropy_terms -> top total at_label", "refuse hidden weight"),
)
_runtime.count_flops(_op, lambda hidden, weight, **_: 2 * prod(hidden) * weight[0])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def linear_cross_entropy_terms(
    hidden: Tensor,
    weight: Tensor,
    labels: Tensor,
    first: Tensor,
    *,
    c: int,
    ignore_index: int = -100,
) -> tuple[Tensor, Tensor, Tensor]:
    """The terms of the loss of each row. A step of `linear_cross_entropy`.

    Args:
        hidden (Tensor): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(v, d)`, the dtype of `hidden`.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        first (Tensor): scalar, int64.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.

    Returns:
        A tuple of

        - top (Tensor): The largest logit. Shape `(*batch)`, float32 (float64 if `hidden` is
          float64).
        - total (Tensor): The sum of exp(logits - top). Shape `(*batch)`, float32 (float64 if
          `hidden` is float64).
        - at_label (Tensor): The logit of the label; 0 if the label is ignored or on another shard.
          Shape `(*batch)`, float32 (float64 if `hidden` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            hidden, weight, labels, _runtime.number(first, "i64", hidden), c, ignore_index
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "linear_cross_entropy_terms",
            error,
            hidden,
            weight,
            labels,
            _runtime.number(first, "i64", hidden),
            c,
            ignore_index,
        ) from None
