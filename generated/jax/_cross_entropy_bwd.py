"""`cross_entropy_bwd` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy_bwd as _core

# Autodiff of `cross_entropy`'s reference.
_reference = _runtime.reference("cross_entropy_bwd")
_KERNEL = _runtime.Kernel(_core)


def cross_entropy_bwd(
    dloss: ArrayLike,
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    count: ArrayLike | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> jax.Array:
    """Gradient of `cross_entropy`.

    Args:
        dloss (ArrayLike): shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).
        logits (ArrayLike): shape `(*batch, c)`, float32, bfloat16, float16 or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        jax.Array: shape `(*batch, c)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static("cross_entropy_bwd", "ignore_index", ignore_index, "int")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "cross_entropy_bwd", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("cross_entropy_bwd", "reduction", reduction, "str")
    try:
        return _cross_entropy_bwd(
            dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _cross_entropy_bwd,
            dloss,
            logits,
            labels,
            top,
            rest,
            count,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(6, 7, 8))
def _cross_entropy_bwd(
    dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction
):
    dloss, logits, labels, top, rest, count = _runtime.check(
        _KERNEL,
        dloss,
        logits,
        labels,
        top,
        rest,
        count,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    (dlogits,) = _cross_entropy_bwd_op(
        dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction
    )
    return dlogits


_cross_entropy_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction):
    return (
        _cross_entropy_bwd_op(
            dloss, logits, labels, top, rest, count, ignore_index, label_smoothing, reduction
        ),
        (dloss, logits, labels),
    )


def _backward(ignore_index, label_smoothing, reduction, saved, cotangents):
    dloss, logits, labels = saved
    (ddlogits,) = cotangents

    def reference(dloss, logits):
        return _reference(
            _runtime.xp,
            dloss,
            logits,
            labels,
            None,
            None,
            None,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )

    ddloss, dlogits = _runtime.pullback(reference, (dloss, logits), (ddlogits,))
    return (
        _runtime.as_cotangent(ddloss, dloss),
        _runtime.as_cotangent(dlogits, logits),
        None,
        None,
        None,
        None,
    )


_cross_entropy_bwd_op.defvjp(_forward, _backward)
_cross_entropy_bwd_op.defjvp(_reference)
