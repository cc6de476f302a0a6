"""`cross_entropy_terms` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy_terms")
_runtime.fall_back("cross_entropy_terms", _reference)
_op = _runtime.register(
    "cross_entropy_terms",
    rule=("op cross_entropy_terms -> total missed below", "refuse logits top"),
)
_runtime.count_flops(_op, lambda logits, **_: 2 * prod(logits))
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
    """The terms of the loss of each row of `logits`, relative to `top`. A step of `cross_entropy`.

    Args:
        logits (Tensor): shape `(*batch, v)`, float32, bfloat16, float16 or float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        top (Tensor): shape `(*batch)`, float32 (float64 if `logits` is float64).
        first (Tensor): scalar, int64.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.

    Returns:
        A tuple of

        - total (Tensor): The sum of exp(logits - top). Shape `(*batch)`, the dtype of `top`.
        - missed (Tensor): `top` minus the logit of the label; 0 if the label is on another shard.
          Shape `(*batch)`, the dtype of `top`.
        - below (Tensor, optional): The mean of top - logits. Shape `(*batch)`, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
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
