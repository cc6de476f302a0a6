"""`linear_cross_entropy_terms` for JAX.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import linear_cross_entropy_terms as _core

_reference = _runtime.reference("linear_cross_entropy_terms")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def linear_cross_entropy_terms(
    hidden: ArrayLike,
    weight: ArrayLike,
    labels: ArrayLike,
    first: ArrayLike,
    *,
    c: int,
    ignore_index: int = -100,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The terms of the loss of each row. A step of `linear_cross_entropy`.

    Args:
        hidden (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        weight (ArrayLike): shape `(v, d)`, the dtype of `hidden`.
        labels (ArrayLike): shape `(*batch)`, int64 or int32.
        first (ArrayLike): scalar, int64.
        c (int): The number of classes on all shards. At least 1.
        ignore_index (int): Default: -100.

    Returns:
        A tuple of

        - top (jax.Array): The largest logit. Shape `(*batch)`, float32 (float64 if `hidden` is
          float64).
        - total (jax.Array): The sum of exp(logits - top). Shape `(*batch)`, float32 (float64 if
          `hidden` is float64).
        - at_label (jax.Array): The logit of the label; 0 if the label is ignored or on another
          shard. Shape `(*batch)`, float32 (float64 if `hidden` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(c) is not int:
        c = _runtime.static("linear_cross_entropy_terms", "c", c, "int")
    if type(ignore_index) is not int:
        ignore_index = _runtime.static(
            "linear_cross_entropy_terms", "ignore_index", ignore_index, "int"
        )
    try:
        return _linear_cross_entropy_terms(hidden, weight, labels, first, c, ignore_index)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _linear_cross_entropy_terms,
            hidden,
            weight,
            labels,
            first,
            c=c,
            ignore_index=ignore_index,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(4, 5))
def _linear_cross_entropy_terms(hidden, weight, labels, first, c, ignore_index):
    hidden, weight, labels, first = _runtime.check(
        _KERNEL, hidden, weight, labels, first, c=c, ignore_index=ignore_index
    )
    hidden, weight = _runtime.no_gradient("linear_cross_entropy_terms", hidden, weight)
    return _runtime.call(_KERNEL, hidden, weight, labels, first, c=c, ignore_index=ignore_index)
