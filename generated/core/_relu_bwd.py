"""`relu_bwd`: Gradient of `relu`: 0 where `y <= 0`, else `dy`, at NaN too.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, Descriptor, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "relu_bwd", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("F", "i64", 16))
)

FACTS = OpFacts(
    "relu_bwd",
    inputs=(Input("dy", shape(group("s")), folds=True), Input("y", shape(group("s")), folds=True)),
    results=(Result("dx", shape(group("s"))),),
    platforms=("cpu", "cuda", "neuron"),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """What `relu_bwd` computes."""

    dx: TensorSpec  # F[*s]


def infer(dy: TensorSpec, y: TensorSpec) -> Results:
    """Check a call of `relu_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    F = check_dtype("relu_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("relu_bwd", "y", y, (F,), like="dy")
    # Sizes.
    s = dy.shape
    check_rank("relu_bwd", "y", y, "*s", exactly=len(s), of="s of dy")
    check_shape("relu_bwd", "y", y, s, "*s", s=("dy", s))
    return Results(dx=TensorSpec(s, F))


def pack(*, s: int, s_rank: int, F: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, F)


def unpack(data: bytes) -> dict[str, object]:
    """The fields of a packed descriptor, by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


relu_bwd = CoreOp("relu_bwd", FACTS, infer, pack, unpack, op_hash=0xCFD64ED0BC8A)
