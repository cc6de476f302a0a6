"""`adamw_` for PyTorch.

Rendered by opgen from adamw.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "adamw_",
    rule=("op adamw_ ->", "refuse params grads exp_avgs exp_avg_sqs step lr max_exp_avg_sqs"),
)
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
) -> tuple[Sequence[Tensor], Sequence[Tensor], Sequence[Tensor], Tensor, Sequence[Tensor] | None]:
    """One AdamW step on lists of tensors, in place.

    Args:
        params (list of Tensor): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        grads (list of Tensor): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        exp_avgs (list of Tensor): shape `(*s[i])`, float32, bfloat16 or float64.
        exp_avg_sqs (list of Tensor): shape `(*s[i])`, the dtype of `exp_avgs`.
        step (Tensor): scalar, float32.
        lr (Tensor): scalar, float32 (float64 if `params` is float64).
        max_exp_avg_sqs (list of Tensor, optional): shape `(*s[i])`, the dtype of `exp_avgs`.
        beta1 (float): Below 1. At least 0. Default: 0.9.
        beta2 (float): Below 1. At least 0. Default: 0.999.
        eps (float): at least 0. Default: 1e-08.
        weight_decay (float): at least 0. Default: 0.01.
        amsgrad (bool): Default: False.
        maximize (bool): Default: False.

    Returns:
        A tuple of

        - params (list of Tensor): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        - exp_avgs (list of Tensor): shape `(*s[i])`, float32, bfloat16 or float64.
        - exp_avg_sqs (list of Tensor): shape `(*s[i])`, the dtype of `exp_avgs`.
        - step (Tensor): scalar, float32.
        - max_exp_avg_sqs (list of Tensor, optional): shape `(*s[i])`, the dtype of `exp_avgs`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        (_traced if is_dynamo_compiling() else _eager)(
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            _runtime.number(lr, "accum", params),
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
            _runtime.number(lr, "accum", params),
            max_exp_avg_sqs,
            beta1,
            beta2,
            eps,
            weight_decay,
            amsgrad,
            maximize,
        ) from None
