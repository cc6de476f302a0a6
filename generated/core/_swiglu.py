"""`swiglu`: `silu(gate) * up`: SwiGLU of two tensors.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "swiglu", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "swiglu",
    inputs=(
        Input("gate", shape(group("s")), folds=True),
        Input("up", shape(group("s")), folds=True),
    ),
    results=(Result("y", shape(group("s"))),),
    platforms=("cpu", "cuda"),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `swiglu`."""

    y: TensorSpec  # T[*s]


def infer(gate: TensorSpec, up: TensorSpec) -> Results:
    """Check a call of `swiglu` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("swiglu", "gate", gate, ("f32", "bf16", "f16", "f64"))
    check_dtype("swiglu", "up", up, (T,), like="gate")
    # Sizes.
    s = gate.shape
    check_rank("swiglu", "up", up, "*s", exactly=len(s), of="s of gate")
    check_shape("swiglu", "up", up, s, "*s", s=("gate", s))
    return Results(y=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


swiglu = CoreOp("swiglu", FACTS, infer, pack, unpack, op_hash=0xAF2A03ABD8A6)
