"""`soft_cross_entropy_part` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import soft_cross_entropy_part as _core

_reference = _runtime.reference("soft_cross_entropy_part")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def soft_cross_entropy_part(
    logits: ArrayLike,
    target: ArrayLike,
    top: ArrayLike,
    total: ArrayLike,
    weight: ArrayLike | None = None,
    *,
    c: int,
    classes: str = "last",
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The share of some classes in the loss. A step of `soft_cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        target (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, the dtype of `logits`.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        total (ArrayLike): shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.
        weight (ArrayLike, optional): shape `(v,)`, the dtype of `top`.
        c (int): The number of classes on all shards. At least 1.
        classes (str): one of 'last', 'second'. Default: 'last'.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - loss (jax.Array): scalar, shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.
        - rest (jax.Array): shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.
        - mass (jax.Array): shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("soft_cross_entropy_part", "c", c, "int")
    if type(classes) is not str:
        classes = _runtime.static("soft_cross_entropy_part", "classes", classes, "str")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "soft_cross_entropy_part", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("soft_cross_entropy_part", "reduction", reduction, "str")
    try:
        return _soft_cross_entropy_part(
            logits, target, top, total, weight, c, classes, label_smoothing, reduction
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _soft_cross_entropy_part,
            logits,
            target,
            top,
            total,
            weight,
            c=c,
            classes=classes,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(5, 6, 7, 8))
def _soft_cross_entropy_part(
    logits, target, top, total, weight, c, classes, label_smoothing, reduction
):
    logits, target, top, total, weight = _runtime.check(
        _KERNEL,
        logits,
        target,
        top,
        total,
        weight,
        c=c,
        classes=classes,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    logits, target, top, total, weight = _runtime.no_gradient(
        "soft_cross_entropy_part", logits, target, top, total, weight
    )
    return _runtime.call(
        _KERNEL,
        logits,
        target,
        top,
        total,
        weight,
        c=c,
        classes=classes,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
