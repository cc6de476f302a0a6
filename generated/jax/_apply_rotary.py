"""`apply_rotary` for JAX.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import apply_rotary as _core

_reference = _runtime.reference("apply_rotary")
_KERNEL = _runtime.Kernel(_core)


def apply_rotary(
    q: ArrayLike,
    k: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    *,
    order: str = "HSD",
    style: str = "half",
    inverse: bool = False,
) -> tuple[jax.Array, jax.Array]:
    """Rotates the first `2*r` of `d` in every head of `q` and `k` by the angles of its token:
    `x*cos + rotate(x)*sin`.

    Args:
        q (ArrayLike): shape `(*lead, hk*g, t, d)` or shape `(*lead, t, hk*g, d)`, float32,
            bfloat16, float16 or float64.
        k (ArrayLike): shape `(*lead, hk, t, d)` or shape `(*lead, t, hk, d)`, the dtype of `q`.
        cos (ArrayLike): shape `(*lead, t, 2*r)` or shape `(t, 2*r)`, float32, bfloat16, float16 or
            float64.
        sin (ArrayLike): shape `(*lead, t, 2*r)` or shape `(t, 2*r)`, the dtype of `cos`.
        order (str): Whether heads come before or after the tokens of the sequence. One of 'HSD',
            'SHD'. Default: 'HSD'.
        style (str): The elements of a pair: `x[i], x[r + i]`, or `x[2*i], x[2*i + 1]` as in GPT-J.
            One of 'half', 'interleaved'. Default: 'half'.
        inverse (bool): Whether to apply the transposed map, which rotates back. Default: False.

    Returns:
        A tuple of

        - q_out (jax.Array): shape `(*lead, hk*g, t, d)` or shape `(*lead, t, hk*g, d)`, the dtype
          of `q`.
        - k_out (jax.Array): shape `(*lead, hk, t, d)` or shape `(*lead, t, hk, d)`, the dtype of
          `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(order) is not str:
        order = _runtime.static("apply_rotary", "order", order, "str")
    if type(style) is not str:
        style = _runtime.static("apply_rotary", "style", style, "str")
    if type(inverse) is not bool:
        inverse = _runtime.static("apply_rotary", "inverse", inverse, "bool")
    try:
        return _apply_rotary(q, k, cos, sin, order, style, inverse)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _apply_rotary, q, k, cos, sin, order=order, style=style, inverse=inverse
        )


@functools.partial(jax.jit, static_argnums=(4, 5, 6))
def _apply_rotary(q, k, cos, sin, order, style, inverse):
    q, k, cos, sin = _runtime.check(
        _KERNEL, q, k, cos, sin, order=order, style=style, inverse=inverse
    )
    (cos,) = _runtime.no_gradient("apply_rotary", cos, of="cos")
    (sin,) = _runtime.no_gradient("apply_rotary", sin, of="sin")
    return _apply_rotary_op(q, k, cos, sin, order, style, inverse)


_apply_rotary_op = _runtime.Differentiable(_KERNEL)


def _forward(q, k, cos, sin, order, style, inverse):
    return (
        _apply_rotary_op(q, k, cos, sin, order, style, inverse),
        (_runtime.type_of(q), _runtime.type_of(k), cos, sin),
    )


def _backward(order, style, inverse, saved, cotangents):
    q, k, cos, sin = saved
    dq_out, dk_out = cotangents
    dq, dk = apply_rotary(dq_out, dk_out, cos, sin, order=order, style=style, inverse=not inverse)
    return _runtime.as_cotangent(dq, q), _runtime.as_cotangent(dk, k), None, None


_apply_rotary_op.defvjp(_forward, _backward)
_apply_rotary_op.defjvp(_reference)
