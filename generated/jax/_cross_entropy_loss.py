"""`cross_entropy_loss` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy_loss as _core

_reference = _runtime.reference("cross_entropy_loss")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def cross_entropy_loss(
    logits: ArrayLike,
    labels: ArrayLike,
    total: ArrayLike,
    missed: ArrayLike,
    below: ArrayLike | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> tuple[jax.Array, jax.Array, jax.Array | None]:
    """The loss, computed from its terms. A step of `cross_entropy`.

    Args:
        logits (ArrayLike): Only its dtype is used. Shape `(*batch, v)`, float32, bfloat16, float16
            or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        total (ArrayLike): shape `(*batch)`, float32 (float64 if `logits` is float64).
        missed (ArrayLike): shape `(*batch)`, the dtype of `total`.
        below (ArrayLike, optional): shape `(*batch)`, the dtype of `total`.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - loss (jax.Array): shape `(*batch)` or scalar, the dtype of `total`.
        - rest (jax.Array): shape `(*batch)`, the dtype of `total`.
        - count (jax.Array, optional): scalar, the dtype of `total`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static("cross_entropy_loss", "ignore_index", ignore_index, "int")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "cross_entropy_loss", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("cross_entropy_loss", "reduction", reduction, "str")
    try:
        return _cross_entropy_loss(
            logits, labels, total, missed, below, ignore_index, label_smoothing, reduction
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _cross_entropy_loss,
            logits,
            labels,
            total,
            missed,
            below,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(5, 6, 7))
def _cross_entropy_loss(
    logits, labels, total, missed, below, ignore_index, label_smoothing, reduction
):
    logits, labels, total, missed, below = _runtime.check(
        _KERNEL,
        logits,
        labels,
        total,
        missed,
        below,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    logits, total, missed, below = _runtime.no_gradient(
        "cross_entropy_loss", logits, total, missed, below
    )
    return _runtime.call(
        _KERNEL,
        logits,
        labels,
        total,
        missed,
        below,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
