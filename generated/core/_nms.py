"""`nms`: Indices of the boxes that survive non-maximum suppression, by descending score.

Rendered by opgen from nms.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, other, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor("nms", size=16, fields=(("n", "i64", 0), ("iou", "f64", 8)))

FACTS = OpFacts(
    "nms",
    inputs=(Input("boxes", shape(dim("n"), other("4"))), Input("scores", shape(dim("n")))),
    results=(Result("keep", shape(dim("n"))), Result("count", shape())),
    attrs={"iou": "float"},
    platforms=("cpu", "cuda"),
)


class Results(NamedTuple):
    """The results of `nms`."""

    keep: TensorSpec  # i64[n]
    count: TensorSpec  # type: ignore[assignment]  # i64[]


def infer(boxes: TensorSpec, scores: TensorSpec, *, iou: float = 0.5) -> Results:
    """Check a call of `nms` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    iou = check_attr("nms", "iou", iou, "float", low=0.0, high=1.0)
    # Dtypes.
    check_dtype("nms", "boxes", boxes, ("f32",))
    check_dtype("nms", "scores", scores, ("f32",))
    # Sizes.
    check_rank("nms", "boxes", boxes, "n 4", exactly=2)
    n = boxes.shape[0]
    check_rank("nms", "scores", scores, "n", exactly=1)
    check_shape("nms", "boxes", boxes, (n, 4), "n 4")
    check_shape("nms", "scores", scores, (n,), "n", n=("boxes", n))
    return Results(keep=TensorSpec((n,), "i64"), count=TensorSpec((), "i64"))


def pack(*, n: int, iou: float) -> bytes:
    """The 16 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, iou)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


nms = CoreOp("nms", FACTS, infer, pack, unpack, op_hash=0x0D5E15AD1E6B)
