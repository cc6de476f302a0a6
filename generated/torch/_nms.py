"""`nms` for PyTorch.

Rendered by opgen from nms.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("nms", rule=("op nms -> keep count", "refuse boxes scores"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def nms(boxes: Tensor, scores: Tensor, *, iou: float = 0.5) -> tuple[Tensor, Tensor]:
    """Indices of the boxes that survive non-maximum suppression, by descending score.

    Args:
        boxes (Tensor): shape `(n, 4)`, float32.
        scores (Tensor): shape `(n,)`, the dtype of `boxes`.
        iou (float): at least 0, at most 1. Default: 0.5.

    Returns:
        A tuple of

        - keep (Tensor): shape `(n,)`, int64.
        - count (Tensor): scalar, int64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        keep, count = (_traced if is_dynamo_compiling() else _eager)(boxes, scores, iou)
        return _runtime.filled(keep, count), count
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("nms", error, boxes, scores, iou) from None
