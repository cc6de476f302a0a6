"""`linear_cross_entropy` for JAX.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import linear_cross_entropy as _core
from . import _linear_cross_entropy_bwd

_reference = _runtime.reference("linear_cross_entropy")
_KERNEL = _runtime.Kernel(_core)


def linear_cross_entropy(
    hidden: ArrayLike,
    weight: ArrayLike,
    labels: ArrayLike,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> jax.Array:
    """Softmax cross-entropy of `hidden @ weight.T` against integer `labels`. Only a part of the
    logits is in memory at a time.

    Args:
        hidden (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(c, d)`, the dtype of `hidden`.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        ignore_index (int): Default: -100.
        reduction (str): one of 'none', 'mean', 'sum'. Default: 'mean'.

    Returns:
        jax.Array: shape `(*batch)` or scalar, float32 (float64 if `hidden` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(ignore_index) is not int:
        ignore_index = _runtime.static("linear_cross_entropy", "ignore_index", ignore_index, "int")
    if type(reduction) is not str:
        reduction = _runtime.static("linear_cross_entropy", "reduction", reduction, "str")
    try:
        return _linear_cross_entropy(hidden, weight, labels, ignore_index, reduction)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _linear_cross_entropy,
            hidden,
            weight,
            labels,
            ignore_index=ignore_index,
            reduction=reduction,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(3, 4))
def _linear_cross_entropy(hidden, weight, labels, ignore_index, reduction):
    hidden, weight, labels = _runtime.check(
        _KERNEL, hidden, weight, labels, ignore_index=ignore_index, reduction=reduction
    )
    loss, _, _, _ = _linear_cross_entropy_op(hidden, weight, labels, ignore_index, reduction)
    return loss


_linear_cross_entropy_op = _runtime.Differentiable(_KERNEL)


def _forward(hidden, weight, labels, ignore_index, reduction):
    needed = _runtime.needed(hidden=hidden, weight=weight)
    hidden, weight, labels = _runtime.values(hidden, weight, labels)
    loss, top, log_sum, count = _linear_cross_entropy_op(
        hidden, weight, labels, ignore_index, reduction
    )
    return ((loss, top, log_sum, count), (hidden, weight, labels, top, log_sum, count, needed))


def _backward(ignore_index, reduction, saved, cotangents):
    hidden, weight, labels, top, log_sum, count, needed = saved
    dloss, _, _, _ = cotangents
    dloss = _runtime.or_zeros(dloss)
    dhidden, dweight = _linear_cross_entropy_bwd.linear_cross_entropy_bwd(
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        count,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=needed.results(dhidden="hidden", dweight="weight"),
    )
    return _runtime.as_cotangent(dhidden, hidden), _runtime.as_cotangent(dweight, weight), None


_linear_cross_entropy_op.defvjp(_forward, _backward, symbolic_zeros=True)
_linear_cross_entropy_op.defjvp(_reference)
