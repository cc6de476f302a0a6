"""`linear`: `x` times the rows of a weight.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "linear",
    size=40,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("k", "i64", 16),
        ("n", "i64", 24),
        ("T", "i64", 32),
    ),
)

FACTS = OpFacts(
    "linear",
    inputs=(
        Input("x", shape(group("batch"), dim("k")), folds=True),
        Input("w_data", shape(dim("n"), dim("k"))),
        Input("w_scale", shape(dim("n"))),
        Input("w_zero", shape(dim("n")), optional=True),
    ),
    results=(Result("y", shape(group("batch"), dim("n"))),),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear`."""

    y: TensorSpec  # T[*batch n]


def infer(
    x: TensorSpec, w_data: TensorSpec, w_scale: TensorSpec, w_zero: TensorSpec | None = None
) -> Results:
    """Check a call of `linear` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("linear", "x", x, ("f32", "f64"))
    check_dtype("linear", "w_data", w_data, ("i8",))
    check_dtype("linear", "w_scale", w_scale, ("f32",))
    if w_zero is not None:
        check_dtype("linear", "w_zero", w_zero, ("f32",))
    # Sizes.
    check_rank("linear", "x", x, "*batch k", at_least=1)
    batch = x.shape[:-1]
    k = x.shape[-1]
    check_rank("linear", "w_data", w_data, "n k", exactly=2)
    n = w_data.shape[0]
    check_rank("linear", "w_scale", w_scale, "n", exactly=1)
    if w_zero is not None:
        check_rank("linear", "w_zero", w_zero, "n", exactly=1)
    check_shape("linear", "w_data", w_data, (n, k), "n k", k=("x", k))
    check_shape("linear", "w_scale", w_scale, (n,), "n", n=("w_data", n))
    if w_zero is not None:
        check_shape("linear", "w_zero", w_zero, (n,), "n", n=("w_data", n))
    return Results(y=TensorSpec((*batch, n), T))


def pack(*, batch: int, batch_rank: int, k: int, n: int, T: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, k, n, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear = CoreOp("linear", FACTS, infer, pack, unpack, op_hash=0x94D1106F279B)
