"""`cross_entropy_top` for JAX.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import cross_entropy_top as _core

_reference = _runtime.reference("cross_entropy_top")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def cross_entropy_top(logits: ArrayLike) -> jax.Array:
    """The maximum of each row of `logits`, or NaN if the row has a NaN. A step of `cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)`, float32, bfloat16, float16 or float64.

    Returns:
        jax.Array: shape `(*batch)`, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _cross_entropy_top(logits)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _cross_entropy_top, logits)


@jax.jit
def _cross_entropy_top(logits):
    (logits,) = _runtime.check(_KERNEL, logits)
    (logits,) = _runtime.no_gradient("cross_entropy_top", logits)
    (top,) = _runtime.call(_KERNEL, logits)
    return top
