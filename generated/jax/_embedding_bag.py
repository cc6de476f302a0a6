"""`embedding_bag` for JAX.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_bag as _core
from . import _embedding_bag_bwd

_reference = _runtime.reference("embedding_bag")
_KERNEL = _runtime.Kernel(_core)


def embedding_bag(
    weight: ArrayLike,
    indices: ArrayLike,
    offsets: ArrayLike,
    sample_weights: ArrayLike | None = None,
    *,
    mode: str = "mean",
) -> tuple[jax.Array, jax.Array | None]:
    """Rows of `weight` at `indices`, pooled over the bags that `offsets` delimit.

    Args:
        weight (ArrayLike): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(n,)`, int64 or int32.
        offsets (ArrayLike): shape `(b+1,)`, the dtype of `indices`.
        sample_weights (ArrayLike, optional): shape `(n,)`, the dtype of `weight`.
        mode (str): one of 'sum', 'mean', 'max'. Default: 'mean'.

    Returns:
        A tuple of

        - y (jax.Array): shape `(b, d)`, the dtype of `weight`.
        - argmax (jax.Array, optional): shape `(b, d)`, the dtype of `indices`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(mode) is not str:
        mode = _runtime.static("embedding_bag", "mode", mode, "str")
    try:
        return _embedding_bag(weight, indices, offsets, sample_weights, mode)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _embedding_bag, weight, indices, offsets, sample_weights, mode=mode
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(4,))
def _embedding_bag(weight, indices, offsets, sample_weights, mode):
    weight, indices, offsets, sample_weights = _runtime.check(
        _KERNEL, weight, indices, offsets, sample_weights, mode=mode
    )
    return _embedding_bag_op(weight, indices, offsets, sample_weights, mode)


_embedding_bag_op = _runtime.Differentiable(_KERNEL)


def _forward(weight, indices, offsets, sample_weights, mode):
    needed = _runtime.needed(weight=weight, sample_weights=sample_weights)
    weight, indices, offsets, sample_weights = _runtime.values(
        weight, indices, offsets, sample_weights
    )
    y, argmax = _embedding_bag_op(weight, indices, offsets, sample_weights, mode)
    return ((y, argmax), (weight, indices, offsets, sample_weights, argmax, needed))


def _backward(mode, saved, cotangents):
    weight, indices, offsets, sample_weights, argmax, needed = saved
    dy, _ = cotangents
    dy = _runtime.or_zeros(dy)
    dweight, dsample_weights = _embedding_bag_bwd.embedding_bag_bwd(
        dy,
        indices,
        offsets,
        sample_weights,
        argmax,
        weight if needed.any("sample_weights") else None,
        rows=weight.shape[0],
        mode=mode,
        wanted=needed.results(dweight="weight", dsample_weights="sample_weights"),
    )
    return (
        _runtime.as_cotangent(dweight, weight),
        None,
        None,
        _runtime.as_cotangent(dsample_weights, sample_weights),
    )


_embedding_bag_op.defvjp(_forward, _backward, symbolic_zeros=True)
_embedding_bag_op.defjvp(_reference)
