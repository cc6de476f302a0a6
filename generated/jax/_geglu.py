"""`geglu` for JAX.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import geglu as _core
from . import _geglu_bwd

_reference = _runtime.reference("geglu")
_KERNEL = _runtime.Kernel(_core)


def geglu(gate: ArrayLike, up: ArrayLike, *, approximate: str = "none") -> jax.Array:
    """`gelu(gate) * up`: GEGLU of two tensors.

    Args:
        gate (ArrayLike): shape `(*s)`, float32, bfloat16, float16 or float64.
        up (ArrayLike): shape `(*s)`, the dtype of `gate`.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.

    Returns:
        jax.Array: shape `(*s)`, the dtype of `gate`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(approximate) is not str:
        approximate = _runtime.static("geglu", "approximate", approximate, "str")
    try:
        return _geglu(gate, up, approximate)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _geglu, gate, up, approximate=approximate)


@functools.partial(jax.jit, static_argnums=(2,))
def _geglu(gate, up, approximate):
    gate, up = _runtime.check(_KERNEL, gate, up, approximate=approximate)
    (y,) = _geglu_op(gate, up, approximate)
    return y


_geglu_op = _runtime.Differentiable(_KERNEL)


def _forward(gate, up, approximate):
    return (_geglu_op(gate, up, approximate), (gate, up))


def _backward(approximate, saved, cotangents):
    gate, up = saved
    (dy,) = cotangents
    dgate, dup = _geglu_bwd.geglu_bwd(dy, gate, up, approximate=approximate)
    return _runtime.as_cotangent(dgate, gate), _runtime.as_cotangent(dup, up)


_geglu_op.defvjp(_forward, _backward)
_geglu_op.defjvp(_reference)
