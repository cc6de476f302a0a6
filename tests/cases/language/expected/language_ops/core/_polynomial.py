"""`polynomial`: The sum of `coefficients[i] * x**i`.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec

DESCRIPTOR = Descriptor(
    "polynomial",
    size=96,
    fields=(
        ("s", "i64", 0),
        ("s_rank", "i64", 8),
        ("coefficients", "f64[8]", 16),
        ("coefficients_rank", "i64", 80),
        ("T", "i64", 88),
    ),
)

FACTS = OpFacts(
    "polynomial",
    inputs=(Input("x", shape(group("s")), folds=True),),
    results=(Result("y", shape(group("s"))),),
    attrs={"coefficients": "float[]"},
    platforms=("cpu",),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `polynomial`."""

    y: TensorSpec  # T[*s]


def infer(x: TensorSpec, *, coefficients: Sequence[float]) -> Results:
    """Check a call of `polynomial` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    coefficients = check_attr("polynomial", "coefficients", coefficients, "float[]")
    # Dtypes.
    T = check_dtype("polynomial", "x", x, ("f32", "f64"))
    # Sizes.
    s = x.shape
    return Results(y=TensorSpec(s, T))


def pack(
    *, s: int, s_rank: int, coefficients: Sequence[float], coefficients_rank: int, T: int
) -> bytes:
    """The 96 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, coefficients, coefficients_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


polynomial = CoreOp("polynomial", FACTS, infer, pack, unpack, op_hash=0x0861674B79CF)
