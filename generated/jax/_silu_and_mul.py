"""`silu_and_mul` for JAX.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import silu_and_mul as _core
from . import _silu_and_mul_bwd

_reference = _runtime.reference("silu_and_mul")
_KERNEL = _runtime.Kernel(_core)


def silu_and_mul(x: ArrayLike) -> jax.Array:
    """`silu(x[..., :d]) * x[..., d:]`: SwiGLU of one tensor.

    Args:
        x (ArrayLike): shape `(*batch, 2*d)`, float32, bfloat16, float16 or float64.

    Returns:
        jax.Array: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _silu_and_mul(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _silu_and_mul, x)


@jax.jit
def _silu_and_mul(x):
    (x,) = _runtime.check(_KERNEL, x)
    (y,) = _silu_and_mul_op(x)
    return y


_silu_and_mul_op = _runtime.Differentiable(_KERNEL)


def _forward(x):
    return (_silu_and_mul_op(x), (x,))


def _backward(saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    dx = _silu_and_mul_bwd.silu_and_mul_bwd(dy, x)
    return (_runtime.as_cotangent(dx, x),)


_silu_and_mul_op.defvjp(_forward, _backward)
_silu_and_mul_op.defjvp(_reference)
