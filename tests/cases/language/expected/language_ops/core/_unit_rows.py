"""`unit_rows`: The rows of `x` divided by their lengths, times `weight`.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "unit_rows",
    size=32,
    fields=(("batch", "i64", 0), ("batch_rank", "i64", 8), ("d", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "unit_rows",
    inputs=(
        Input("x", shape(group("batch"), dim("d")), folds=True),
        Input("weight", shape(dim("d"))),
    ),
    results=(
        Result("y", shape(group("batch"), dim("d"))),
        Result("length", shape(group("batch")), residual=True),
    ),
    platforms=("cpu",),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `unit_rows`, then the residuals for its backward."""

    y: TensorSpec  # T[*batch d]
    length: TensorSpec  # T[*batch]


def infer(x: TensorSpec, weight: TensorSpec) -> Results:
    """Check a call of `unit_rows` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("unit_rows", "x", x, ("f32", "f64"))
    check_dtype("unit_rows", "weight", weight, (T,), like="x")
    # Sizes.
    check_rank("unit_rows", "x", x, "*batch d", at_least=1)
    batch = x.shape[:-1]
    d = x.shape[-1]
    check_rank("unit_rows", "weight", weight, "d", exactly=1)
    check_shape("unit_rows", "weight", weight, (d,), "d", d=("x", d))
    return Results(y=TensorSpec((*batch, d), T), length=TensorSpec(batch, T))


def pack(*, batch: int, batch_rank: int, d: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


unit_rows = CoreOp("unit_rows", FACTS, infer, pack, unpack, op_hash=0x9383B06AE0C7)
