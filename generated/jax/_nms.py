"""`nms` for JAX.

Rendered by opgen from nms.toml: edit the spec, not this file.
"""

from __future__ import annotations

import functools

import jax
from jax.typing import ArrayLike

from .._opgen import jax as _runtime
from ..core import nms as _core

_KERNEL = _runtime.Kernel(_core)


def nms(boxes: ArrayLike, scores: ArrayLike, *, iou: float = 0.5) -> tuple[jax.Array, jax.Array]:
    """Indices of the boxes that survive non-maximum suppression, by descending score.

    Args:
        boxes (ArrayLike): shape `(n, 4)`, float32.
        scores (ArrayLike): shape `(n,)`, the dtype of `boxes`.
        iou (float): at least 0, at most 1. Default: 0.5.

    Returns:
        A tuple of

        - keep (jax.Array): shape `(n,)`, int64.
        - count (jax.Array): scalar, int64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    if type(iou) is not float:
        iou = _runtime.static("nms", "iou", iou, "float")
    try:
        return _nms(boxes, scores, iou)
    except (TypeError, ValueError, OverflowError):
        return _runtime.again(_KERNEL, _nms, boxes, scores, iou=iou)


@functools.partial(jax.jit, static_argnums=(2,))
def _nms(boxes, scores, iou):
    boxes, scores = _runtime.check(_KERNEL, boxes, scores, iou=iou)
    boxes, scores = _runtime.no_gradient("nms", boxes, scores)
    return _runtime.call(_KERNEL, boxes, scores, iou=iou)
