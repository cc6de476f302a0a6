"""`embedding_bwd_bwd` for JAX.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import embedding_bwd_bwd as _core
from . import _embedding_bwd

_reference = _runtime.reference("embedding_bwd_bwd")
_KERNEL = _runtime.Kernel(_core)


def embedding_bwd_bwd(
    ddweight: ArrayLike, indices: ArrayLike, *, padding_idx: int | None = None
) -> jax.Array:
    """Gradient of `embedding_bwd` with respect to `dy`: rows of `ddweight` at `indices`, zeros for
    `padding_idx`.

    Args:
        ddweight (ArrayLike): shape `(rows, d)`, float32, bfloat16, float16 or float64.
        indices (ArrayLike): shape `(*s)`, int64 or int32.
        padding_idx (int, optional): Default: None.

    Returns:
        jax.Array: shape `(*s, d)`, the dtype of `ddweight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if padding_idx is not None and type(padding_idx) is not int:
        padding_idx = _runtime.static("embedding_bwd_bwd", "padding_idx", padding_idx, "int?")
    try:
        return _embedding_bwd_bwd(ddweight, indices, padding_idx)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL, _embedding_bwd_bwd, ddweight, indices, padding_idx=padding_idx
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(2,))
def _embedding_bwd_bwd(ddweight, indices, padding_idx):
    ddweight, indices = _runtime.check(_KERNEL, ddweight, indices, padding_idx=padding_idx)
    (ddy,) = _embedding_bwd_bwd_op(ddweight, indices, padding_idx)
    return ddy


_embedding_bwd_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(ddweight, indices, padding_idx):
    return (
        _embedding_bwd_bwd_op(ddweight, indices, padding_idx),
        (_runtime.type_of(ddweight), indices),
    )


def _backward(padding_idx, saved, cotangents):
    ddweight, indices = saved
    (dddy,) = cotangents
    with _runtime.results_like(ddweight):
        dddweight = _embedding_bwd.embedding_bwd(
            dddy, indices, rows=ddweight.shape[0], padding_idx=padding_idx
        )
    return _runtime.as_cotangent(dddweight, ddweight), None


_embedding_bwd_bwd_op.defvjp(_forward, _backward)
_embedding_bwd_bwd_op.defjvp(_reference)
