"""`rms_norm_squares`: The mean of the squares of each row of `x`. A step of `rms_norm`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "rms_norm_squares", size=16, fields=(("rows", "i64", 0), ("columns", "i64", 8))
)

FACTS = OpFacts(
    "rms_norm_squares",
    inputs=(Input("x", shape(group("batch"), group("norm")), folds=True),),
    results=(Result("squares", shape(group("batch")), reduce={"norm": Reduction("mean")}),),
    attrs={"norm": "int[]"},
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `rms_norm_squares`."""

    squares: TensorSpec  # Acc[*batch]


def infer(x: TensorSpec, *, norm: Sequence[int]) -> Results:
    """Check a call of `rms_norm_squares` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    norm = check_attr("rms_norm_squares", "norm", norm, "int[]")
    # Dtypes.
    T = check_dtype("rms_norm_squares", "x", x, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    # Sizes.
    check_rank("rms_norm_squares", "x", x, "*batch *norm", at_least=len(norm))
    batch = x.shape[: len(x.shape) - len(norm)]
    check_shape("rms_norm_squares", "x", x, (*batch, *norm), "*batch *norm", norm=("", norm))
    return Results(squares=TensorSpec(batch, Acc))


def pack(*, rows: int, columns: int) -> bytes:
    """The 16 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(rows, columns)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_norm_squares = CoreOp("rms_norm_squares", FACTS, infer, pack, unpack, op_hash=0xE17B3B94C4A9)
