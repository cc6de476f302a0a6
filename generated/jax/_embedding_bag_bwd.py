"""`embedding_bag_bwd` for JAX.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_bag_bwd as _core

_reference = _runtime.reference("embedding_bag_bwd")
_KERNEL = _runtime.Kernel(_core)


def embedding_bag_bwd(
    dy: ArrayLike,
    indices: ArrayLike,
    offsets: ArrayLike,
    sample_weights: ArrayLike | None = None,
    argmax: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    *,
    rows: int,
    mode: str,
    wanted: Collection[str] = ("dweight", "dsample_weights"),
) -> tuple[jax.Array | None, jax.Array | None]:
    """Gradient of `embedding_bag`, dense for `weight`. Only `dsample_weights` needs the values of
    `weight`.

    Args:
        dy (ArrayLike): shape `(b, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(n,)`, int64 or int32.
        offsets (ArrayLike): shape `(b+1,)`, the dtype of `indices`.
        sample_weights (ArrayLike, optional): shape `(n,)`, the dtype of `dy`.
        argmax (ArrayLike, optional): shape `(b, d)`, the dtype of `indices`.
        weight (ArrayLike, optional): shape `(rows, d)`, the dtype of `dy`.
        rows (int)
        mode (str): one of 'sum', 'mean', 'max'.
        wanted (Collection[str]): results to compute, of "dweight", "dsample_weights". The others
            are None. Default: all.

    Returns:
        A tuple of

        - dweight (jax.Array, optional): shape `(rows, d)`, the dtype of `dy`.
        - dsample_weights (jax.Array, optional): shape `(n,)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(rows) is not int:
        rows = _runtime.static("embedding_bag_bwd", "rows", rows, "int")
    if type(mode) is not str:
        mode = _runtime.static("embedding_bag_bwd", "mode", mode, "str")
    try:
        return _embedding_bag_bwd(
            dy, indices, offsets, sample_weights, argmax, weight, rows, mode, tuple(wanted)
        )
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _embedding_bag_bwd,
            dy,
            indices,
            offsets,
            sample_weights,
            argmax,
            weight,
            rows=rows,
            mode=mode,
            wanted=wanted,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(6, 7, 8))
def _embedding_bag_bwd(dy, indices, offsets, sample_weights, argmax, weight, rows, mode, wanted):
    dy, indices, offsets, sample_weights, argmax, weight = _runtime.check(
        _KERNEL,
        dy,
        indices,
        offsets,
        sample_weights,
        argmax,
        weight,
        rows=rows,
        mode=mode,
        wanted=wanted,
    )
    return _embedding_bag_bwd_op(
        dy, indices, offsets, sample_weights, argmax, weight, rows, mode, wanted
    )


_embedding_bag_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dy, indices, offsets, sample_weights, argmax, weight, rows, mode, wanted):
    return (
        _embedding_bag_bwd_op(
            dy, indices, offsets, sample_weights, argmax, weight, rows, mode, wanted
        ),
        (dy, indices, offsets, sample_weights, argmax, weight),
    )


def _backward(rows, mode, wanted, saved, cotangents):
    dy, indices, offsets, sample_weights, argmax, weight = saved
    ddweight, ddsample_weights = cotangents

    def reference(dy, sample_weights, weight):
        return _reference(
            _runtime.xp, dy, indices, offsets, sample_weights, argmax, weight, rows=rows, mode=mode
        )

    ddy, dsample_weights, dweight = _runtime.pullback(
        reference, (dy, sample_weights, weight), (ddweight, ddsample_weights)
    )
    return (
        _runtime.as_cotangent(ddy, dy),
        None,
        None,
        _runtime.as_cotangent(dsample_weights, sample_weights),
        None,
        _runtime.as_cotangent(dweight, weight),
    )


_embedding_bag_bwd_op.defvjp(_forward, _backward)
_embedding_bag_bwd_op.defjvp(_reference)
