"""`topk_softmax` for PyTorch.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("topk_softmax")
_op = _runtime.register(
    "topk_softmax",
    rule=(
        "op topk_softmax -> weights ids top total",
        "residual top total",
        "call topk_softmax_bwd cotangent:weights input:logits result:weights result:ids "
        "result:top result:total input:k input:renormalize -> logits",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def topk_softmax(logits: Tensor, *, k: int, renormalize: bool = False) -> tuple[Tensor, Tensor]:
    """Softmax over `e` experts, then the `k` largest with their indices.

    Args:
        logits (Tensor): shape `(*batch, e)`, float32, bfloat16 or float16.
        k (int): at least 1.
        renormalize (bool): Default: False.

    Returns:
        A tuple of

        - weights (Tensor): shape `(*batch, k)`, float32.
        - ids (Tensor): shape `(*batch, k)`, int64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        weights, ids, _, _ = (_traced if is_dynamo_compiling() else _eager)(logits, k, renormalize)
        return weights, ids
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("topk_softmax", error, logits, k, renormalize) from None
