"""`swiglu_bwd` for JAX.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import swiglu_bwd as _core

# Autodiff of `swiglu`'s reference.
_reference = _runtime.reference("swiglu_bwd")
_KERNEL = _runtime.Kernel(_core)


def swiglu_bwd(dy: ArrayLike, gate: ArrayLike, up: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """Gradient of `swiglu`.

    Args:
        dy (ArrayLike): shape `(*s)`, float32, bfloat16, float16 or float64.
        gate (ArrayLike): shape `(*s)`, the dtype of `dy`.
        up (ArrayLike): shape `(*s)`, the dtype of `dy`.

    Returns:
        A tuple of

        - dgate (jax.Array): shape `(*s)`, the dtype of `dy`.
        - dup (jax.Array): shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return _swiglu_bwd(dy, gate, up)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _swiglu_bwd, dy, gate, up)


@jax.jit
def _swiglu_bwd(dy, gate, up):
    dy, gate, up = _runtime.check(_KERNEL, dy, gate, up)
    return _swiglu_bwd_op(dy, gate, up)


_swiglu_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, gate, up):
    return (_swiglu_bwd_op(dy, gate, up), (dy, gate, up))


def _backward(saved, cotangents):
    dy, gate, up = saved
    ddgate, ddup = cotangents

    def reference(dy, gate, up):
        return _reference(_runtime.xp, dy, gate, up)

    ddy, dgate, dup = _runtime.pullback(reference, (dy, gate, up), (ddgate, ddup))
    return (
        _runtime.as_cotangent(ddy, dy),
        _runtime.as_cotangent(dgate, gate),
        _runtime.as_cotangent(dup, up),
    )


_swiglu_bwd_op.defvjp(_forward, _backward)
_swiglu_bwd_op.defjvp(_reference)
