"""`topk_softmax_bwd` for JAX.

Rendered by opgen from topk_softmax.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
import numpy as np
from jax.typing import ArrayLike

from ..core import topk_softmax_bwd as _core
from . import _runtime

_KERNEL = _runtime.Kernel(
    _core,
    inputs=("*batch k", "*batch e", "*batch k", "*batch k", "*batch"),
    outputs=("*batch e",),
    attrs={"renormalize": np.bool_},
    split=("batch",),
    wide=(None, None, None, "i64", None),
)


def topk_softmax_bwd(
    dweights: ArrayLike,
    logits: ArrayLike,
    weights: ArrayLike,
    ids: ArrayLike,
    lse: ArrayLike,
    *,
    renormalize: bool,
) -> jax.Array:
    """Gradient of `topk_softmax`.

    dweights: f32[*batch k].
    logits: T[*batch e].
    weights: f32[*batch k].
    ids: i64[*batch k].
    lse: f32[*batch].
    renormalize: bool.
    Returns dlogits: T[*batch e].
    T: float32, bfloat16 or float16.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return _topk_softmax_bwd(dweights, logits, weights, ids, lse, renormalize)
    except (TypeError, ValueError):
        _runtime.explain(
            _KERNEL, dweights, logits, weights, ids, lse, renormalize=renormalize
        )
        raise


@_runtime.dumped
@functools.partial(jax.jit, static_argnums=(5,))
def _topk_softmax_bwd(dweights, logits, weights, ids, lse, renormalize):
    _runtime.check(
        _KERNEL, dweights, logits, weights, ids, lse, renormalize=renormalize
    )
    dweights, logits, weights, lse = _runtime.no_gradient(
        "topk_softmax_bwd", dweights, logits, weights, lse
    )
    (dlogits,) = _runtime.call(
        _KERNEL, dweights, logits, weights, ids, lse, renormalize=renormalize
    )
    return dlogits
