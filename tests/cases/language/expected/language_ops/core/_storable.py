"""`storable`: A weight as `scaled` takes it.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank

DESCRIPTOR = Descriptor(
    "storable",
    size=32,
    fields=(("n", "i64", 0), ("mode", "i64", 8), ("T", "i64", 16), ("Q", "i64", 24)),
)

FACTS = OpFacts(
    "storable",
    inputs=(
        Input("weight", shape(dim("n"))),
        Input("scale", shape(), optional=True, number=("f32",)),
    ),
    results=(Result("stored", shape(dim("n"))),),
    attrs={"mode": "str"},
)


class Results(NamedTuple):
    """The results of `storable`."""

    stored: TensorSpec  # Q[n]


def infer(weight: TensorSpec, scale: TensorSpec | None = None, *, mode: str = "whole") -> Results:
    """Check a call of `storable` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    mode = check_attr("storable", "mode", mode, "str", choices=("whole", "int8"))
    # Dtypes.
    T = check_dtype("storable", "weight", weight, ("f32", "f64"))
    if scale is not None:
        check_dtype("storable", "scale", scale, ("f32",))
    Q = "i8" if mode == "int8" else "f8e4m3" if mode == "whole" and scale is not None else T
    # Sizes.
    check_rank("storable", "weight", weight, "n", exactly=1)
    n = weight.shape[0]
    if scale is not None:
        check_rank("storable", "scale", scale, "", exactly=0)
    return Results(stored=TensorSpec((n,), Q))


def pack(*, n: int, mode: int, T: int, Q: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, mode, T, Q)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


storable = CoreOp("storable", FACTS, infer, pack, unpack, op_hash=0x2DDD83A15C23)
