"""`geglu_bwd`: Gradient of `geglu`.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "geglu_bwd",
    size=32,
    fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("approximate", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "geglu_bwd",
    inputs=(
        Input("dy", shape(group("s")), folds=True),
        Input("gate", shape(group("s")), folds=True),
        Input("up", shape(group("s")), folds=True),
    ),
    results=(Result("dgate", shape(group("s"))), Result("dup", shape(group("s")))),
    attrs={"approximate": "str"},
    platforms=("cpu", "cuda"),
    split=("s",),
    linear=(("dy",),),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `geglu_bwd`."""

    dgate: TensorSpec  # T[*s]
    dup: TensorSpec  # T[*s]


def infer(
    dy: TensorSpec, gate: TensorSpec, up: TensorSpec, *, approximate: str = "none"
) -> Results:
    """Check a call of `geglu_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    approximate = check_attr(
        "geglu_bwd", "approximate", approximate, "str", choices=("none", "tanh")
    )
    # Dtypes.
    T = check_dtype("geglu_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("geglu_bwd", "gate", gate, (T,), like="dy")
    check_dtype("geglu_bwd", "up", up, (T,), like="dy")
    # Sizes.
    s = dy.shape
    check_rank("geglu_bwd", "gate", gate, "*s", exactly=len(s), of="s of dy")
    check_rank("geglu_bwd", "up", up, "*s", exactly=len(s), of="s of dy")
    check_shape("geglu_bwd", "gate", gate, s, "*s", s=("dy", s))
    check_shape("geglu_bwd", "up", up, s, "*s", s=("dy", s))
    return Results(dgate=TensorSpec(s, T), dup=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, approximate: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, approximate, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


geglu_bwd = CoreOp("geglu_bwd", FACTS, infer, pack, unpack, op_hash=0x936101FF8A61)
