"""`geglu`: `gelu(gate) * up`: GEGLU of two tensors.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "geglu",
    size=32,
    fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("approximate", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "geglu",
    inputs=(
        Input("gate", shape(group("s")), folds=True),
        Input("up", shape(group("s")), folds=True),
    ),
    results=(Result("y", shape(group("s"))),),
    attrs={"approximate": "str"},
    platforms=("cpu", "cuda"),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `geglu`."""

    y: TensorSpec  # T[*s]


def infer(gate: TensorSpec, up: TensorSpec, *, approximate: str = "none") -> Results:
    """Check a call of `geglu` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    approximate = check_attr("geglu", "approximate", approximate, "str", choices=("none", "tanh"))
    # Dtypes.
    T = check_dtype("geglu", "gate", gate, ("f32", "bf16", "f16", "f64"))
    check_dtype("geglu", "up", up, (T,), like="gate")
    # Sizes.
    s = gate.shape
    check_rank("geglu", "up", up, "*s", exactly=len(s), of="s of gate")
    check_shape("geglu", "up", up, s, "*s", s=("gate", s))
    return Results(y=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, approximate: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, approximate, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


geglu = CoreOp("geglu", FACTS, infer, pack, unpack, op_hash=0x16C3BE59A421)
