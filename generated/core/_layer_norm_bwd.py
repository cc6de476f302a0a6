"""`layer_norm_bwd`: Gradient of `layer_norm`. Only the requested gradients are computed.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_wanted
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "layer_norm_bwd",
    size=64,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("norm", "i64", 16),
        ("norm_rank", "i64", 24),
        ("eps", "f64", 32),
        ("T", "i64", 40),
        ("W", "i64", 48),
        ("Acc", "i64", 56),
    ),
)

FACTS = OpFacts(
    "layer_norm_bwd",
    inputs=(
        Input("dy", shape(group("batch"), group("norm"))),
        Input("x", shape(group("batch"), group("norm"))),
        Input("mean", shape(group("batch"))),
        Input("rstd", shape(group("batch"))),
        Input("weight", shape(group("norm")), optional=True),
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
    attrs={"eps": "float"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    stages={"norm": ("layer_norm_bwd_means", "layer_norm_bwd_apply")},
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm_bwd`."""

    dx: TensorSpec | None  # T[*batch *norm]
    dweight: TensorSpec | None  # Acc[*norm]
    dbias: TensorSpec | None  # Acc[*norm]


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    mean: TensorSpec,
    rstd: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    eps: float,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> Results:
    """Check a call of `layer_norm_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    eps = check_attr("layer_norm_bwd", "eps", eps, "float", low=0.0)
    wanted = check_wanted("layer_norm_bwd", wanted, ("dx", "dweight", "dbias"))
    # Dtypes.
    W = None
    T = check_dtype("layer_norm_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("layer_norm_bwd", "x", x, (T,), like="dy")
    if weight is not None:
        W = check_dtype("layer_norm_bwd", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if W is None:
        W = "f32"
    Acc = accum(T)
    check_dtype("layer_norm_bwd", "mean", mean, (Acc,), derived="accum(dy.dtype)")
    check_dtype("layer_norm_bwd", "rstd", rstd, (Acc,), derived="accum(dy.dtype)")
    # Sizes.
    norm: Any = None
    batch = mean.shape
    check_rank("layer_norm_bwd", "rstd", rstd, "*batch", exactly=len(batch), of="batch of mean")
    if weight is not None:
        norm = weight.shape
    if norm is not None:
        check_rank(
            "layer_norm_bwd",
            "dy",
            dy,
            "*batch *norm",
            exactly=len(batch) + len(norm),
            of="batch of mean, norm of weight",
        )
    if norm is None:
        check_rank(
            "layer_norm_bwd", "dy", dy, "*batch *norm", at_least=len(batch), of="batch of mean"
        )
        norm = dy.shape[len(batch) :]
    check_rank(
        "layer_norm_bwd",
        "x",
        x,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of mean, norm of weight or dy",
    )
    check_shape(
        "layer_norm_bwd",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight", norm),
    )
    check_shape(
        "layer_norm_bwd",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        batch=("mean", batch),
        norm=("weight or dy", norm),
    )
    check_shape("layer_norm_bwd", "rstd", rstd, batch, "*batch", batch=("mean", batch))
    # Requirements.
    require(
        "layer_norm_bwd",
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
    *, batch: int, batch_rank: int, norm: int, norm_rank: int, eps: float, T: int, W: int, Acc: int
) -> bytes:
    """The 64 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, norm, norm_rank, eps, T, W, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


layer_norm_bwd = CoreOp("layer_norm_bwd", FACTS, infer, pack, unpack, op_hash=0x97ED135A1DBA)
