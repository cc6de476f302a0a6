"""`gelu_and_mul_bwd` for JAX.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import gelu_and_mul_bwd as _core

# Autodiff of `gelu_and_mul`'s reference.
_reference = _runtime.reference("gelu_and_mul_bwd")
_KERNEL = _runtime.Kernel(_core)


def gelu_and_mul_bwd(dy: ArrayLike, x: ArrayLike, *, approximate: str = "none") -> jax.Array:
    """Gradient of `gelu_and_mul`.

    Args:
        dy (ArrayLike): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        x (ArrayLike): shape `(*batch, 2*d)`, the dtype of `dy`.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.

    Returns:
        jax.Array: shape `(*batch, 2*d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(approximate) is not str:
        approximate = _runtime.static("gelu_and_mul_bwd", "approximate", approximate, "str")
    try:
        return _gelu_and_mul_bwd(dy, x, approximate)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _gelu_and_mul_bwd, dy, x, approximate=approximate)


@functools.partial(jax.jit, static_argnums=(2,))
def _gelu_and_mul_bwd(dy, x, approximate):
    dy, x = _runtime.check(_KERNEL, dy, x, approximate=approximate)
    (dx,) = _gelu_and_mul_bwd_op(dy, x, approximate)
    return dx


_gelu_and_mul_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, x, approximate):
    return (_gelu_and_mul_bwd_op(dy, x, approximate), (dy, x))


def _backward(approximate, saved, cotangents):
    dy, x = saved
    (ddx,) = cotangents

    def reference(dy, x):
        return _reference(_runtime.xp, dy, x, approximate=approximate)

    ddy, dx = _runtime.pullback(reference, (dy, x), (ddx,))
    return _runtime.as_cotangent(ddy, dy), _runtime.as_cotangent(dx, x)


_gelu_and_mul_bwd_op.defvjp(_forward, _backward)
_gelu_and_mul_bwd_op.defjvp(_reference)
