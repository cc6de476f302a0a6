"""`class_total` for JAX.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import class_total as _core

_reference = _runtime.reference("class_total")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def class_total(logits: ArrayLike, top: ArrayLike, *, classes: str = "last") -> jax.Array:
    """The sum of exp(logits - top) of each position. A step of `soft_cross_entropy`.

    Args:
        logits (ArrayLike): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        top (ArrayLike): shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is
            float64).
        classes (str): one of 'last', 'second'. Default: 'last'.

    Returns:
        jax.Array: shape `(*batch)` or shape `(n, *d)`, the dtype of `top`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(classes) is not str:
        classes = _runtime.static("class_total", "classes", classes, "str")
    try:
        return _class_total(logits, top, classes)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _class_total, logits, top, classes=classes)


@functools.partial(jax.jit, static_argnums=(2,))
def _class_total(logits, top, classes):
    logits, top = _runtime.check(_KERNEL, logits, top, classes=classes)
    logits, top = _runtime.no_gradient("class_total", logits, top)
    (total,) = _runtime.call(_KERNEL, logits, top, classes=classes)
    return total
