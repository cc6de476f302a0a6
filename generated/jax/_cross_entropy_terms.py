"""`cross_entropy_terms` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy_terms as _core

_reference = _runtime.reference("cross_entropy_terms")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def cross_entropy_terms(
    logits: ArrayLike,
    labels: ArrayLike,
    top: ArrayLike,
    first: ArrayLike,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> tuple[jax.Array, jax.Array, jax.Array | None]:
    """The terms of the loss of each row of `logits`, relative to `top`. A step of `cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)`, float32, bfloat16, float16 or float64.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        top (ArrayLike): shape `(*batch)`, float32 (float64 if `logits` is float64).
        first (ArrayLike): scalar, int64.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.
        label_smoothing (float): at least 0, at most 1. Default: 0.0.

    Returns:
        A tuple of

        - total (jax.Array): The sum of exp(logits - top). Shape `(*batch)`, the dtype of `top`.
        - missed (jax.Array): `top` minus the logit of the label; 0 if the label is on another
          shard. Shape `(*batch)`, the dtype of `top`.
        - below (jax.Array, optional): The mean of top - logits. Shape `(*batch)`, the dtype of
          `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("cross_entropy_terms", "c", c, "int")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static("cross_entropy_terms", "ignore_index", ignore_index, "int")
    if type(label_smoothing) is not float:
        label_smoothing = _runtime.static(
            "cross_entropy_terms", "label_smoothing", label_smoothing, "float"
        )
    try:
        return _cross_entropy_terms(logits, labels, top, first, c, ignore_index, label_smoothing)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _cross_entropy_terms,
            logits,
            labels,
            top,
            first,
            c=c,
            ignore_index=ignore_index,
            label_smoothing=label_smoothing,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(4, 5, 6))
def _cross_entropy_terms(logits, labels, top, first, c, ignore_index, label_smoothing):
    logits, labels, top, first = _runtime.check(
        _KERNEL,
        logits,
        labels,
        top,
        first,
        c=c,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
    )
    logits, top = _runtime.no_gradient("cross_entropy_terms", logits, top)
    return _runtime.call(
        _KERNEL,
        logits,
        labels,
        top,
        first,
        c=c,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
    )
