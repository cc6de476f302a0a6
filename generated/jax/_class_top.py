"""`class_top` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import class_top as _core

_reference = _runtime.reference("class_top")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def class_top(logits: ArrayLike, *, classes: str = "last") -> jax.Array:
    """The largest of the `logits` of each position, or NaN if one is NaN. A step of
    `soft_cross_entropy` and `weighted_cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        classes (str): one of 'last', 'second'. Default: 'last'.

    Returns:
        jax.Array: shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(classes) is not str:
        classes = _runtime.static("class_top", "classes", classes, "str")
    try:
        return _class_top(logits, classes)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _class_top, logits, classes=classes)


@functools.partial(jax.jit, static_argnums=(1,))
def _class_top(logits, classes):
    (logits,) = _runtime.check(_KERNEL, logits, classes=classes)
    (logits,) = _runtime.no_gradient("class_top", logits)
    (top,) = _runtime.call(_KERNEL, logits, classes=classes)
    return top
