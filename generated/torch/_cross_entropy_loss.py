"""`cross_entropy_loss` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "cross_entropy_loss",
    rule=(
        "op cross_entropy_loss -> loss rest count",
        "refuse logits total missed below",
    ),
)
_runtime.shard(
    _op,
    split=("batch", "v"),
    inputs={
        "logits": "*batch v",
        "labels": "*batch",
        "total": "*batch",
        "missed": "*batch",
        "below": "*batch",
    },
    results={
        "loss": lambda reduction, **_: "*batch" if reduction == "none" else "",
        "rest": "*batch",
        "count": "",
    },
    reduce={
        "loss": {
            "v": "same",
            "batch": lambda reduction, **_: (
                "mean(count)" if reduction == "mean" else "sum"
            ),
        },
        "rest": {"v": "same"},
        "count": {"v": "same", "batch": "sum"},
    },
)
_runtime.count_flops(_op, lambda logits, labels, total, missed, below, ignore_index, label_smoothing, reduction: 6 * prod(labels))  # fmt: skip
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_loss(
    logits: Tensor,
    labels: Tensor,
    total: Tensor,
    missed: Tensor,
    below: Tensor | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> tuple[Tensor, Tensor, Tensor | None]:
    """The loss from its terms: a part of `cross_entropy`.

    logits: T[*batch v]. Says the dtype; it is not read.
    labels: I[*batch].
    total: Acc[*batch].
    missed: Acc[*batch].
    below: Acc[*batch].
    ignore_index: int.
    label_smoothing: float, at least 0, at most 1.
    reduction: str, one of 'none', 'mean', 'sum'.
    Returns loss: Acc[*batch | ], rest: Acc[*batch], count: Acc[].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            logits,
            labels,
            total,
            missed,
            below,
            ignore_index,
            label_smoothing,
            reduction,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy_loss",
            error,
            logits,
            labels,
            total,
            missed,
            below,
            ignore_index,
            label_smoothing,
            reduction,
        ) from None
