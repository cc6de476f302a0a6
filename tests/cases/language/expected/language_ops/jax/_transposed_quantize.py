"""`transposed_quantize` for JAX.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from .._opgen.core.bundles import bundle as _bundle
from ..bundles import Quantized
from ..core import transposed_quantize as _core

_runtime.saved(Quantized)
_reference = _runtime.References("weights")
_KERNEL = _runtime.Kernel(_core, fallback=_reference.transposed_quantize)


def _flat_transposed_quantize(x: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """`transposed_quantize` of the tensors of its bundles, one by one."""
    try:
        return _transposed_quantize(x)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _transposed_quantize, x)


def transposed_quantize(x: ArrayLike) -> Quantized:
    """The transpose of a matrix in 8 bits, a scale for each of its rows.

    Args:
        x (ArrayLike): shape `(m, k)`, float32 or float64.

    Returns:
        Quantized: `data`: shape `(k, m)`, int8. `scale`: a factor for each row of `data`. Shape
            `(k,)`, float32.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    q_data, q_scale = _flat_transposed_quantize(x)
    return _bundle(Quantized, q_data, q_scale, None)


@_runtime.dumped
@jax.jit
def _transposed_quantize(x):
    (x,) = _runtime.check(_KERNEL, x)
    (x,) = _runtime.no_gradient("transposed_quantize", x)
    return _runtime.call(_KERNEL, x)
