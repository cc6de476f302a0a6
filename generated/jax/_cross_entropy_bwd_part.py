"""`cross_entropy_bwd_part` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy_bwd_part as _core

_reference = _runtime.reference("cross_entropy_bwd_part")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def cross_entropy_bwd_part(
    dloss: ArrayLike,
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    rest: ArrayLike,
    first: ArrayLike,
    count: ArrayLike | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> jax.Array:
    """The gradient of `cross_entropy` for some of the classes. A step of `cross_entropy_bwd`.

    Args:
        dloss (ArrayLike): shape `(*batch)` or scalar, float32 (float64 if `logits` is float64).
        logits (ArrayLike): shape `(*batch, v)`, float32, bfloat16, float16 or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        rest (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        first (ArrayLike): scalar, int64.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        jax.Array: shape `(*batch, v)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("cross_entropy_bwd_part", "c", c, "int")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "cross_entropy_bwd_part", "ignore_index", ignore_index, "int"
        )
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "cross_entropy_bwd_part", "label_smoothing", label_smoothing, "float"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("cross_entropy_bwd_part", "reduction", reduction, "str")
    try:
        return _cross_entropy_bwd_part(
            dloss,
            logits,
            labels,
            top,
            rest,
            first,
            count,
            c,
            ignore_index,
            label_smoothing,
            reduction,
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _cross_entropy_bwd_part,
            dloss,
            logits,
            labels,
            top,
            rest,
            first,
            count,
            c=c,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(7, 8, 9, 10))
def _cross_entropy_bwd_part(
    dloss, logits, labels, top, rest, first, count, c, ignore_index, label_smoothing, reduction
):
    dloss, logits, labels, top, rest, first, count = _runtime.check(
        _KERNEL,
        dloss,
        logits,
        labels,
        top,
        rest,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    dloss, logits, top, rest, count = _runtime.no_gradient(
        "cross_entropy_bwd_part", dloss, logits, top, rest, count
    )
    (dlogits,) = _runtime.call(
        _KERNEL,
        dloss,
        logits,
        labels,
        top,
        rest,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )
    return dlogits
