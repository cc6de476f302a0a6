"""`embedding_bwd` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_bwd as _core
from . import _embedding_bwd_bwd

_reference = _runtime.reference("embedding_bwd")
_KERNEL = _runtime.Kernel(_core)


def embedding_bwd(
    dy: ArrayLike, indices: ArrayLike, *, rows: int, padding_idx: int | None = None
) -> jax.Array:
    """Gradient of `embedding` with respect to `weight`: for each row, the sum of its rows of `dy`,
    in the order of `indices`.

    Args:
        dy (ArrayLike): shape `(*s, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(*s)`, int64 or int32.
        rows (int): at least 0.
        padding_idx (int, optional): Default: None.

    Returns:
        jax.Array: shape `(rows, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(rows) is not int:
        rows = _runtime.static("embedding_bwd", "rows", rows, "int")
    if padding_idx is not None and type(padding_idx) is not int:
        padding_idx = _runtime.static("embedding_bwd", "padding_idx", padding_idx, "int?")
    try:
        return _embedding_bwd(dy, indices, rows, padding_idx)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _embedding_bwd, dy, indices, rows=rows, padding_idx=padding_idx
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2, 3))
def _embedding_bwd(dy, indices, rows, padding_idx):
    dy, indices = _runtime.check(_KERNEL, dy, indices, rows=rows, padding_idx=padding_idx)
    (dweight,) = _embedding_bwd_op(dy, indices, rows, padding_idx)
    return dweight


_embedding_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, indices, rows, padding_idx):
    return (_embedding_bwd_op(dy, indices, rows, padding_idx), (_runtime.type_of(dy), indices))


def _backward(rows, padding_idx, saved, cotangents):
    dy, indices = saved
    (ddweight,) = cotangents
    ddy = _embedding_bwd_bwd.embedding_bwd_bwd(ddweight, indices, padding_idx=padding_idx)
    return _runtime.as_cotangent(ddy, dy), None


_embedding_bwd_op.defvjp(_forward, _backward)
_embedding_bwd_op.defjvp(_reference)
