"""`gelu_and_mul` for JAX.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import gelu_and_mul as _core
from . import _gelu_and_mul_bwd

_reference = _runtime.reference("gelu_and_mul")
_KERNEL = _runtime.Kernel(_core)


def gelu_and_mul(x: ArrayLike, *, approximate: str = "none") -> jax.Array:
    """`gelu(x[..., :d]) * x[..., d:]`: GEGLU of one tensor.

    Args:
        x (ArrayLike): shape `(*batch, 2*d)`, float32, bfloat16, float16 or float64.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.

    Returns:
        jax.Array: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(approximate) is not str:
        approximate = _runtime.static("gelu_and_mul", "approximate", approximate, "str")
    try:
        return _gelu_and_mul(x, approximate)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _gelu_and_mul, x, approximate=approximate)


@functools.partial(jax.jit, static_argnums=(1,))
def _gelu_and_mul(x, approximate):
    (x,) = _runtime.check(_KERNEL, x, approximate=approximate)
    (y,) = _gelu_and_mul_op(x, approximate)
    return y


_gelu_and_mul_op = _runtime.Differentiable(_KERNEL)


def _forward(x, approximate):
    return (_gelu_and_mul_op(x, approximate), (x,))


def _backward(approximate, saved, cotangents):
    (x,) = saved
    (dy,) = cotangents
    dx = _gelu_and_mul_bwd.gelu_and_mul_bwd(dy, x, approximate=approximate)
    return (_runtime.as_cotangent(dx, x),)


_gelu_and_mul_op.defvjp(_forward, _backward)
_gelu_and_mul_op.defjvp(_reference)
