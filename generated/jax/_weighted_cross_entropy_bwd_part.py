"""`weighted_cross_entropy_bwd_part` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import weighted_cross_entropy_bwd_part as _core

_reference = _runtime.reference("weighted_cross_entropy_bwd_part")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def weighted_cross_entropy_bwd_part(
    dloss: ArrayLike,
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    mass: ArrayLike,
    first: ArrayLike,
    count: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> jax.Array:
    """The gradient of `weighted_cross_entropy` for some of the classes. A step of
    `weighted_cross_entropy_bwd`.

    Args:
        dloss (ArrayLike): scalar, shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits`
            is float64).
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        labels (ArrayLike): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        mass (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `dloss`.
        first (ArrayLike): scalar, int64.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        weight (ArrayLike, optional): shape `(v,)`, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        jax.Array: shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("weighted_cross_entropy_bwd_part", "c", c, "int")
    if type(classes) is not str:
        classes = _runtime.static("weighted_cross_entropy_bwd_part", "classes", classes, "str")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "weighted_cross_entropy_bwd_part", "ignore_index", ignore_index, "int"
        )
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "weighted_cross_entropy_bwd_part", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static(
            "weighted_cross_entropy_bwd_part", "reduction", reduction, "str"
        )
    try:
        return _weighted_cross_entropy_bwd_part(
            dloss,
            logits,
            labels,
            top,
            rest,
            mass,
            first,
            count,
            weight,
            c,
            classes,
            ignore_index,
            label_smoothing,
            reduction,
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _weighted_cross_entropy_bwd_part,
            dloss,
            logits,
            labels,
            top,
            rest,
            mass,
            first,
            count,
            weight,
            c=c,
            classes=classes,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(9, 10, 11, 12, 13))
def _weighted_cross_entropy_bwd_part(
    dloss,
    logits,
    labels,
    top,
    rest,
    mass,
    first,
    count,
    weight,
    c,
    classes,
    ignore_index,
    label_smoothing,
    reduction,
):
    dloss, logits, labels, top, rest, mass, first, count, weight = _runtime.check(
        _KERNEL,
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        first,
        count,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    dloss, logits, top, rest, mass, count, weight = _runtime.no_gradient(
        "weighted_cross_entropy_bwd_part", dloss, logits, top, rest, mass, count, weight
    )
    (dlogits,) = _runtime.call(
        _KERNEL,
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        first,
        count,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    return dlogits
