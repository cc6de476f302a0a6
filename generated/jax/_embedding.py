"""`embedding` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
import numpy as np
from jax.typing import ArrayLike

from ..core import embedding as _core
from . import _embedding_bwd, _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("rows d", "*s"),
    outputs=("*s d",),
    attrs={"padding": np.int64},
    platforms=("cpu", "cuda"),
    split=("s", "d"),
    fold=("s",),
)


def embedding(weight: ArrayLike, indices: ArrayLike, *, padding: int = -1) -> jax.Array:
    """Rows of `weight` at `indices`; those of `padding` are zeros.

    weight: T[rows d].
    indices: I[*s].
    padding: int, at least -1. An index that stands for no row; -1: there is none.
    Returns y: T[*s d].
    T: float32, bfloat16, float16 or float64.
    I: int64 or int32.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    if type(padding) is not int:
        padding = _runtime.static("embedding", "padding", padding, "int")
    try:
        return _embedding(weight, indices, padding)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _embedding, weight, indices, padding=padding)


@_runtime.checked(_KERNEL)
@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(2,))
def _embedding(weight, indices, padding):
    weight, indices = _runtime.check(_KERNEL, weight, indices, padding=padding)
    (weight,) = _runtime.reverse_mode_only("embedding", weight)
    (y,) = _embedding_op(weight, indices, padding)
    return y


@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def _embedding_op(weight, indices, padding):
    return _runtime.call(_KERNEL, weight, indices, padding=padding)


def _forward(weight, indices, padding):
    return _embedding_op(weight, indices, padding), (_runtime.type_of(weight), indices)


def _backward(padding, saved, cotangents):
    weight, indices = saved
    (dy,) = cotangents
    dweight = _embedding_bwd.embedding_bwd(
        dy, indices, rows=weight.shape[0], padding=padding
    )
    return _runtime.as_cotangent(dweight, weight), None


_embedding_op.defvjp(_forward, _backward)
