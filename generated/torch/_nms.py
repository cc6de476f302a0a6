"""`nms` for PyTorch.

Rendered by opgen from nms.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_op = _runtime.register("nms", rule=("op nms -> keep count", "refuse boxes scores"))
_runtime.shard(
    _op,
    split=(),
    inputs={"boxes": "n 4", "scores": "n"},
    results={"keep": "n", "count": ""},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def nms(boxes: Tensor, scores: Tensor, *, iou: float = 0.5) -> tuple[Tensor, Tensor]:
    """Indices of the boxes that survive non-maximum suppression, by descending score.

    boxes: f32[n 4].
    scores: f32[n].
    iou: float, at least 0, at most 1.
    Returns keep: i64[n], count: i64[].

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        keep, count = (_traced if is_dynamo_compiling() else _eager)(boxes, scores, iou)
        return keep[: int(count)], count
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("nms", error, boxes, scores, iou) from None
