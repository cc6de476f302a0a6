"""`soft_cross_entropy_bwd` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("soft_cross_entropy_bwd")
_runtime.define_gradient(
    "soft_cross_entropy_bwd",
    "(Tensor? ddlogits, Tensor? ddtarget, Tensor dloss, Tensor logits, Tensor target, Tensor top, Tensor rest, Tensor mass, Tensor? weight, SymInt positions, float label_smoothing, str reduction, str classes, bool[] needed) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dloss", "logits", "target", "top", "rest", "mass"),
    unread=("top", "rest", "mass"),
)
_op = _runtime.register(
    "soft_cross_entropy_bwd",
    rule=(
        "op soft_cross_entropy_bwd -> dlogits dtarget",
        "call soft_cross_entropy_bwd_reference_vjp cotangent?:dlogits cotangent?:dtarget "
        "input:dloss input:logits input:target input:top input:rest input:mass input:weight "
        "input:positions input:label_smoothing input:reduction input:classes needed -> dloss "
        "logits target top rest mass",
        "refuse weight",
    ),
    reference=_reference,
    unread=("top", "rest", "mass"),
)
_runtime.count_flops(_op, lambda logits, **_: 5 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def soft_cross_entropy_bwd(
    dloss: Tensor,
    logits: Tensor,
    target: Tensor,
    top: Tensor,
    rest: Tensor,
    mass: Tensor,
    weight: Tensor | None = None,
    *,
    positions: int,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> tuple[Tensor | None, Tensor | None]:
    """Gradient of `soft_cross_entropy`. Only the requested gradients are computed.

    Args:
        dloss (Tensor): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        logits (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        target (Tensor): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.
        top (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        weight (Tensor, optional): shape `(c,)`, the dtype of `dloss`.
        positions (int): The number of positions on all shards, by which a mean divides. At least 1.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        wanted (Collection[str]): results to compute, of "dlogits", "dtarget". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dlogits (Tensor, optional): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of
          `logits`.
        - dtarget (Tensor, optional): shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of
          `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            positions,
            label_smoothing,
            reduction,
            classes,
            _runtime.wanted_bits("soft_cross_entropy_bwd", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "soft_cross_entropy_bwd",
            error,
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            positions,
            label_smoothing,
            reduction,
            classes,
        ) from None
