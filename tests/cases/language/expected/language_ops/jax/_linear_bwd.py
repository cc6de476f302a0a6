"""`linear_bwd` for JAX.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from .._opgen.core.bundles import bundle as _bundle, members as _members
from ..bundles import Quantized
from ..core import linear_bwd as _core

_runtime.saved(Quantized)
_reference = _runtime.reference("linear_bwd")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def _flat_linear_bwd(
    dy: ArrayLike,
    x: ArrayLike,
    w_data: ArrayLike,
    w_scale: ArrayLike,
    w_zero: ArrayLike | None = None,
) -> tuple[jax.Array, jax.Array]:
    """`linear_bwd` of the tensors of its bundles, one by one."""
    try:
        return _linear_bwd(dy, x, w_data, w_scale, w_zero)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _linear_bwd, dy, x, w_data, w_scale, w_zero)


def linear_bwd(
    dy: ArrayLike, x: ArrayLike, w: Quantized | tuple[ArrayLike, ...]
) -> tuple[jax.Array, Quantized]:
    """The gradients of `linear`.

    Args:
        dy (ArrayLike): shape `(*batch, n)`, float32 or float64.
        x (ArrayLike): shape `(*batch, k)`, the dtype of `dy`.
        w (Quantized): `data`: shape `(n, k)`, int8. `scale`: a factor for each row of `data`. Shape
            `(n,)`, float32. `zero`: shape `(n,)`, the dtype of `w_scale`.

    Returns:
        A tuple of

        - dx (jax.Array): shape `(*batch, k)`, the dtype of `dy`.
        - dw (Quantized): `scale`: a factor for each row of `data`. Shape `(n,)`, the dtype of
          `w_scale`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    w_data, w_scale, w_zero = _members(
        "linear_bwd", "w", w, ("data", "scale", "zero"), ("data", "scale", "zero"), 2, False
    )
    dx, dw_scale = _flat_linear_bwd(dy, x, w_data, w_scale, w_zero)
    return dx, _bundle(Quantized, None, dw_scale, None)


@jax.jit
def _linear_bwd(dy, x, w_data, w_scale, w_zero):
    dy, x, w_data, w_scale, w_zero = _runtime.check(_KERNEL, dy, x, w_data, w_scale, w_zero)
    dy, x, w_scale, w_zero = _runtime.no_gradient("linear_bwd", dy, x, w_scale, w_zero)
    return _runtime.call(_KERNEL, dy, x, w_data, w_scale, w_zero)
