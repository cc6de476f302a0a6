"""`quantize_fp8`: Quantises `x` to fp8, with one scale for each block of columns in each row.

Rendered by opgen from quantize_fp8.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, product, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape, solve

DESCRIPTOR = Descriptor(
    "quantize_fp8",
    size=56,
    fields=(
        ("m", "i64", 0),
        ("kb", "i64", 8),
        ("block", "i64", 16),
        ("out_dtype", "i64", 24),
        ("column_major", "i64", 32),
        ("floor", "f64", 40),
        ("T", "i64", 48),
    ),
)

FACTS = OpFacts(
    "quantize_fp8",
    inputs=(Input("x", shape(dim("m"), product("kb", "block"))),),
    results=(
        Result("q", shape(dim("m"), product("kb", "block"))),
        Result("scale", shape(dim("m"), dim("kb"))),
    ),
    attrs={"out_dtype": "dtype", "block": "int", "column_major": "bool", "floor": "float"},
    platforms=("cpu", "cuda"),
    split=("m", "kb"),
)


class Results(NamedTuple):
    """The results of `quantize_fp8`."""

    q: TensorSpec  # out_dtype[m kb*block]
    scale: TensorSpec  # f32[m kb]


def infer(
    x: TensorSpec,
    *,
    out_dtype: str = "f8e4m3",
    block: int = 128,
    column_major: bool = False,
    floor: float = 1e-10,
) -> Results:
    """Check a call of `quantize_fp8` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    out_dtype = check_attr(
        "quantize_fp8", "out_dtype", out_dtype, "dtype", choices=("f8e4m3", "f8e5m2")
    )
    block = check_attr("quantize_fp8", "block", block, "int", choices=(64, 128))
    column_major = check_attr("quantize_fp8", "column_major", column_major, "bool")
    floor = check_attr("quantize_fp8", "floor", floor, "float")
    # Dtypes.
    T = check_dtype("quantize_fp8", "x", x, ("bf16", "f16", "f32"))
    # Sizes.
    check_rank("quantize_fp8", "x", x, "m kb*block", exactly=2)
    m = x.shape[0]
    kb = solve("quantize_fp8", "x", "kb * block", "kb", x.shape[1], block, 0)
    check_shape("quantize_fp8", "x", x, (m, kb * block), "m kb*block", block=("", block))
    return Results(
        q=TensorSpec((m, kb * block), out_dtype),
        scale=TensorSpec((m, kb), "f32", (1, 0) if column_major else None),
    )


def pack(
    *, m: int, kb: int, block: int, out_dtype: int, column_major: int, floor: float, T: int
) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, kb, block, out_dtype, column_major, floor, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


quantize_fp8 = CoreOp("quantize_fp8", FACTS, infer, pack, unpack, op_hash=0x471E2D5A4D18)
