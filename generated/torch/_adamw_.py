"""`adamw_` for PyTorch.

Rendered by opgen from adamw.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register(
    "adamw_",
    rule=(
        "op adamw_ ->",
        "refuse params grads exp_avgs exp_avg_sqs step lr max_exp_avg_sqs",
    ),
)
_runtime.follow(_op, "params", ("grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def adamw_(
    params: Sequence[Tensor],
    grads: Sequence[Tensor],
    exp_avgs: Sequence[Tensor],
    exp_avg_sqs: Sequence[Tensor],
    step: Tensor,
    lr: Tensor,
    max_exp_avg_sqs: Sequence[Tensor] | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-08,
    weight_decay: float = 0.01,
    amsgrad: bool = False,
    maximize: bool = False,
) -> tuple[list[Tensor], list[Tensor], list[Tensor], Tensor, list[Tensor] | None]:
    """One AdamW step on lists of tensors, in place.

    params: T[*s[i]].
    grads: G[*s[i]].
    exp_avgs: M[*s[i]].
    exp_avg_sqs: M[*s[i]].
    step: f32[].
    lr: f32[].
    max_exp_avg_sqs: M[*s[i]].
    beta1: float, at least 0, at most 1.
    beta2: float, at least 0, at most 1.
    eps: float, at least 0.
    weight_decay: float, at least 0.
    amsgrad: bool.
    maximize: bool.
    Returns params: T[*s[i]], exp_avgs: M[*s[i]], exp_avg_sqs: M[*s[i]], step: f32[],
    max_exp_avg_sqs: M[*s[i]].
    T: float32, bfloat16, float16 or float64.
    G: float32, bfloat16, float16 or float64.
    M: float32, bfloat16 or float64.

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        (_traced if is_dynamo_compiling() else _eager)(
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            _runtime.number(lr, "f32", params),
            [] if max_exp_avg_sqs is None else max_exp_avg_sqs,
            beta1,
            beta2,
            eps,
            weight_decay,
            amsgrad,
            maximize,
        )
        return params, exp_avgs, exp_avg_sqs, step, max_exp_avg_sqs
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "adamw_",
            error,
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            _runtime.number(lr, "f32", params),
            max_exp_avg_sqs,
            beta1,
            beta2,
            eps,
            weight_decay,
            amsgrad,
            maximize,
        ) from None
