"""`adamw_` for JAX.

Rendered by opgen from adamw.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import adamw_ as _core

_KERNEL = _runtime.Kernel(_core)


def adamw_(
    params: Sequence[ArrayLike],
    grads: Sequence[ArrayLike],
    exp_avgs: Sequence[ArrayLike],
    exp_avg_sqs: Sequence[ArrayLike],
    step: ArrayLike,
    lr: ArrayLike,
    max_exp_avg_sqs: Sequence[ArrayLike] | None = None,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-08,
    weight_decay: float = 0.01,
    amsgrad: bool = False,
    maximize: bool = False,
) -> tuple[list[jax.Array], list[jax.Array], list[jax.Array], jax.Array, list[jax.Array] | None]:
    """One AdamW step on lists of tensors, in place.

    Args:
        params (list of ArrayLike): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        grads (list of ArrayLike): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        exp_avgs (list of ArrayLike): shape `(*s[i])`, float32, bfloat16 or float64.
        exp_avg_sqs (list of ArrayLike): shape `(*s[i])`, the dtype of `exp_avgs`.
        step (ArrayLike): scalar, float32.
        lr (ArrayLike): scalar, float32 (float64 if `params` is float64).
        max_exp_avg_sqs (list of ArrayLike, optional): shape `(*s[i])`, the dtype of `exp_avgs`.
        beta1 (float): Below 1. At least 0. Default: 0.9.
        beta2 (float): Below 1. At least 0. Default: 0.999.
        eps (float): at least 0. Default: 1e-08.
        weight_decay (float): at least 0. Default: 0.01.
        amsgrad (bool): Default: False.
        maximize (bool): Default: False.

    Returns:
        A tuple of

        - params (list of jax.Array): shape `(*s[i])`, float32, bfloat16, float16 or float64.
        - exp_avgs (list of jax.Array): shape `(*s[i])`, float32, bfloat16 or float64.
        - exp_avg_sqs (list of jax.Array): shape `(*s[i])`, the dtype of `exp_avgs`.
        - step (jax.Array): scalar, float32.
        - max_exp_avg_sqs (list of jax.Array, optional): shape `(*s[i])`, the dtype of `exp_avgs`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(beta1) is not float:
        beta1 = _runtime.static("adamw_", "beta1", beta1, "float")
    if type(beta2) is not float:
        beta2 = _runtime.static("adamw_", "beta2", beta2, "float")
    if type(eps) is not float:
        eps = _runtime.static("adamw_", "eps", eps, "float")
    if type(weight_decay) is not float:
        weight_decay = _runtime.static("adamw_", "weight_decay", weight_decay, "float")
    if type(amsgrad) is not bool:
        amsgrad = _runtime.static("adamw_", "amsgrad", amsgrad, "bool")
    if type(maximize) is not bool:
        maximize = _runtime.static("adamw_", "maximize", maximize, "bool")
    try:
        return _adamw_(
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            lr,
            max_exp_avg_sqs,
            beta1,
            beta2,
            eps,
            weight_decay,
            amsgrad,
            maximize,
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _adamw_,
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            lr,
            max_exp_avg_sqs,
            beta1=beta1,
            beta2=beta2,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(7, 8, 9, 10, 11, 12))
def _adamw_(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    step,
    lr,
    max_exp_avg_sqs,
    beta1,
    beta2,
    eps,
    weight_decay,
    amsgrad,
    maximize,
):
    params, grads, exp_avgs, exp_avg_sqs, step, lr, max_exp_avg_sqs = _runtime.check(
        _KERNEL,
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        step,
        lr,
        max_exp_avg_sqs,
        beta1=beta1,
        beta2=beta2,
        eps=eps,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
        maximize=maximize,
    )
    params, grads, exp_avgs, exp_avg_sqs, step, lr, max_exp_avg_sqs = _runtime.no_gradient(
        "adamw_", params, grads, exp_avgs, exp_avg_sqs, step, lr, max_exp_avg_sqs
    )
    return _runtime.call(
        _KERNEL,
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        step,
        lr,
        max_exp_avg_sqs,
        beta1=beta1,
        beta2=beta2,
        eps=eps,
        weight_decay=weight_decay,
        amsgrad=amsgrad,
        maximize=maximize,
    )
