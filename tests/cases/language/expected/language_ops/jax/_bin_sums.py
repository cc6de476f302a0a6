"""`bin_sums` for JAX.

Rendered by opgen from bins.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import bin_sums as _core

_reference = _runtime.reference("bin_sums")
_KERNEL = _runtime.Kernel(_core, fallback=_reference)


def bin_sums(x: ArrayLike, bin: ArrayLike, *, bins: int) -> tuple[jax.Array, jax.Array]:
    """The sum of the rows of `x` in each bin, and how many there are.

    Args:
        x (ArrayLike): shape `(m, n)`, float32 or float16.
        bin (ArrayLike): shape `(m,)`, int64.
        bins (int): at least 1.

    Returns:
        A tuple of

        - sums (jax.Array): shape `(bins, n)`, float32.
        - counts (jax.Array): shape `(bins,)`, the dtype of `bin`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(bins) is not int:
        bins = _runtime.static("bin_sums", "bins", bins, "int")
    try:
        return _bin_sums(x, bin, bins)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _bin_sums, x, bin, bins=bins)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2,))
def _bin_sums(x, bin, bins):
    x, bin = _runtime.check(_KERNEL, x, bin, bins=bins)
    (x,) = _runtime.no_gradient("bin_sums", x)
    return _runtime.call(_KERNEL, x, bin, bins=bins)
