"""`int8_linear_dgrad` for JAX.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import int8_linear_dgrad as _core
from . import _int8_linear

_reference = _runtime.reference("int8_linear_dgrad")
_KERNEL = _runtime.Kernel(_core)


def int8_linear_dgrad(dy: ArrayLike, weight: ArrayLike, scale: ArrayLike) -> jax.Array:
    """Gradient of `int8_linear` with respect to `x`.

    Args:
        dy (ArrayLike): shape `(*batch, n)`, float32, bfloat16 or float16.
        weight (ArrayLike): shape `(n, k)`, int8.
        scale (ArrayLike): The factor of the integers in each row of `weight`. Shape `(n,)`,
            float32, bfloat16 or float16.

    Returns:
        jax.Array: shape `(*batch, k)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _int8_linear_dgrad(dy, weight, scale)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _int8_linear_dgrad, dy, weight, scale)


@jax.jit
def _int8_linear_dgrad(dy, weight, scale):
    dy, weight, scale = _runtime.check(_KERNEL, dy, weight, scale)
    (scale,) = _runtime.no_gradient("int8_linear_dgrad", scale, of="scale")
    (dx,) = _int8_linear_dgrad_op(dy, weight, scale)
    return dx


_int8_linear_dgrad_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, weight, scale):
    return (_int8_linear_dgrad_op(dy, weight, scale), (_runtime.type_of(dy), weight, scale))


def _backward(saved, cotangents):
    dy, weight, scale = saved
    (ddx,) = cotangents
    ddy = _int8_linear.int8_linear(ddx, weight, scale)
    return _runtime.as_cotangent(ddy, dy), None, None


_int8_linear_dgrad_op.defvjp(_forward, _backward)
_int8_linear_dgrad_op.defjvp(_reference)
