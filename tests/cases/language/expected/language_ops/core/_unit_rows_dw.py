"""`unit_rows_dw`: Gradient of `unit_rows` with respect to `weight`.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "unit_rows_dw",
    size=32,
    fields=(("batch", "i64", 0), ("batch_rank", "i64", 8), ("d", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "unit_rows_dw",
    inputs=(
        Input("dy", shape(group("batch"), dim("d"))),
        Input("x", shape(group("batch"), dim("d"))),
        Input("length", shape(group("batch"))),
    ),
    results=(Result("dweight", shape(dim("d")), reduce={"batch": Reduction("sum")}),),
    platforms=("cpu",),
    split=("batch",),
)


class Results(NamedTuple):
    """The results of `unit_rows_dw`."""

    dweight: TensorSpec  # T[d]


def infer(dy: TensorSpec, x: TensorSpec, length: TensorSpec) -> Results:
    """Check a call of `unit_rows_dw` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("unit_rows_dw", "dy", dy, ("f32", "f64"))
    check_dtype("unit_rows_dw", "x", x, (T,), like="dy")
    check_dtype("unit_rows_dw", "length", length, (T,), like="dy")
    # Sizes.
    check_rank("unit_rows_dw", "dy", dy, "*batch d", at_least=1)
    batch = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("unit_rows_dw", "x", x, "*batch d", exactly=len(batch) + 1, of="batch of dy")
    check_rank("unit_rows_dw", "length", length, "*batch", exactly=len(batch), of="batch of dy")
    check_shape("unit_rows_dw", "x", x, (*batch, d), "*batch d", batch=("dy", batch), d=("dy", d))
    check_shape("unit_rows_dw", "length", length, batch, "*batch", batch=("dy", batch))
    return Results(dweight=TensorSpec((d,), T))


def pack(*, batch: int, batch_rank: int, d: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


unit_rows_dw = CoreOp("unit_rows_dw", FACTS, infer, pack, unpack, op_hash=0x3A1694F7E637)
