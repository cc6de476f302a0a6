"""`rotary` for JAX.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rotary as _core

_reference = _runtime.reference("rotary")
_KERNEL = _runtime.Kernel(_core)


def rotary(
    q: ArrayLike,
    positions: ArrayLike,
    cos_sin: ArrayLike,
    k: ArrayLike | None = None,
    *,
    style: str = "half",
    inverse: bool = False,
) -> tuple[jax.Array, jax.Array | None]:
    """Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles at `positions`.

    Args:
        q (ArrayLike): shape `(*lead, t, hk*g, d)` or shape `(*lead, t, h, d)`, float32, bfloat16,
            float16 or float64.
        positions (ArrayLike): shape `(*lead, t)` or shape `(t,)`, int64 or int32.
        cos_sin (ArrayLike): shape `(p, 2*r)`, float32, bfloat16, float16 or float64.
        k (ArrayLike, optional): shape `(*lead, t, hk, d)`, the dtype of `q`.
        style (str): one of 'half', 'interleaved'. Default: 'half'.
        inverse (bool): Default: False.

    Returns:
        A tuple of

        - q_out (jax.Array): shape `(*lead, t, hk*g, d)` or shape `(*lead, t, h, d)`, the dtype of
          `q`.
        - k_out (jax.Array, optional): shape `(*lead, t, hk, d)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(style) is not str:
        style = _runtime.static("rotary", "style", style, "str")
    if type(inverse) is not bool:
        inverse = _runtime.static("rotary", "inverse", inverse, "bool")
    try:
        return _rotary(q, positions, cos_sin, k, style, inverse)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _rotary, q, positions, cos_sin, k, style=style, inverse=inverse
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(4, 5))
def _rotary(q, positions, cos_sin, k, style, inverse):
    q, positions, cos_sin, k = _runtime.check(
        _KERNEL, q, positions, cos_sin, k, style=style, inverse=inverse
    )
    (cos_sin,) = _runtime.no_gradient("rotary", cos_sin, of="cos_sin")
    return _rotary_op(q, positions, cos_sin, k, style, inverse)


_rotary_op = _runtime.Differentiable(_KERNEL)


def _forward(q, positions, cos_sin, k, style, inverse):
    q, positions, cos_sin, k = _runtime.values(q, positions, cos_sin, k)
    return (
        _rotary_op(q, positions, cos_sin, k, style, inverse),
        (_runtime.type_of(q), positions, cos_sin, _runtime.type_of(k)),
    )


def _backward(style, inverse, saved, cotangents):
    q, positions, cos_sin, k = saved
    dq_out, dk_out = cotangents
    dq_out = _runtime.or_zeros(dq_out)
    dq, dk = rotary(
        dq_out, positions, cos_sin, _runtime.or_none(dk_out), style=style, inverse=not inverse
    )
    return _runtime.as_cotangent(dq, q), None, None, _runtime.as_cotangent(dk, k)


_rotary_op.defvjp(_forward, _backward, symbolic_zeros=True)
_rotary_op.defjvp(_reference)
