"""`weighted_cross_entropy_total` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import weighted_cross_entropy_total as _core

_reference = _runtime.reference("weighted_cross_entropy_total")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def weighted_cross_entropy_total(
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    first: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    reduction: str = "mean",
) -> tuple[jax.Array, jax.Array | None]:
    """The sum of exp(logits - top) of each position, and the sum of the weights of the labels. A
    step of `weighted_cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        labels (ArrayLike): shape `(*batch)` or shape `(n, *d)`, int64 or int32.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        first (ArrayLike): scalar, int64.
        weight (ArrayLike, optional): shape `(v,)`, the dtype of `top`.
        c (int): The number of classes on all shards. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - total (jax.Array): shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.
        - count (jax.Array, optional): scalar, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("weighted_cross_entropy_total", "c", c, "int")
    if type(classes) is not str:
        classes = _runtime.static("weighted_cross_entropy_total", "classes", classes, "str")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "weighted_cross_entropy_total", "ignore_index", ignore_index, "int"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("weighted_cross_entropy_total", "reduction", reduction, "str")
    try:
        return _weighted_cross_entropy_total(
            logits, labels, top, first, weight, c, classes, ignore_index, reduction
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _weighted_cross_entropy_total,
            logits,
            labels,
            top,
            first,
            weight,
            c=c,
            classes=classes,
            ignore_index=ignore_index,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(5, 6, 7, 8))
def _weighted_cross_entropy_total(
    logits, labels, top, first, weight, c, classes, ignore_index, reduction
):
    logits, labels, top, first, weight = _runtime.check(
        _KERNEL,
        logits,
        labels,
        top,
        first,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        reduction=reduction,
    )
    logits, top, weight = _runtime.no_gradient("weighted_cross_entropy_total", logits, top, weight)
    return _runtime.call(
        _KERNEL,
        logits,
        labels,
        top,
        first,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        reduction=reduction,
    )
