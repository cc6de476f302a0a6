"""`linear` for JAX.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from .._opgen.core.bundles import members as _members
from ..bundles import Quantized
from ..core import linear as _core
from . import _linear_bwd

_runtime.saved(Quantized)
_reference = _runtime.reference("linear")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def _flat_linear(
    x: ArrayLike, w_data: ArrayLike, w_scale: ArrayLike, w_zero: ArrayLike | None = None
) -> jax.Array:
    """`linear` of the tensors of its bundles, one by one."""
    try:
        return _linear(x, w_data, w_scale, w_zero)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _linear, x, w_data, w_scale, w_zero)


def linear(x: ArrayLike, w: Quantized | tuple[ArrayLike, ...]) -> jax.Array:
    """`x` times the rows of a weight.

    Args:
        x (ArrayLike): shape `(*batch, k)`, float32 or float64.
        w (Quantized): `data`: shape `(n, k)`, int8. `scale`: a factor for each row of `data`. Shape
            `(n,)`, float32. `zero`: shape `(n,)`, the dtype of `w_scale`.

    Returns:
        jax.Array: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    w_data, w_scale, w_zero = _members(
        "linear", "w", w, ("data", "scale", "zero"), ("data", "scale", "zero"), 2, False
    )
    return _flat_linear(x, w_data, w_scale, w_zero)


@jax.jit
def _linear(x, w_data, w_scale, w_zero):
    x, w_data, w_scale, w_zero = _runtime.check(_KERNEL, x, w_data, w_scale, w_zero)
    (w_zero,) = _runtime.no_gradient("linear", w_zero, of="w_zero")
    (y,) = _linear_op(x, w_data, w_scale, w_zero)
    return y


_linear_op = _runtime.Differentiable(_KERNEL)


def _forward(x, w_data, w_scale, w_zero):
    return (_linear_op(x, w_data, w_scale, w_zero), (x, w_data, w_scale, w_zero))


def _backward(saved, cotangents):
    x, w_data, w_scale, w_zero = saved
    (dy,) = cotangents
    dx, dw_scale = _linear_bwd._flat_linear_bwd(dy, x, w_data, w_scale, w_zero)
    return _runtime.as_cotangent(dx, x), None, _runtime.as_cotangent(dw_scale, w_scale), None


_linear_op.defvjp(_forward, _backward)
_linear_op.defjvp(_reference)
