"""`layer_norm_bwd_apply`: The requested gradients of `layer_norm`, computed from the means of
its rows. A step of `layer_norm_bwd`.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_dtype, check_presence, check_wanted
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "layer_norm_bwd_apply",
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
    "layer_norm_bwd_apply",
    inputs=(
        Input("dy", shape(group("batch"), group("norm"))),
        Input("x", shape(group("batch"), group("norm"))),
        Input("mean", shape(group("batch"))),
        Input("rstd", shape(group("batch"))),
        Input("weight", shape(group("norm")), optional=True),
        Input("g_mean", shape(group("batch")), optional=True, asked_by=("dx",)),
        Input("gh_mean", shape(group("batch")), optional=True, asked_by=("dx",)),
    ),
    results=(
        Result("dx", shape(group("batch"), group("norm")), optional=True, on_request=True),
        Result(
            "dweight",
            shape(group("norm")),
            optional=True,
            on_request=True,
            reduce={"batch": Reduction("sum")},
        ),
        Result(
            "dbias",
            shape(group("norm")),
            optional=True,
            on_request=True,
            reduce={"batch": Reduction("sum")},
        ),
    ),
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm_bwd_apply`."""

    dx: TensorSpec | None  # T[*batch *norm]
    dweight: TensorSpec | None  # Acc[*norm]
    dbias: TensorSpec | None  # Acc[*norm]


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    mean: TensorSpec,
    rstd: TensorSpec,
    weight: TensorSpec | None = None,
    g_mean: TensorSpec | None = None,
    gh_mean: TensorSpec | None = None,
    *,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> Results:
    """Check a call of `layer_norm_bwd_apply` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    wanted = check_wanted("layer_norm_bwd_apply", wanted, ("dx", "dweight", "dbias"))
    # Presence and dtypes.
    W = None
    T = check_dtype("layer_norm_bwd_apply", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("layer_norm_bwd_apply", "x", x, (T,), like="dy")
    if weight is not None:
        W = check_dtype("layer_norm_bwd_apply", "weight", weight, ("f32", "bf16", "f16", "f64"))
    check_presence("layer_norm_bwd_apply", "g_mean", g_mean, "dx" in wanted, "present(dx)")
    check_presence("layer_norm_bwd_apply", "gh_mean", gh_mean, "dx" in wanted, "present(dx)")
    if W is None:
        W = "f32"
    Acc = accum(T)
    check_dtype("layer_norm_bwd_apply", "mean", mean, (Acc,), derived="accum(dy.dtype)")
    check_dtype("layer_norm_bwd_apply", "rstd", rstd, (Acc,), derived="accum(dy.dtype)")
    if g_mean is not None:
        check_dtype("layer_norm_bwd_apply", "g_mean", g_mean, (Acc,), derived="accum(dy.dtype)")
    if gh_mean is not None:
        check_dtype("layer_norm_bwd_apply", "gh_mean", gh_mean, (Acc,), derived="accum(dy.dtype)")
    # Sizes.
    norm: Any = None
    batch = mean.shape
    check_rank(
        "layer_norm_bwd_apply", "rstd", rstd, "*batch", exactly=len(batch), of="batch of mean"
    )
    if weight is not None:
        norm = weight.shape
    if g_mean is not None:
        check_rank(
            "layer_norm_bwd_apply",
            "g_mean",
            g_mean,
            "*batch",
            exactly=len(batch),
            of="batch of mean",
        )
    if gh_mean is not None:
        check_rank(
            "layer_norm_bwd_apply",
            "gh_mean",
            gh_mean,
            "*batch",
            exactly=len(batch),
            of="batch of mean",
        )
    if norm is not None:
        check_rank(
            "layer_norm_bwd_apply",
            "dy",
            dy,
            "*batch *norm",
            exactly=len(batch) + len(norm),
            of="batch of mean, norm of weight",
        )
    if norm is None:
        check_rank(
            "layer_norm_bwd_apply",
            "dy",
            dy,
            "*batch *norm",
            at_least=len(batch),
            of="batch of mean",
        )
        norm = dy.shape[len(batch) :]
    check_rank(
        "layer_norm_bwd_apply",
        "x",
        x,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of mean, norm of weight or dy",
    )
    check_shape(
        "layer_norm_bwd_apply",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight", norm),
    )
    check_shape(
        "layer_norm_bwd_apply",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight or dy", norm),
    )
    check_shape("layer_norm_bwd_apply", "rstd", rstd, batch, "*batch", batch=("mean", batch))
    if g_mean is not None:
        check_shape(
            "layer_norm_bwd_apply", "g_mean", g_mean, batch, "*batch", batch=("mean", batch)
        )
    if gh_mean is not None:
        check_shape(
            "layer_norm_bwd_apply", "gh_mean", gh_mean, batch, "*batch", batch=("mean", batch)
        )
    # Requirements.
    require(
        "layer_norm_bwd_apply",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight, T of dy",
        W=W,
        T=T,
    )
    return Results(
        dx=TensorSpec((*batch, *norm), T) if "dx" in wanted else None,
        dweight=TensorSpec(norm, Acc) if "dweight" in wanted else None,
        dbias=TensorSpec(norm, Acc) if "dbias" in wanted else None,
    )


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


layer_norm_bwd_apply = CoreOp(
    "layer_norm_bwd_apply", FACTS, infer, pack, unpack, op_hash=0x58D2221B3BC5
)
