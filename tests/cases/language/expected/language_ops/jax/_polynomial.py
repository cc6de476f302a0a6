"""`polynomial` for JAX.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import polynomial as _core

_reference = _runtime.reference("polynomial")
_KERNEL = _runtime.Kernel(_core)


def polynomial(x: ArrayLike, *, coefficients: Sequence[float]) -> jax.Array:
    """The sum of `coefficients[i] * x**i`.

    Args:
        x (ArrayLike): shape `(*s)`, float32 or float64.
        coefficients (Sequence[float])

    Returns:
        jax.Array: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    coefficients = _runtime.static("polynomial", "coefficients", coefficients, "float[]")
    try:
        return _polynomial(x, coefficients)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _polynomial, x, coefficients=coefficients)


@functools.partial(jax.jit, static_argnums=(1,))
def _polynomial(x, coefficients):
    (x,) = _runtime.check(_KERNEL, x, coefficients=coefficients)
    (y,) = _polynomial_op(x, coefficients)
    return y


_polynomial_op = _runtime.Differentiable(_KERNEL)


def _forward(x, coefficients):
    return (_polynomial_op(x, coefficients), (x,))


def _backward(coefficients, saved, cotangents):
    (x,) = saved
    (dy,) = cotangents

    def reference(x):
        return _reference(_runtime.xp, x, coefficients=coefficients)

    (dx,) = _runtime.pullback(reference, (x,), (dy,))
    return (_runtime.as_cotangent(dx, x),)


_polynomial_op.defvjp(_forward, _backward)
_polynomial_op.defjvp(_reference)
