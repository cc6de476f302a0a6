"""`embedding` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding as _core
from . import _embedding_bwd

_reference = _runtime.reference("embedding")
_KERNEL = _runtime.Kernel(_core)


def embedding(
    weight: ArrayLike, indices: ArrayLike, *, padding_idx: int | None = None
) -> jax.Array:
    """Rows of `weight` at `indices`. The row `padding_idx` gets no gradient.

    Args:
        weight (ArrayLike): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(*s)`, int64 or int32.
        padding_idx (int, optional): A row that gets no gradient. A negative number counts from the
            end. Default: None.

    Returns:
        jax.Array: shape `(*s, d)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if padding_idx is not None and type(padding_idx) is not int:
        padding_idx = _runtime.static("embedding", "padding_idx", padding_idx, "int?")
    try:
        return _embedding(weight, indices, padding_idx)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _embedding, weight, indices, padding_idx=padding_idx)


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2,))
def _embedding(weight, indices, padding_idx):
    weight, indices = _runtime.check(_KERNEL, weight, indices, padding_idx=padding_idx)
    (y,) = _embedding_op(weight, indices, padding_idx)
    return y


_embedding_op = _runtime.Differentiable(_KERNEL)


def _forward(weight, indices, padding_idx):
    return (_embedding_op(weight, indices, padding_idx), (_runtime.type_of(weight), indices))


def _backward(padding_idx, saved, cotangents):
    weight, indices = saved
    (dy,) = cotangents
    with _runtime.results_like(weight):
        dweight = _embedding_bwd.embedding_bwd(
            dy, indices, rows=weight.shape[0], padding_idx=padding_idx
        )
    return _runtime.as_cotangent(dweight, weight), None


_embedding_op.defvjp(_forward, _backward)
_embedding_op.defjvp(_reference)
