"""`weighted_cross_entropy` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import weighted_cross_entropy as _core
from . import _weighted_cross_entropy_bwd

_reference = _runtime.reference("weighted_cross_entropy")
_KERNEL = _runtime.Kernel(_core)


@_runtime.tuned(_KERNEL)
def weighted_cross_entropy(
    logits: ArrayLike,
    labels: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> jax.Array:
    """Softmax cross-entropy of `logits` against integer `labels`, with optional weights of classes
    and a weighted mean.

    Args:
        logits (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        labels (ArrayLike): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        weight (ArrayLike, optional): The weight of each class. Shape `(c,)`, float32 (float64 if
            `logits` is float64).
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.

    Returns:
        jax.Array: scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "weighted_cross_entropy", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("weighted_cross_entropy", "reduction", reduction, "str")
    if type(classes) is not str:
        classes = _runtime.static("weighted_cross_entropy", "classes", classes, "str")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "weighted_cross_entropy", "ignore_index", ignore_index, "int"
        )
    try:
        return _weighted_cross_entropy(
            logits, labels, weight, label_smoothing, reduction, classes, ignore_index
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _weighted_cross_entropy,
            logits,
            labels,
            weight,
            label_smoothing=label_smoothing,
            reduction=reduction,
            classes=classes,
            ignore_index=ignore_index,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3, 4, 5, 6))
def _weighted_cross_entropy(
    logits, labels, weight, label_smoothing, reduction, classes, ignore_index
):
    logits, labels, weight = _runtime.check(
        _KERNEL,
        logits,
        labels,
        weight,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        ignore_index=ignore_index,
    )
    (weight,) = _runtime.no_gradient("weighted_cross_entropy", weight, of="weight")
    loss, _, _, _, _ = _weighted_cross_entropy_op(
        logits, labels, weight, label_smoothing, reduction, classes, ignore_index
    )
    return loss


_weighted_cross_entropy_op = _runtime.Differentiable(_KERNEL)


def _forward(logits, labels, weight, label_smoothing, reduction, classes, ignore_index):
    loss, top, rest, mass, count = _weighted_cross_entropy_op(
        logits, labels, weight, label_smoothing, reduction, classes, ignore_index
    )
    return ((loss, top, rest, mass, count), (logits, labels, weight, top, rest, mass, count))


def _backward(label_smoothing, reduction, classes, ignore_index, saved, cotangents):
    logits, labels, weight, top, rest, mass, count = saved
    dloss, _, _, _, _ = cotangents
    dlogits = _weighted_cross_entropy_bwd.weighted_cross_entropy_bwd(
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        count,
        weight,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        ignore_index=ignore_index,
    )
    return _runtime.as_cotangent(dlogits, logits), None, None


_weighted_cross_entropy_op.defvjp(_forward, _backward)
_weighted_cross_entropy_op.defjvp(_reference)
