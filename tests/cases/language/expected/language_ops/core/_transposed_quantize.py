"""`transposed_quantize`: The transpose of a matrix in 8 bits, a scale for each of its rows.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank

DESCRIPTOR = Descriptor(
    "transposed_quantize", size=24, fields=(("m", "i64", 0), ("k", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "transposed_quantize",
    inputs=(Input("x", shape(dim("m"), dim("k"))),),
    results=(Result("q_data", shape(dim("k"), dim("m"))), Result("q_scale", shape(dim("k")))),
)


class Results(NamedTuple):
    """The results of `transposed_quantize`."""

    q_data: TensorSpec  # i8[k m]
    q_scale: TensorSpec  # f32[k]


def infer(x: TensorSpec) -> Results:
    """Check a call of `transposed_quantize` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("transposed_quantize", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("transposed_quantize", "x", x, "m k", exactly=2)
    m = x.shape[0]
    k = x.shape[1]
    return Results(q_data=TensorSpec((k, m), "i8"), q_scale=TensorSpec((k,), "f32"))


def pack(*, m: int, k: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, k, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


transposed_quantize = CoreOp(
    "transposed_quantize", FACTS, infer, pack, unpack, op_hash=0xC8B06D443092
)
