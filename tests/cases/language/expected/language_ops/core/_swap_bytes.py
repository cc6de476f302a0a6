"""`swap_bytes`: The two bytes of each 16-bit number swapped: what was stored most significant
byte first.

Rendered by opgen from samples.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec

DESCRIPTOR = Descriptor("swap_bytes", size=8, fields=(("count", "i64", 0),))

FACTS = OpFacts(
    "swap_bytes",
    inputs=(Input("x", shape(group("s")), folds=True),),
    results=(Result("y", shape(group("s"))),),
    platforms=("cpu",),
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `swap_bytes`."""

    y: TensorSpec  # i16[*s]


def infer(x: TensorSpec) -> Results:
    """Check a call of `swap_bytes` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    check_dtype("swap_bytes", "x", x, ("i16",))
    # Sizes.
    s = x.shape
    return Results(y=TensorSpec(s, "i16"))


def pack(*, count: int) -> bytes:
    """The 8 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(count)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


swap_bytes = CoreOp("swap_bytes", FACTS, infer, pack, unpack, op_hash=0x6069F464351D)
