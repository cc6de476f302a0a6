"""`int4_linear` for JAX.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import int4_linear as _core
from . import _int4_linear_dgrad

_reference = _runtime.reference("int4_linear")
_KERNEL = _runtime.Kernel(_core)


def int4_linear(
    x: ArrayLike, weight: ArrayLike, scale: ArrayLike, zero: ArrayLike | None = None
) -> jax.Array:
    """`x @ (scale * (weight - zero)).T`: a linear layer with a 4-bit weight, one scale for each
    group along k, and sums in f32.

    Args:
        x (ArrayLike): shape `(*batch, g*h*2)`, float32, bfloat16 or float16.
        weight (ArrayLike): Two values in each byte, the lower four bits first. `h` bytes are a
            group. Shape `(n, g*h)`, uint8.
        scale (ArrayLike): The factor of the values in each group. Shape `(n, g)`, float32, bfloat16
            or float16.
        zero (ArrayLike, optional): The number subtracted from the values of each group before
            scaling. Default: 8. Shape `(n, g)`, the dtype of `scale`.

    Returns:
        jax.Array: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _int4_linear(x, weight, scale, zero)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _int4_linear, x, weight, scale, zero)


@jax.jit
def _int4_linear(x, weight, scale, zero):
    x, weight, scale, zero = _runtime.check(_KERNEL, x, weight, scale, zero)
    (scale,) = _runtime.no_gradient("int4_linear", scale, of="scale")
    (zero,) = _runtime.no_gradient("int4_linear", zero, of="zero")
    (y,) = _int4_linear_op(x, weight, scale, zero)
    return y


_int4_linear_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, scale, zero):
    return (_int4_linear_op(x, weight, scale, zero), (_runtime.type_of(x), weight, scale, zero))


def _backward(saved, cotangents):
    x, weight, scale, zero = saved
    (dy,) = cotangents
    dx = _int4_linear_dgrad.int4_linear_dgrad(dy, weight, scale, zero)
    return _runtime.as_cotangent(dx, x), None, None, None


_int4_linear_op.defvjp(_forward, _backward)
_int4_linear_op.defjvp(_reference)
