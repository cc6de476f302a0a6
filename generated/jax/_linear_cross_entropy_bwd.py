"""`linear_cross_entropy_bwd` for JAX.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import linear_cross_entropy_bwd as _core

# Autodiff of `linear_cross_entropy`'s reference.
_reference = _runtime.reference("linear_cross_entropy_bwd")
_KERNEL = _runtime.Kernel(_core)


def linear_cross_entropy_bwd(
    dloss: ArrayLike,
    hidden: ArrayLike,
    weight: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    log_sum: ArrayLike,
    count: ArrayLike | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """Gradient of `linear_cross_entropy`. The logits are computed again, some of the classes at a
    time.

    Args:
        dloss (ArrayLike): shape `(*batch)` or scalar, float32 (float64 if `hidden` is float64).
        hidden (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(c, d)`, the dtype of `hidden`.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        log_sum (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        wanted (Collection[str]): results to compute, of "dhidden", "dweight". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dhidden (jax.Array, optional): shape `(*batch, d)`, the dtype of `dloss`.
        - dweight (jax.Array, optional): shape `(c, d)`, the dtype of `hidden`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "linear_cross_entropy_bwd", "ignore_index", ignore_index, "int"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("linear_cross_entropy_bwd", "reduction", reduction, "str")
    try:
        return _linear_cross_entropy_bwd(
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            count,
            ignore_index,
            reduction,
            tuple(wanted),
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _linear_cross_entropy_bwd,
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            count,
            ignore_index=ignore_index,
            reduction=reduction,
            wanted=wanted,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(7, 8, 9))
def _linear_cross_entropy_bwd(
    dloss, hidden, weight, labels, top, log_sum, count, ignore_index, reduction, wanted
):
    dloss, hidden, weight, labels, top, log_sum, count = _runtime.check(
        _KERNEL,
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        count,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=wanted,
    )
    return _linear_cross_entropy_bwd_op(
        dloss, hidden, weight, labels, top, log_sum, count, ignore_index, reduction, wanted
    )


_linear_cross_entropy_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dloss, hidden, weight, labels, top, log_sum, count, ignore_index, reduction, wanted):
    return (
        _linear_cross_entropy_bwd_op(
            dloss, hidden, weight, labels, top, log_sum, count, ignore_index, reduction, wanted
        ),
        (dloss, hidden, weight, labels),
    )


def _backward(ignore_index, reduction, wanted, saved, cotangents):
    dloss, hidden, weight, labels = saved
    ddhidden, ddweight = cotangents

    def reference(dloss, hidden, weight):
        return _reference(
            _runtime.xp,
            dloss,
            hidden,
            weight,
            labels,
            None,
            None,
            None,
            ignore_index=ignore_index,
            reduction=reduction,
        )

    ddloss, dhidden, dweight = _runtime.pullback(
        reference, (dloss, hidden, weight), (ddhidden, ddweight)
    )
    return (
        _runtime.as_cotangent(ddloss, dloss),
        _runtime.as_cotangent(dhidden, hidden),
        _runtime.as_cotangent(dweight, weight),
        None,
        None,
        None,
        None,
    )


_linear_cross_entropy_bwd_op.defvjp(_forward, _backward)
_linear_cross_entropy_bwd_op.defjvp(_reference)
