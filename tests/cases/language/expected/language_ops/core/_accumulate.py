"""`accumulate`: `total + x`; where asked for, `total` becomes that, too.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "accumulate",
    size=32,
    fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("in_place", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "accumulate",
    inputs=(
        Input("total", shape(group("s")), updated=lambda in_place, **_: in_place),
        Input("x", shape(group("s"))),
    ),
    results=(Result("sum", shape(group("s"))),),
    attrs={"in_place": "bool"},
    platforms=("cpu",),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `accumulate`."""

    sum: TensorSpec  # T[*s]


def infer(total: TensorSpec, x: TensorSpec, *, in_place: bool = False) -> Results:
    """Check a call of `accumulate` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    in_place = check_attr("accumulate", "in_place", in_place, "bool")
    # Dtypes.
    T = check_dtype("accumulate", "total", total, ("f32", "f64"))
    check_dtype("accumulate", "x", x, (T,), like="total")
    # Sizes.
    s = total.shape
    check_rank("accumulate", "x", x, "*s", exactly=len(s), of="s of total")
    check_shape("accumulate", "x", x, s, "*s", s=("total", s))
    return Results(sum=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, in_place: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, in_place, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


accumulate = CoreOp("accumulate", FACTS, infer, pack, unpack, op_hash=0x693BD32960AF)
