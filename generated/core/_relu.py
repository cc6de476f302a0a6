"""`relu`: Elementwise `max(x, 0)`; a NaN stays one.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, Descriptor, TensorSpec

DESCRIPTOR = Descriptor(
    "relu", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "relu",
    inputs=(Input("x", shape(group("s")), folds=True),),
    results=(Result("y", shape(group("s"))),),
    platforms=("cpu", "cuda", "neuron"),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """What `relu` computes."""

    y: TensorSpec  # T[*s]


def infer(x: TensorSpec) -> Results:
    """Check a call of `relu` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("relu", "x", x, ("f32", "bf16", "f16", "f64", "i8"))
    # Sizes.
    s = x.shape
    return Results(y=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """The fields of a packed descriptor, by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


relu = CoreOp("relu", FACTS, infer, pack, unpack, op_hash=0xD68F1103D541)
