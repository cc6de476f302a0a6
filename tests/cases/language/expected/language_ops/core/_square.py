"""`square`: `x*x`, in memory as `x` is.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec

DESCRIPTOR = Descriptor(
    "square", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "square",
    inputs=(Input("x", shape(group("s")), folds=True),),
    results=(Result("y", shape(group("s"))),),
    platforms=("cpu",),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `square`."""

    y: TensorSpec  # T[*s]


def infer(x: TensorSpec) -> Results:
    """Check a call of `square` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("square", "x", x, ("f32", "f64"))
    # Sizes.
    s = x.shape
    return Results(y=TensorSpec(s, T, like="x"))


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


square = CoreOp("square", FACTS, infer, pack, unpack, op_hash=0xA2E7304D0098)
