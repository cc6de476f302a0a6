"""`segment_sums` for JAX.

Rendered by opgen from host.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import segment_sums as _core

_reference = _runtime.References("host")
_KERNEL = _runtime.Kernel(_core)


def segment_sums(x: ArrayLike, bounds: ArrayLike) -> jax.Array:
    """The sums of `x` between `bounds`, which the kernel reads on the host.

    Args:
        x (ArrayLike): shape `(n,)`, float32 or float64.
        bounds (ArrayLike): shape `(k+1,)`, int64.

    Returns:
        jax.Array: shape `(k,)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _segment_sums(x, bounds)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _segment_sums, x, bounds)


@_runtime.checked(_KERNEL)
@_runtime.dumped
@jax.jit
def _segment_sums(x, bounds):
    x, bounds = _runtime.check(_KERNEL, x, bounds)
    (y,) = _segment_sums_op(x, bounds)
    return y


_segment_sums_op = _runtime.Differentiable(_KERNEL)


def _forward(x, bounds):
    return (_segment_sums_op(x, bounds), (x, bounds))


def _backward(saved, cotangents):
    x, bounds = saved
    (dy,) = cotangents

    def reference(x):
        return _reference.segment_sums(_runtime.xp, x, bounds)

    (dx,) = _runtime.pullback(reference, (x,), (dy,))
    return _runtime.as_cotangent(dx, x), None


_segment_sums_op.defvjp(_forward, _backward)
_segment_sums_op.defjvp(_reference.segment_sums)
