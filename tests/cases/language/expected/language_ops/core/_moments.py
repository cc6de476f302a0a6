"""`moments`: The mean of each row and, where asked for, its variance.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, require

DESCRIPTOR = Descriptor(
    "moments",
    size=32,
    fields=(("m", "i64", 0), ("n", "i64", 8), ("spread", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "moments",
    inputs=(Input("x", shape(dim("m"), dim("n"))),),
    results=(Result("mean", shape(dim("m"))), Result("variance", shape(dim("m")), optional=True)),
    attrs={"spread": "bool"},
    platforms=("cpu",),
    split=("m",),
)


class Results(NamedTuple):
    """The results of `moments`."""

    mean: TensorSpec  # T[m]
    variance: TensorSpec | None  # T[m]


def infer(x: TensorSpec, *, spread: bool = False) -> Results:
    """Check a call of `moments` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    spread = check_attr("moments", "spread", spread, "bool")
    # Dtypes.
    T = check_dtype("moments", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("moments", "x", x, "m n", exactly=2)
    m = x.shape[0]
    n = x.shape[1]
    # Requirements.
    require("moments", n > 0, "n > 0", "n of x", n=n)
    return Results(mean=TensorSpec((m,), T), variance=TensorSpec((m,), T) if spread else None)


def pack(*, m: int, n: int, spread: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, n, spread, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


moments = CoreOp("moments", FACTS, infer, pack, unpack, op_hash=0x9990AD3DCD36)
