"""`linear_cross_entropy_loss` for JAX.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import linear_cross_entropy_loss as _core

_reference = _runtime.reference("linear_cross_entropy_loss")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def linear_cross_entropy_loss(
    hidden: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    total: ArrayLike,
    at_label: ArrayLike,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> tuple[jax.Array, jax.Array, jax.Array | None]:
    """The loss, computed from its terms. A step of `linear_cross_entropy`.

    Args:
        hidden (ArrayLike): Only its dtype is used. Shape `(*batch, d)`, float32, bfloat16, float16
            or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, float32 (float64 if `hidden` is float64).
        total (ArrayLike): shape `(*batch)`, the dtype of `top`.
        at_label (ArrayLike): shape `(*batch)`, the dtype of `top`.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        A tuple of

        - loss (jax.Array): shape `(*batch)` or scalar, the dtype of `top`.
        - log_sum (jax.Array): shape `(*batch)`, the dtype of `top`.
        - count (jax.Array, optional): scalar, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "linear_cross_entropy_loss", "ignore_index", ignore_index, "int"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("linear_cross_entropy_loss", "reduction", reduction, "str")
    try:
        return _linear_cross_entropy_loss(
            hidden, labels, top, total, at_label, ignore_index, reduction
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _linear_cross_entropy_loss,
            hidden,
            labels,
            top,
            total,
            at_label,
            ignore_index=ignore_index,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(5, 6))
def _linear_cross_entropy_loss(hidden, labels, top, total, at_label, ignore_index, reduction):
    hidden, labels, top, total, at_label = _runtime.check(
        _KERNEL,
        hidden,
        labels,
        top,
        total,
        at_label,
        ignore_index=ignore_index,
        reduction=reduction,
    )
    hidden, top, total, at_label = _runtime.no_gradient(
        "linear_cross_entropy_loss", hidden, top, total, at_label
    )
    return _runtime.call(
        _KERNEL,
        hidden,
        labels,
        top,
        total,
        at_label,
        ignore_index=ignore_index,
        reduction=reduction,
    )
