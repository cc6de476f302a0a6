"""`int8_linear` for JAX.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import int8_linear as _core
from . import _int8_linear_dgrad

_reference = _runtime.reference("int8_linear")
_KERNEL = _runtime.Kernel(_core)


def int8_linear(x: ArrayLike, weight: ArrayLike, scale: ArrayLike) -> jax.Array:
    """`(x @ weight.T) * scale`: a linear layer with an 8-bit weight and sums in f32.

    Args:
        x (ArrayLike): shape `(*batch, k)`, float32, bfloat16 or float16.
        weight (ArrayLike): shape `(n, k)`, int8.
        scale (ArrayLike): The factor of the integers in each row of `weight`. Shape `(n,)`,
            float32, bfloat16 or float16.

    Returns:
        jax.Array: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _int8_linear(x, weight, scale)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _int8_linear, x, weight, scale)


@jax.jit
def _int8_linear(x, weight, scale):
    x, weight, scale = _runtime.check(_KERNEL, x, weight, scale)
    (scale,) = _runtime.no_gradient("int8_linear", scale, of="scale")
    (y,) = _int8_linear_op(x, weight, scale)
    return y


_int8_linear_op = _runtime.Differentiable(_KERNEL)


def _forward(x, weight, scale):
    return (_int8_linear_op(x, weight, scale), (_runtime.type_of(x), weight, scale))


def _backward(saved, cotangents):
    x, weight, scale = saved
    (dy,) = cotangents
    dx = _int8_linear_dgrad.int8_linear_dgrad(dy, weight, scale)
    return _runtime.as_cotangent(dx, x), None, None


_int8_linear_op.defvjp(_forward, _backward)
_int8_linear_op.defjvp(_reference)
