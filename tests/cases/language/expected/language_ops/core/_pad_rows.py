"""`pad_rows`: `x`, in rows that begin at multiples of 64 bytes.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, bits, check_rank, require, roundup

DESCRIPTOR = Descriptor(
    "pad_rows",
    size=32,
    fields=(("m", "i64", 0), ("d", "i64", 8), ("y_pitch", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "pad_rows",
    inputs=(Input("x", shape(dim("m"), dim("d"))),),
    results=(Result("y", shape(dim("m"), dim("d"))),),
    platforms=("cpu",),
    split=("m", "d"),
)


class Results(NamedTuple):
    """The results of `pad_rows`."""

    y: TensorSpec  # T[m d]


def infer(x: TensorSpec) -> Results:
    """Check a call of `pad_rows` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("pad_rows", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("pad_rows", "x", x, "m d", exactly=2)
    m = x.shape[0]
    d = x.shape[1]
    # Requirements.
    require(
        "pad_rows",
        roundup(d, 512 // bits(T)) >= d,
        "a pitch of y of at least d",
        "d of x, T of x",
        d=d,
        T=T,
    )
    return Results(y=TensorSpec((m, d), T, pitch=roundup(d, 512 // bits(T))))


def pack(*, m: int, d: int, y_pitch: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, d, y_pitch, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


pad_rows = CoreOp("pad_rows", FACTS, infer, pack, unpack, op_hash=0x4AF7A418DFA1)
