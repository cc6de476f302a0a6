"""`geglu_bwd` for JAX.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import geglu_bwd as _core

# Autodiff of `geglu`'s reference.
_reference = _runtime.reference("geglu_bwd")
_KERNEL = _runtime.Kernel(_core)


def geglu_bwd(
    dy: ArrayLike, gate: ArrayLike, up: ArrayLike, *, approximate: str = "none"
) -> tuple[jax.Array, jax.Array]:
    """Gradient of `geglu`.

    Args:
        dy (ArrayLike): shape `(*s)`, float32, bfloat16, float16 or float64.
        gate (ArrayLike): shape `(*s)`, the dtype of `dy`.
        up (ArrayLike): shape `(*s)`, the dtype of `dy`.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.

    Returns:
        A tuple of

        - dgate (jax.Array): shape `(*s)`, the dtype of `dy`.
        - dup (jax.Array): shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(approximate) is not str:
        approximate = _runtime.static("geglu_bwd", "approximate", approximate, "str")
    try:
        return _geglu_bwd(dy, gate, up, approximate)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _geglu_bwd, dy, gate, up, approximate=approximate)


@functools.partial(jax.jit, static_argnums=(3,))
def _geglu_bwd(dy, gate, up, approximate):
    dy, gate, up = _runtime.check(_KERNEL, dy, gate, up, approximate=approximate)
    return _geglu_bwd_op(dy, gate, up, approximate)


_geglu_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, gate, up, approximate):
    return (_geglu_bwd_op(dy, gate, up, approximate), (dy, gate, up))


def _backward(approximate, saved, cotangents):
    dy, gate, up = saved
    ddgate, ddup = cotangents

    def reference(dy, gate, up):
        return _reference(_runtime.xp, dy, gate, up, approximate=approximate)

    ddy, dgate, dup = _runtime.pullback(reference, (dy, gate, up), (ddgate, ddup))
    return (
        _runtime.as_cotangent(ddy, dy),
        _runtime.as_cotangent(dgate, gate),
        _runtime.as_cotangent(dup, up),
    )


_geglu_bwd_op.defvjp(_forward, _backward)
_geglu_bwd_op.defjvp(_reference)
