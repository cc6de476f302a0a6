"""`topk_softmax_bwd` for PyTorch.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `topk_softmax`'s reference.
_reference = _runtime.reference("topk_softmax_bwd")
_runtime.define_gradient(
    "topk_softmax_bwd",
    "(Tensor? ddlogits, Tensor dweights, Tensor logits, Tensor weights, Tensor ids, Tensor top, Tensor total, SymInt k, bool renormalize, bool[] needed) -> (Tensor, Tensor)",
    _reference,
    wanted=("dweights", "logits"),
)
_op = _runtime.register(
    "topk_softmax_bwd",
    rule=(
        "op topk_softmax_bwd -> dlogits",
        "call topk_softmax_bwd_reference_vjp cotangent?:dlogits input:dweights input:logits "
        "input:weights input:ids input:top input:total input:k input:renormalize needed -> "
        "dweights logits",
        "zero weights top total",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def topk_softmax_bwd(
    dweights: Tensor,
    logits: Tensor,
    weights: Tensor,
    ids: Tensor,
    top: Tensor,
    total: Tensor,
    *,
    k: int,
    renormalize: bool,
) -> Tensor:
    """Gradient of `topk_softmax`.

    Args:
        dweights (Tensor): shape `(*batch, k)`, float32.
        logits (Tensor): shape `(*batch, e)`, float32, bfloat16 or float16.
        weights (Tensor): shape `(*batch, k)`, the dtype of `dweights`.
        ids (Tensor): shape `(*batch, k)`, int64.
        top (Tensor): shape `(*batch)`, the dtype of `dweights`.
        total (Tensor): shape `(*batch)`, the dtype of `dweights`.
        k (int): at least 1.
        renormalize (bool)

    Returns:
        Tensor: shape `(*batch, e)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dweights, logits, weights, ids, top, total, k, renormalize
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "topk_softmax_bwd", error, dweights, logits, weights, ids, top, total, k, renormalize
        ) from None
