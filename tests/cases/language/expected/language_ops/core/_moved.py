"""`moved`: `x + by`, or `x`.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "moved", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "moved",
    inputs=(
        Input("x", shape(group("s")), folds=True),
        Input("by", shape(group("s")), optional=True, wide="i64", folds=True),
    ),
    results=(Result("y", shape(group("s"))),),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `moved`."""

    y: TensorSpec  # T[*s]


def infer(x: TensorSpec, by: TensorSpec | None = None) -> Results:
    """Check a call of `moved` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("moved", "x", x, ("f32", "f64"))
    if by is not None:
        check_dtype("moved", "by", by, ("i64",))
    # Sizes.
    s = x.shape
    if by is not None:
        check_rank("moved", "by", by, "*s", exactly=len(s), of="s of x")
        check_shape("moved", "by", by, s, "*s", s=("x", s))
    return Results(y=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


moved = CoreOp("moved", FACTS, infer, pack, unpack, op_hash=0xF2FFD683E8FD)
