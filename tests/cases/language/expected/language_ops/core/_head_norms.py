"""`head_norms`: The norm of each head's vector, of heads that lie side by side in rows of any
distance.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank

DESCRIPTOR = Descriptor(
    "head_norms",
    size=56,
    fields=(
        ("t", "i64", 0),
        ("h", "i64", 8),
        ("d", "i64", 16),
        ("x_stride_t", "i64", 24),
        ("x_stride_h", "i64", 32),
        ("x_stride_d", "i64", 40),
        ("T", "i64", 48),
    ),
)

FACTS = OpFacts(
    "head_norms",
    inputs=(Input("x", shape(dim("t"), dim("h"), dim("d")), order=("h", "d")),),
    results=(Result("norms", shape(dim("t"), dim("h"))),),
    platforms=("cpu",),
    split=("t", "h"),
)


class Results(NamedTuple):
    """The results of `head_norms`."""

    norms: TensorSpec  # T[t h]


def infer(x: TensorSpec) -> Results:
    """Check a call of `head_norms` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("head_norms", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("head_norms", "x", x, "t h d", exactly=3)
    t = x.shape[0]
    h = x.shape[1]
    d = x.shape[2]
    return Results(norms=TensorSpec((t, h), T, (1, 0)))


def pack(
    *, t: int, h: int, d: int, x_stride_t: int, x_stride_h: int, x_stride_d: int, T: int
) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, h, d, x_stride_t, x_stride_h, x_stride_d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


head_norms = CoreOp("head_norms", FACTS, infer, pack, unpack, op_hash=0x6D2D1E6EBDD9)
