"""`cross_entropy_terms` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "cross_entropy_terms",
    rule=("op cross_entropy_terms -> total missed below", "refuse logits top"),
    fold=("logits", "labels", "top"),
)
_runtime.shard(
    _op,
    split=("batch",),
    inputs={"logits": "*batch v", "labels": "*batch", "top": "*batch", "first": ""},
    results={"total": "*batch", "missed": "*batch", "below": "*batch"},
    reduce={"total": {"v": "sum"}, "missed": {"v": "sum"}, "below": {"v": "mean"}},
)
_runtime.count_flops(_op, lambda logits, labels, top, first, c, ignore_index, label_smoothing: 2 * prod(logits))  # fmt: skip
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_terms(
    logits: Tensor,
    labels: Tensor,
    top: Tensor,
    first: Tensor,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> tuple[Tensor, Tensor, Tensor | None]:
    """What the loss of each row of `logits` is computed from, relative to `top`: a part
    of `cross_entropy`.

    logits: T[*batch v].
    labels: I[*batch].
    top: Acc[*batch].
    first: i64[].
    c: int, at least 1. How many classes there are in all.
    ignore_index: int.
    label_smoothing: float, at least 0, at most 1.
    Returns total: Acc[*batch], missed: Acc[*batch], below: Acc[*batch].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.
    Acc: accum(T).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            logits,
            labels,
            top,
            _runtime.number(first, "i64", logits),
            c,
            ignore_index,
            label_smoothing,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy_terms",
            error,
            logits,
            labels,
            top,
            _runtime.number(first, "i64", logits),
            c,
            ignore_index,
            label_smoothing,
        ) from None
