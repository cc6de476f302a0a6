"""`topk_softmax_bwd` for PyTorch.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor

from . import _runtime

_op = _runtime.register(
    "topk_softmax_bwd",
    rule=(
        "op topk_softmax_bwd -> dlogits",
        "refuse dweights logits weights lse : its reference needs k, not given here",
    ),
    fold=("dweights", "logits", "weights", "ids", "lse"),
)
_runtime.shard(
    _op,
    split=("batch",),
    inputs={
        "dweights": "*batch k",
        "logits": "*batch e",
        "weights": "*batch k",
        "ids": "*batch k",
        "lse": "*batch",
    },
    results={"dlogits": "*batch e"},
)


def topk_softmax_bwd(
    dweights: Tensor,
    logits: Tensor,
    weights: Tensor,
    ids: Tensor,
    lse: Tensor,
    *,
    renormalize: bool,
) -> Tensor:
    """Gradient of `topk_softmax`.

    dweights: f32[*batch k].
    logits: T[*batch e].
    weights: f32[*batch k].
    ids: i64[*batch k].
    lse: f32[*batch].
    renormalize: bool.
    Returns dlogits: T[*batch e].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return _op(dweights, logits, weights, ids, lse, renormalize)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "topk_softmax_bwd", error, dweights, logits, weights, ids, lse, renormalize
        ) from None
