"""`weighted_cross_entropy_bwd` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import weighted_cross_entropy_bwd as _core

# Autodiff of `weighted_cross_entropy`'s reference.
_reference = _runtime.reference("weighted_cross_entropy_bwd")
_KERNEL = _runtime.Kernel(_core)


def weighted_cross_entropy_bwd(
    dloss: ArrayLike,
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    mass: ArrayLike,
    count: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> jax.Array:
    """Gradient of `weighted_cross_entropy`.

    Args:
        dloss (ArrayLike): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits`
            is float64).
        logits (ArrayLike): shape `(*batch, c)` or shape `(n, c, *d)`, float32, bfloat16, float16 or
            float64.
        labels (ArrayLike): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        weight (ArrayLike, optional): shape `(c,)`, the dtype of `dloss`.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        classes (str): The dim of `logits` that holds the classes. In PyTorch's function it is the
            second. One of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.

    Returns:
        jax.Array: shape `(*batch, c)` or shape `(n, c, *d)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "weighted_cross_entropy_bwd", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("weighted_cross_entropy_bwd", "reduction", reduction, "str")
    if type(classes) is not str:
        classes = _runtime.static("weighted_cross_entropy_bwd", "classes", classes, "str")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "weighted_cross_entropy_bwd", "ignore_index", ignore_index, "int"
        )
    try:
        return _weighted_cross_entropy_bwd(
            dloss,
            logits,
            labels,
            top,
            rest,
            mass,
            count,
            weight,
            label_smoothing,
            reduction,
            classes,
            ignore_index,
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _weighted_cross_entropy_bwd,
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


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(8, 9, 10, 11))
def _weighted_cross_entropy_bwd(
    dloss,
    logits,
    labels,
    top,
    rest,
    mass,
    count,
    weight,
    label_smoothing,
    reduction,
    classes,
    ignore_index,
):
    dloss, logits, labels, top, rest, mass, count, weight = _runtime.check(
        _KERNEL,
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
    (weight,) = _runtime.no_gradient("weighted_cross_entropy_bwd", weight, of="weight")
    (dlogits,) = _weighted_cross_entropy_bwd_op(
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        count,
        weight,
        label_smoothing,
        reduction,
        classes,
        ignore_index,
    )
    return dlogits


_weighted_cross_entropy_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(
    dloss,
    logits,
    labels,
    top,
    rest,
    mass,
    count,
    weight,
    label_smoothing,
    reduction,
    classes,
    ignore_index,
):
    return (
        _weighted_cross_entropy_bwd_op(
            dloss,
            logits,
            labels,
            top,
            rest,
            mass,
            count,
            weight,
            label_smoothing,
            reduction,
            classes,
            ignore_index,
        ),
        (dloss, logits, labels, weight),
    )


def _backward(label_smoothing, reduction, classes, ignore_index, saved, cotangents):
    dloss, logits, labels, weight = saved
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
            None,
            weight,
            label_smoothing=label_smoothing,
            reduction=reduction,
            classes=classes,
            ignore_index=ignore_index,
        )

    ddloss, dlogits = _runtime.pullback(reference, (dloss, logits), (ddlogits,))
    return (
        _runtime.as_cotangent(ddloss, dloss),
        _runtime.as_cotangent(dlogits, logits),
        None,
        None,
        None,
        None,
        None,
        None,
    )


_weighted_cross_entropy_bwd_op.defvjp(_forward, _backward)
_weighted_cross_entropy_bwd_op.defjvp(_reference)
