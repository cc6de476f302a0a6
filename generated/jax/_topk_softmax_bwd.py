"""`topk_softmax_bwd` for JAX.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import topk_softmax_bwd as _core

# Autodiff of `topk_softmax`'s reference.
_reference = _runtime.reference("topk_softmax_bwd")
_KERNEL = _runtime.Kernel(_core)


def topk_softmax_bwd(
    dweights: ArrayLike,
    logits: ArrayLike,
    weights: ArrayLike,
    ids: ArrayLike,
    top: ArrayLike,
    total: ArrayLike,
    *,
    k: int,
    renormalize: bool,
) -> jax.Array:
    """Gradient of `topk_softmax`.

    Args:
        dweights (ArrayLike): shape `(*batch, k)`, float32.
        logits (ArrayLike): shape `(*batch, e)`, float32, bfloat16 or float16.
        weights (ArrayLike): shape `(*batch, k)`, the dtype of `dweights`.
        ids (ArrayLike): shape `(*batch, k)`, int64.
        top (ArrayLike): shape `(*batch)`, the dtype of `dweights`.
        total (ArrayLike): shape `(*batch)`, the dtype of `dweights`.
        k (int): at least 1.
        renormalize (bool)

    Returns:
        jax.Array: shape `(*batch, e)`, the dtype of `logits`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(k) is not int:
        k = _runtime.static("topk_softmax_bwd", "k", k, "int")
    if type(renormalize) is not bool:
        renormalize = _runtime.static("topk_softmax_bwd", "renormalize", renormalize, "bool")
    try:
        return _topk_softmax_bwd(dweights, logits, weights, ids, top, total, k, renormalize)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(
            _KERNEL,
            _topk_softmax_bwd,
            dweights,
            logits,
            weights,
            ids,
            top,
            total,
            k=k,
            renormalize=renormalize,
        )


@_runtime.checked(_KERNEL)
@functools.partial(jax.jit, static_argnums=(6, 7))
def _topk_softmax_bwd(dweights, logits, weights, ids, top, total, k, renormalize):
    dweights, logits, weights, ids, top, total = _runtime.check(
        _KERNEL, dweights, logits, weights, ids, top, total, k=k, renormalize=renormalize
    )
    (dlogits,) = _topk_softmax_bwd_op(dweights, logits, weights, ids, top, total, k, renormalize)
    return dlogits


_topk_softmax_bwd_op = _runtime.Differentiable(_KERNEL)


def _forward(dweights, logits, weights, ids, top, total, k, renormalize):
    return (
        _topk_softmax_bwd_op(dweights, logits, weights, ids, top, total, k, renormalize),
        (dweights, logits),
    )


def _backward(k, renormalize, saved, cotangents):
    dweights, logits = saved
    (ddlogits,) = cotangents

    def reference(dweights, logits):
        return _reference(
            _runtime.xp, dweights, logits, None, None, None, None, k=k, renormalize=renormalize
        )

    ddweights, dlogits = _runtime.pullback(reference, (dweights, logits), (ddlogits,))
    return (
        _runtime.as_cotangent(ddweights, dweights),
        _runtime.as_cotangent(dlogits, logits),
        None,
        None,
        None,
        None,
    )


_topk_softmax_bwd_op.defvjp(_forward, _backward)
_topk_softmax_bwd_op.defjvp(_reference)
