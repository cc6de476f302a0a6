"""`scaled`: `x` times a weight, however that is stored.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "scaled",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("n", "i64", 16),
        ("mode", "i64", 24),
        ("T", "i64", 32),
        ("Q", "i64", 40),
    ),
)

FACTS = OpFacts(
    "scaled",
    inputs=(
        Input("x", shape(group("batch"), dim("n")), folds=True),
        Input("weight", shape(dim("n"))),
        Input("scale", shape(), optional=True, number=("f32",)),
    ),
    results=(Result("y", shape(group("batch"), dim("n"))),),
    attrs={"mode": "str"},
    split=("batch",),
    linear=(("x",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `scaled`."""

    y: TensorSpec  # T[*batch n]


def infer(
    x: TensorSpec, weight: TensorSpec, scale: TensorSpec | None = None, *, mode: str = "whole"
) -> Results:
    """Check a call of `scaled` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    mode = check_attr("scaled", "mode", mode, "str", choices=("whole", "int8"))
    # Dtypes.
    T = check_dtype("scaled", "x", x, ("f32", "f64"))
    if scale is not None:
        check_dtype("scaled", "scale", scale, ("f32",))
    Q = "i8" if mode == "int8" else "f8e4m3" if mode == "whole" and scale is not None else T
    check_dtype("scaled", "weight", weight, (Q,), derived="which follows from T of x, mode")
    # Sizes.
    check_rank("scaled", "x", x, "*batch n", at_least=1)
    batch = x.shape[:-1]
    n = x.shape[-1]
    check_rank("scaled", "weight", weight, "n", exactly=1)
    if scale is not None:
        check_rank("scaled", "scale", scale, "", exactly=0)
    check_shape("scaled", "weight", weight, (n,), "n", n=("x", n))
    return Results(y=TensorSpec((*batch, n), T))


def pack(*, batch: int, batch_rank: int, n: int, mode: int, T: int, Q: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, n, mode, T, Q)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


scaled = CoreOp("scaled", FACTS, infer, pack, unpack, op_hash=0x5CBBD62FD9D6)
