"""`cross_entropy` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy as _core
from . import _cross_entropy_bwd

_reference = _runtime.reference("cross_entropy")
_KERNEL = _runtime.Kernel(_core)


def cross_entropy(
    logits: ArrayLike,
    labels: ArrayLike,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> jax.Array:
    """Softmax cross-entropy of `logits` against integer `labels`.

    Args:
        logits (ArrayLike): shape `(*batch, c)`, float32, bfloat16, float16 or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        jax.Array: shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static("cross_entropy", "ignore_index", ignore_index, "int")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "cross_entropy", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("cross_entropy", "reduction", reduction, "str")
    try:
        return _cross_entropy(logits, labels, ignore_index, label_smoothing, reduction)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _cross_entropy,
            logits,
            labels,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2, 3, 4))
def _cross_entropy(logits, labels, ignore_index, label_smoothing, reduction):
    logits, labels = _runtime.check(
        _KERNEL,
        logits,
        labels,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    loss, _, _, _ = _cross_entropy_op(logits, labels, ignore_index, label_smoothing, reduction)
    return loss


_cross_entropy_op = _runtime.Differentiable(_KERNEL)


def _forward(logits, labels, ignore_index, label_smoothing, reduction):
    loss, top, rest, count = _cross_entropy_op(
        logits, labels, ignore_index, label_smoothing, reduction
    )
    return ((loss, top, rest, count), (logits, labels, top, rest, count))


def _backward(ignore_index, label_smoothing, reduction, saved, cotangents):
    logits, labels, top, rest, count = saved
    dloss, _, _, _ = cotangents
    dlogits = _cross_entropy_bwd.cross_entropy_bwd(
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
    return _runtime.as_cotangent(dlogits, logits), None


_cross_entropy_op.defvjp(_forward, _backward)
_cross_entropy_op.defjvp(_reference)
