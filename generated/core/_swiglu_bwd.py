"""`swiglu_bwd`: Gradient of `swiglu`.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "swiglu_bwd", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "swiglu_bwd",
    inputs=(
        Input("dy", shape(group("s")), folds=True),
        Input("gate", shape(group("s")), folds=True),
        Input("up", shape(group("s")), folds=True),
    ),
    results=(Result("dgate", shape(group("s"))), Result("dup", shape(group("s")))),
    platforms=("cpu", "cuda"),
    split=("s",),
    linear=(("dy",),),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `swiglu_bwd`."""

    dgate: TensorSpec  # T[*s]
    dup: TensorSpec  # T[*s]


def infer(dy: TensorSpec, gate: TensorSpec, up: TensorSpec) -> Results:
    """Check a call of `swiglu_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("swiglu_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("swiglu_bwd", "gate", gate, (T,), like="dy")
    check_dtype("swiglu_bwd", "up", up, (T,), like="dy")
    # Sizes.
    s = dy.shape
    check_rank("swiglu_bwd", "gate", gate, "*s", exactly=len(s), of="s of dy")
    check_rank("swiglu_bwd", "up", up, "*s", exactly=len(s), of="s of dy")
    check_shape("swiglu_bwd", "gate", gate, s, "*s", s=("dy", s))
    check_shape("swiglu_bwd", "up", up, s, "*s", s=("dy", s))
    return Results(dgate=TensorSpec(s, T), dup=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


swiglu_bwd = CoreOp("swiglu_bwd", FACTS, infer, pack, unpack, op_hash=0x639E659B9C7F)
