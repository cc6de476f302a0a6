"""`unit_rows_dx`: Gradient of `unit_rows` with respect to `x`.

Rendered by opgen from rows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "unit_rows_dx",
    size=32,
    fields=(("batch", "i64", 0), ("batch_rank", "i64", 8), ("d", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "unit_rows_dx",
    inputs=(
        Input("dy", shape(group("batch"), dim("d")), folds=True),
        Input("x", shape(group("batch"), dim("d")), folds=True),
        Input("weight", shape(dim("d"))),
        Input("length", shape(group("batch")), folds=True),
    ),
    results=(Result("dx", shape(group("batch"), dim("d"))),),
    platforms=("cpu",),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `unit_rows_dx`."""

    dx: TensorSpec  # T[*batch d]


def infer(dy: TensorSpec, x: TensorSpec, weight: TensorSpec, length: TensorSpec) -> Results:
    """Check a call of `unit_rows_dx` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("unit_rows_dx", "dy", dy, ("f32", "f64"))
    check_dtype("unit_rows_dx", "x", x, (T,), like="dy")
    check_dtype("unit_rows_dx", "weight", weight, (T,), like="dy")
    check_dtype("unit_rows_dx", "length", length, (T,), like="dy")
    # Sizes.
    check_rank("unit_rows_dx", "dy", dy, "*batch d", at_least=1)
    batch = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("unit_rows_dx", "x", x, "*batch d", exactly=len(batch) + 1, of="batch of dy")
    check_rank("unit_rows_dx", "weight", weight, "d", exactly=1)
    check_rank("unit_rows_dx", "length", length, "*batch", exactly=len(batch), of="batch of dy")
    check_shape("unit_rows_dx", "x", x, (*batch, d), "*batch d", batch=("dy", batch), d=("dy", d))
    check_shape("unit_rows_dx", "weight", weight, (d,), "d", d=("dy", d))
    check_shape("unit_rows_dx", "length", length, batch, "*batch", batch=("dy", batch))
    return Results(dx=TensorSpec((*batch, d), T))


def pack(*, batch: int, batch_rank: int, d: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


unit_rows_dx = CoreOp("unit_rows_dx", FACTS, infer, pack, unpack, op_hash=0x3D8400D2E750)
