"""`split_rows` for JAX.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import split_rows as _core

_reference = _runtime.reference("split_rows")
_KERNEL = _runtime.Kernel(_core)


def split_rows(x: ArrayLike, *, sizes: Sequence[int]) -> list[jax.Array]:
    """`x` in pieces: the first has `sizes[0]` rows, and so on.

    Args:
        x (ArrayLike): shape `(sum(sizes), n)`, float32 or float64.
        sizes (Sequence[int]): at least 0.

    Returns:
        list of jax.Array: shape `(sizes[i], n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    sizes = _runtime.static("split_rows", "sizes", sizes, "int[]")
    try:
        return _split_rows(x, sizes)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _split_rows, x, sizes=sizes)


@functools.partial(jax.jit, static_argnums=(1,))
def _split_rows(x, sizes):
    (x,) = _runtime.check(_KERNEL, x, sizes=sizes)
    (parts,) = _split_rows_op(x, sizes)
    return parts


_split_rows_op = _runtime.Differentiable(_KERNEL)


def _forward(x, sizes):
    return (_split_rows_op(x, sizes), (x,))


def _backward(sizes, saved, cotangents):
    (x,) = saved
    (dparts,) = cotangents

    def reference(x):
        return _reference(_runtime.xp, x, sizes=sizes)

    (dx,) = _runtime.pullback(reference, (x,), (dparts,))
    return (_runtime.as_cotangent(dx, x),)


_split_rows_op.defvjp(_forward, _backward)
_split_rows_op.defjvp(_reference)
