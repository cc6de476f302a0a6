"""`adamw_` for JAX.

Rendered by opgen from adamw.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
import numpy as np
from jax.typing import ArrayLike

from ..core import adamw_ as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*s[i]", "*s[i]", "*s[i]", "*s[i]", "", "", "*s[i]"),
    outputs=(),
    attrs={
        "beta1": np.float64,
        "beta2": np.float64,
        "eps": np.float64,
        "weight_decay": np.float64,
        "amsgrad": np.bool_,
        "maximize": np.bool_,
    },
    platforms=("cpu", "cuda"),
    updates=(0, 2, 3, 4, 6),
    varies=True,
    split=("s",),
    reduce=({}, {}, {}, {"s": "same"}, {}),
)


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
) -> tuple[
    list[jax.Array], list[jax.Array], list[jax.Array], jax.Array, list[jax.Array] | None
]:
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

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
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
    except (TypeError, ValueError):
        _runtime.explain(
            _KERNEL,
            params,
            grads,
            exp_avgs,
            exp_avg_sqs,
            step,
            _runtime.number(lr, "f32", params),
            max_exp_avg_sqs,
            beta1=beta1,
            beta2=beta2,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
        )
        raise


@_runtime.checked(_KERNEL)
@_runtime.dumped
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
    lr = _runtime.number(lr, "f32", params)
    _runtime.check(
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
    (
        params,
        grads,
        exp_avgs,
        exp_avg_sqs,
        step,
        lr,
        max_exp_avg_sqs,
    ) = _runtime.no_gradient(
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
