"""`weighted_cross_entropy_bwd` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `weighted_cross_entropy`'s reference.
_reference = _runtime.reference("weighted_cross_entropy_bwd")
_runtime.define_gradient(
    "weighted_cross_entropy_bwd",
    "(Tensor? ddlogits, Tensor dloss, Tensor logits, Tensor labels, Tensor top, Tensor rest, Tensor mass, Tensor? count, Tensor? weight, float label_smoothing, str reduction, str classes, SymInt ignore_index, bool[] needed) -> (Tensor, Tensor)",
    _reference,
    wanted=("dloss", "logits"),
)
_op = _runtime.register(
    "weighted_cross_entropy_bwd",
    rule=(
        "op weighted_cross_entropy_bwd -> dlogits",
        "call weighted_cross_entropy_bwd_reference_vjp cotangent?:dlogits input:dloss "
        "input:logits input:labels input:top input:rest input:mass input:count input:weight "
        "input:label_smoothing input:reduction input:classes input:ignore_index needed -> dloss "
        "logits",
        "zero top rest mass count",
        "refuse weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda logits, **_: 2 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def weighted_cross_entropy_bwd(
    dloss: Tensor,
    logits: Tensor,
    labels: Tensor,
    top: Tensor,
    rest: Tensor,
    mass: Tensor,
    count: Tensor | None = None,
    weight: Tensor | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> Tensor:
    """Gradient of `weighted_cross_entropy`.

    Args:
        dloss (Tensor): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        logits (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        labels (Tensor): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        top (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        count (Tensor, optional): scalar, the dtype of `dloss`.
        weight (Tensor, optional): shape `(c,)`, the dtype of `dloss`.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.

    Returns:
        Tensor: shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.

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
            mass,
            _runtime.number(count, dloss, top, rest, mass, weight),
            weight,
            label_smoothing,
            reduction,
            classes,
            ignore_index,
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "weighted_cross_entropy_bwd",
            error,
            dloss,
            logits,
            labels,
            top,
            rest,
            mass,
            _runtime.number(count, dloss, top, rest, mass, weight),
            weight,
            label_smoothing,
            reduction,
            classes,
            ignore_index,
        ) from None
