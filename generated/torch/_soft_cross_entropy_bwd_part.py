"""`soft_cross_entropy_bwd_part` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("soft_cross_entropy_bwd_part")
_runtime.fall_back("soft_cross_entropy_bwd_part", _reference)
_op = _runtime.register(
    "soft_cross_entropy_bwd_part",
    rule=(
        "op soft_cross_entropy_bwd_part -> dlogits dtarget",
        "refuse dloss logits target top rest mass weight",
    ),
)
_runtime.count_flops(_op, lambda logits, **_: 5 * prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def soft_cross_entropy_bwd_part(
    dloss: Tensor,
    logits: Tensor,
    target: Tensor,
    top: Tensor,
    rest: Tensor,
    mass: Tensor,
    weight: Tensor | None = None,
    *,
    c: int,
    positions: int,
    classes: str = "last",
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    wanted: Collection[str] = ("dlogits", "dtarget"),
) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of `soft_cross_entropy` for some of the classes. A step of
    `soft_cross_entropy_bwd`.

    Args:
        dloss (Tensor): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        logits (Tensor): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        target (Tensor): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of `logits`.
        top (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (Tensor): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        weight (Tensor, optional): shape `(v,)`, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        positions (int): The number of positions on all shards, by which a mean divides. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        wanted (Collection[str]): results to compute, of "dlogits", "dtarget". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dlogits (Tensor, optional): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of
          `logits`.
        - dtarget (Tensor, optional): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of
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
            c,
            positions,
            classes,
            label_smoothing,
            reduction,
            _runtime.wanted_bits("soft_cross_entropy_bwd_part", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "soft_cross_entropy_bwd_part",
            error,
            dloss,
            logits,
            target,
            top,
            rest,
            mass,
            weight,
            c,
            positions,
            classes,
            label_smoothing,
            reduction,
        ) from None
