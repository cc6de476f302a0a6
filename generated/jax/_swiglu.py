"""`swiglu` for JAX.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import swiglu as _core
from . import _swiglu_bwd

_reference = _runtime.reference("swiglu")
_KERNEL = _runtime.Kernel(_core)


def swiglu(gate: ArrayLike, up: ArrayLike) -> jax.Array:
    """`silu(gate) * up`: SwiGLU of two tensors.

    Args:
        gate (ArrayLike): shape `(*s)`, float32, bfloat16, float16 or float64.
        up (ArrayLike): shape `(*s)`, the dtype of `gate`.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `gate`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _swiglu(gate, up)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _swiglu, gate, up)


@jax.jit
def _swiglu(gate, up):
    gate, up = _runtime.check(_KERNEL, gate, up)
    (y,) = _swiglu_op(gate, up)
    return y


_swiglu_op = _runtime.Differentiable(_KERNEL)


def _forward(gate, up):
    return (_swiglu_op(gate, up), (gate, up))


def _backward(saved, cotangents):
    gate, up = saved
    (dy,) = cotangents
    dgate, dup = _swiglu_bwd.swiglu_bwd(dy, gate, up)
    return _runtime.as_cotangent(dgate, gate), _runtime.as_cotangent(dup, up)


_swiglu_op.defvjp(_forward, _backward)
_swiglu_op.defjvp(_reference)
