"""`rotary_` for JAX.

Rendered by opgen from rotary.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import rotary_ as _core

_KERNEL = _runtime.Kernel(_core)


def rotary_(
    q: ArrayLike,
    positions: ArrayLike,
    cos_sin: ArrayLike,
    k: ArrayLike | None = None,
    *,
    style: str = "half",
    inverse: bool = False,
) -> tuple[jax.Array, jax.Array | None]:
    """`rotary` in place.

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

        - q (jax.Array): shape `(*lead, t, hk*g, d)` or shape `(*lead, t, h, d)`, float32, bfloat16,
          float16 or float64.
        - k (jax.Array, optional): shape `(*lead, t, hk, d)`, the dtype of `q`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(style) is not str:
        style = _runtime.static("rotary_", "style", style, "str")
    if type(inverse) is not bool:
        inverse = _runtime.static("rotary_", "inverse", inverse, "bool")
    try:
        return _rotary_(q, positions, cos_sin, k, style, inverse)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _rotary_, q, positions, cos_sin, k, style=style, inverse=inverse
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(4, 5))
def _rotary_(q, positions, cos_sin, k, style, inverse):
    q, positions, cos_sin, k = _runtime.check(
        _KERNEL, q, positions, cos_sin, k, style=style, inverse=inverse
    )
    q, cos_sin, k = _runtime.no_gradient("rotary_", q, cos_sin, k)
    return _runtime.call(_KERNEL, q, positions, cos_sin, k, style=style, inverse=inverse)
