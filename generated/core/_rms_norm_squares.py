"""`rms_norm_squares`: The mean of the squares of each row of `x`: a part of `rms_norm`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from ._kinds import check_dtype
from ._runtime import CoreOp, Descriptor, TensorSpec, accum, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "rms_norm_squares",
    size=56,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("norm", "i64", 16),
        ("norm_rank", "i64", 24),
        ("T", "i64", 32),
        ("W", "i64", 40),
        ("Acc", "i64", 48),
    ),
)


class Results(NamedTuple):
    """What `rms_norm_squares` computes."""

    squares: TensorSpec  # Acc[*batch]


def infer(x: TensorSpec, weight: TensorSpec) -> Results:
    """Check a call of `rms_norm_squares` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("rms_norm_squares", "x", x, ("f32", "bf16", "f16", "f64"))
    W = check_dtype("rms_norm_squares", "weight", weight, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    # Sizes.
    norm = weight.shape
    check_rank("rms_norm_squares", "x", x, "*batch *norm", at_least=len(norm))
    batch = x.shape[: len(x.shape) - len(norm)]
    check_shape(
        "rms_norm_squares",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        norm=("weight", norm),
    )
    return Results(squares=TensorSpec(batch, Acc))


def pack(
    *, batch: int, batch_rank: int, norm: int, norm_rank: int, T: int, W: int, Acc: int
) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes go by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, norm, norm_rank, T, W, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """The fields of a packed descriptor, by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_norm_squares = CoreOp("rms_norm_squares", infer, pack, unpack)
