"""`layer_norm_variance`: The mean of the squares of `x - mean` in each row. A step of
`layer_norm`.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "layer_norm_variance",
    size=104,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("normalized_shape", "i64[8]", 16),
        ("normalized_shape_rank", "i64", 80),
        ("T", "i64", 88),
        ("Acc", "i64", 96),
    ),
)

FACTS = OpFacts(
    "layer_norm_variance",
    inputs=(
        Input("x", shape(group("batch"), group("normalized_shape")), folds=True),
        Input("mean", shape(group("batch")), folds=True),
    ),
    results=(
        Result("variance", shape(group("batch")), reduce={"normalized_shape": Reduction("mean")}),
    ),
    attrs={"normalized_shape": "int[]"},
    platforms=("cpu", "cuda"),
    split=("batch", "normalized_shape"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm_variance`."""

    variance: TensorSpec  # Acc[*batch]


def infer(x: TensorSpec, mean: TensorSpec, *, normalized_shape: Sequence[int]) -> Results:
    """Check a call of `layer_norm_variance` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    normalized_shape = check_attr(
        "layer_norm_variance", "normalized_shape", normalized_shape, "int[]"
    )
    # Dtypes.
    T = check_dtype("layer_norm_variance", "x", x, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    check_dtype("layer_norm_variance", "mean", mean, (Acc,), derived="accum(x.dtype)")
    # Sizes.
    check_rank(
        "layer_norm_variance", "x", x, "*batch *normalized_shape", at_least=len(normalized_shape)
    )
    batch = x.shape[: len(x.shape) - len(normalized_shape)]
    check_rank("layer_norm_variance", "mean", mean, "*batch", exactly=len(batch), of="batch of x")
    check_shape(
        "layer_norm_variance",
        "x",
        x,
        (*batch, *normalized_shape),
        "*batch *normalized_shape",
        normalized_shape=("", normalized_shape),
    )
    check_shape("layer_norm_variance", "mean", mean, batch, "*batch", batch=("x", batch))
    return Results(variance=TensorSpec(batch, Acc))


def pack(
    *,
    batch: int,
    batch_rank: int,
    normalized_shape: Sequence[int],
    normalized_shape_rank: int,
    T: int,
    Acc: int,
) -> bytes:
    """The 104 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, normalized_shape, normalized_shape_rank, T, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


layer_norm_variance = CoreOp(
    "layer_norm_variance", FACTS, infer, pack, unpack, op_hash=0x102E13954E27
)
