"""`linear_cross_entropy_bwd_part` for JAX.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import linear_cross_entropy_bwd_part as _core

_reference = _runtime.reference("linear_cross_entropy_bwd_part")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def linear_cross_entropy_bwd_part(
    dloss: ArrayLike,
    hidden: ArrayLike,
    weight: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    log_sum: ArrayLike,
    first: ArrayLike,
    count: ArrayLike | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """The gradients of `linear_cross_entropy` from some of the classes. A step of
    `linear_cross_entropy_bwd`.

    Args:
        dloss (ArrayLike): shape `(*batch)` or scalar, float32 (float64 if `hidden` is float64).
        hidden (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(v, d)`, the dtype of `hidden`.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        log_sum (ArrayLike): shape `(*batch)`, the dtype of `dloss`.
        first (ArrayLike): scalar, int64.
        count (ArrayLike, optional): scalar, the dtype of `dloss`.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.
        wanted (Collection[str]): results to compute, of "dhidden", "dweight". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dhidden (jax.Array, optional): shape `(*batch, d)`, the dtype of `dloss`.
        - dweight (jax.Array, optional): shape `(v, d)`, the dtype of `hidden`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("linear_cross_entropy_bwd_part", "c", c, "int")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "linear_cross_entropy_bwd_part", "ignore_index", ignore_index, "int"
        )
    if type(reduction) is not str:
        reduction = _runtime.static("linear_cross_entropy_bwd_part", "reduction", reduction, "str")
    try:
        return _linear_cross_entropy_bwd_part(
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            first,
            count,
            c,
            ignore_index,
            reduction,
            tuple(wanted),
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _linear_cross_entropy_bwd_part,
            dloss,
            hidden,
            weight,
            labels,
            top,
            log_sum,
            first,
            count,
            c=c,
            ignore_index=ignore_index,
            reduction=reduction,
            wanted=wanted,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(8, 9, 10, 11))
def _linear_cross_entropy_bwd_part(
    dloss, hidden, weight, labels, top, log_sum, first, count, c, ignore_index, reduction, wanted
):
    dloss, hidden, weight, labels, top, log_sum, first, count = _runtime.check(
        _KERNEL,
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=wanted,
    )
    dloss, hidden, weight, top, log_sum, count = _runtime.no_gradient(
        "linear_cross_entropy_bwd_part", dloss, hidden, weight, top, log_sum, count
    )
    return _runtime.call(
        _KERNEL,
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=wanted,
    )
