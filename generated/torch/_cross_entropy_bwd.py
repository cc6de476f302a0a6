"""`cross_entropy_bwd` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `cross_entropy`'s reference.
_reference = _runtime.reference("cross_entropy_bwd")
_runtime.define_gradient(
    "cross_entropy_bwd",
    "(Tensor? ddlogits, Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor? count, SymInt ignore_index, float label_smoothing, str reduction, bool[] needed) -> (Tensor, Tensor)",
    _reference,
    wanted=("dloss", "logits"),
)
_op = _runtime.register(
    "cross_entropy_bwd",
    rule=(
        "op cross_entropy_bwd -> dlogits",
        "call cross_entropy_bwd_reference_vjp cotangent?:dlogits input:dloss input:logits "
        "input:labels input:top input:rest input:count input:ignore_index input:label_smoothing "
        "input:reduction needed -> dloss logits",
        "zero top rest count",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda logits, **_: 2 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_bwd(
    dloss: Tensor,
    logits: Tensor,
    labels: Tensor,
    top: Tensor,
    rest: Tensor,
    count: Tensor | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """Gradient of `cross_entropy`.

    Args:
        dloss (Tensor): shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).
        logits (Tensor): shape `(*batch, c)`, float32, bfloat16, float16 or float64.
        labels (Tensor): shape `(*batch)`, int64 or int32.
        top (Tensor): shape `(*batch)`, the dtype of `dloss`.
        rest (Tensor): shape `(*batch)`, the dtype of `dloss`.
        count (Tensor, optional): scalar, the dtype of `dloss`.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        Tensor: shape `(*batch, c)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dloss,
            logits,
            labels,
            top,
            rest,
            _runtime.number(count, dloss, top, rest),
            ignore_index,
            label_smoothing,
            reduction,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "cross_entropy_bwd",
            error,
            dloss,
            logits,
            labels,
            top,
            rest,
            _runtime.number(count, dloss, top, rest),
            ignore_index,
            label_smoothing,
            reduction,
        ) from None
