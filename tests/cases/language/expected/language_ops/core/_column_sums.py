"""`column_sums`: The sum of each column of `x`.

Rendered by opgen from columns.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank

DESCRIPTOR = Descriptor(
    "column_sums", size=24, fields=(("n", "i64", 0), ("d", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "column_sums",
    inputs=(Input("x", shape(dim("n"), dim("d"))),),
    results=(Result("sums", shape(dim("d")), reduce={"n": Reduction("sum")}),),
    split=("n", "d"),
)


class Results(NamedTuple):
    """The results of `column_sums`."""

    sums: TensorSpec  # T[d]


def infer(x: TensorSpec) -> Results:
    """Check a call of `column_sums` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("column_sums", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("column_sums", "x", x, "n d", exactly=2)
    n = x.shape[0]
    d = x.shape[1]
    return Results(sums=TensorSpec((d,), T))


def pack(*, n: int, d: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


column_sums = CoreOp("column_sums", FACTS, infer, pack, unpack, op_hash=0x10D82C55C73F)
