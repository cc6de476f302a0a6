"""`topk_softmax` for JAX.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import topk_softmax as _core
from . import _topk_softmax_bwd

_reference = _runtime.reference("topk_softmax")
_KERNEL = _runtime.Kernel(_core)


def topk_softmax(
    logits: ArrayLike, *, k: int, renormalize: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Softmax over `e` experts, then the `k` largest with their indices.

    Args:
        logits (ArrayLike): shape `(*batch, e)`, float32, bfloat16 or float16.
        k (int): at least 1.
        renormalize (bool): Default: False.

    Returns:
        A tuple of

        - weights (jax.Array): shape `(*batch, k)`, float32.
        - ids (jax.Array): shape `(*batch, k)`, int64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(k) is not int:
        k = _runtime.static("topk_softmax", "k", k, "int")
    if type(renormalize) is not bool:
        renormalize = _runtime.static("topk_softmax", "renormalize", renormalize, "bool")
    try:
        return _topk_softmax(logits, k, renormalize)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _topk_softmax, logits, k=k, renormalize=renormalize)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _topk_softmax(logits, k, renormalize):
    (logits,) = _runtime.check(_KERNEL, logits, k=k, renormalize=renormalize)
    weights, ids, _, _ = _topk_softmax_op(logits, k, renormalize)
    return weights, ids


_topk_softmax_op = _runtime.Differentiable(_KERNEL)


def _forward(logits, k, renormalize):
    weights, ids, top, total = _topk_softmax_op(logits, k, renormalize)
    return ((weights, ids, top, total), (logits, weights, ids, top, total))


def _backward(k, renormalize, saved, cotangents):
    logits, weights, ids, top, total = saved
    dweights, _, _, _ = cotangents
    dlogits = _topk_softmax_bwd.topk_softmax_bwd(
        dweights, logits, weights, ids, top, total, k=k, renormalize=renormalize
    )
    return (_runtime.as_cotangent(dlogits, logits),)


_topk_softmax_op.defvjp(_forward, _backward)
_topk_softmax_op.defjvp(_reference)
