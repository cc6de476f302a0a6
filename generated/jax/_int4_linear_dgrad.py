"""`int4_linear_dgrad` for JAX.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import int4_linear_dgrad as _core
from . import _int4_linear

_reference = _runtime.reference("int4_linear_dgrad")
_KERNEL = _runtime.Kernel(_core)


def int4_linear_dgrad(
    dy: ArrayLike, weight: ArrayLike, scale: ArrayLike, zero: ArrayLike | None = None
) -> jax.Array:
    """Gradient of `int4_linear` with respect to `x`.

    Args:
        dy (ArrayLike): shape `(*batch, n)`, float32, bfloat16 or float16.
        weight (ArrayLike): Two values in each byte, the lower four bits first. `h` bytes are a
            group. Shape `(n, g*h)`, uint8.
        scale (ArrayLike): The factor of the values in each group. Shape `(n, g)`, float32, bfloat16
            or float16.
        zero (ArrayLike, optional): The number subtracted from the values of each group before
            scaling. Default: 8. Shape `(n, g)`, the dtype of `scale`.

    Returns:
        jax.Array: shape `(*batch, g*h*2)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _int4_linear_dgrad(dy, weight, scale, zero)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _int4_linear_dgrad, dy, weight, scale, zero)


@jax.jit
def _int4_linear_dgrad(dy, weight, scale, zero):
    dy, weight, scale, zero = _runtime.check(_KERNEL, dy, weight, scale, zero)
    (scale,) = _runtime.no_gradient("int4_linear_dgrad", scale, of="scale")
    (zero,) = _runtime.no_gradient("int4_linear_dgrad", zero, of="zero")
    (dx,) = _int4_linear_dgrad_op(dy, weight, scale, zero)
    return dx


_int4_linear_dgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, weight, scale, zero):
    return (
        _int4_linear_dgrad_op(dy, weight, scale, zero),
        (_runtime.type_of(dy), weight, scale, zero),
    )


def _backward(saved, cotangents):
    dy, weight, scale, zero = saved
    (ddx,) = cotangents
    ddy = _int4_linear.int4_linear(ddx, weight, scale, zero)
    return _runtime.as_cotangent(ddy, dy), None, None, None


_int4_linear_dgrad_op.defvjp(_forward, _backward)
_int4_linear_dgrad_op.defjvp(_reference)
