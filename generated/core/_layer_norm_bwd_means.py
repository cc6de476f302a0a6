"""`layer_norm_bwd_means`: The means of `g = dy * weight` and of `g * (x - mean) * rstd` in each
row. A step of `layer_norm_bwd`.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "layer_norm_bwd_means",
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

FACTS = OpFacts(
    "layer_norm_bwd_means",
    inputs=(
        Input("dy", shape(group("batch"), group("norm")), folds=True),
        Input("x", shape(group("batch"), group("norm")), folds=True),
        Input("mean", shape(group("batch")), folds=True),
        Input("rstd", shape(group("batch")), folds=True),
        Input("weight", shape(group("norm")), optional=True),
    ),
    results=(
        Result("g_mean", shape(group("batch")), reduce={"norm": Reduction("mean")}),
        Result("gh_mean", shape(group("batch")), reduce={"norm": Reduction("mean")}),
    ),
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm_bwd_means`."""

    g_mean: TensorSpec  # Acc[*batch]
    gh_mean: TensorSpec  # Acc[*batch]


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    mean: TensorSpec,
    rstd: TensorSpec,
    weight: TensorSpec | None = None,
) -> Results:
    """Check a call of `layer_norm_bwd_means` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    W = None
    T = check_dtype("layer_norm_bwd_means", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("layer_norm_bwd_means", "x", x, (T,), like="dy")
    if weight is not None:
        W = check_dtype("layer_norm_bwd_means", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if W is None:
        W = "f32"
    Acc = accum(T)
    check_dtype("layer_norm_bwd_means", "mean", mean, (Acc,), derived="accum(dy.dtype)")
    check_dtype("layer_norm_bwd_means", "rstd", rstd, (Acc,), derived="accum(dy.dtype)")
    # Sizes.
    norm: Any = None
    batch = mean.shape
    check_rank(
        "layer_norm_bwd_means", "rstd", rstd, "*batch", exactly=len(batch), of="batch of mean"
    )
    if weight is not None:
        norm = weight.shape
    if norm is not None:
        check_rank(
            "layer_norm_bwd_means",
            "dy",
            dy,
            "*batch *norm",
            exactly=len(batch) + len(norm),
            of="batch of mean, norm of weight",
        )
    if norm is None:
        check_rank(
            "layer_norm_bwd_means",
            "dy",
            dy,
            "*batch *norm",
            at_least=len(batch),
            of="batch of mean",
        )
        norm = dy.shape[len(batch) :]
    check_rank(
        "layer_norm_bwd_means",
        "x",
        x,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of mean, norm of weight or dy",
    )
    check_shape(
        "layer_norm_bwd_means",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight", norm),
    )
    check_shape(
        "layer_norm_bwd_means",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight or dy", norm),
    )
    check_shape("layer_norm_bwd_means", "rstd", rstd, batch, "*batch", batch=("mean", batch))
    # Requirements.
    require(
        "layer_norm_bwd_means",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight, T of dy",
        W=W,
        T=T,
    )
    return Results(g_mean=TensorSpec(batch, Acc), gh_mean=TensorSpec(batch, Acc))


def pack(
    *, batch: int, batch_rank: int, norm: int, norm_rank: int, T: int, W: int, Acc: int
) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, norm, norm_rank, T, W, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


layer_norm_bwd_means = CoreOp(
    "layer_norm_bwd_means", FACTS, infer, pack, unpack, op_hash=0xC389DA085D9A
)
