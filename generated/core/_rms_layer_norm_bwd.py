"""`rms_layer_norm_bwd`: Gradient of `rms_layer_norm` with respect to `x` and `weight`.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    promote,
    require,
)

DESCRIPTOR = Descriptor(
    "rms_layer_norm_bwd",
    size=32,
    fields=(
        ("rows", "i64", 0),
        ("columns", "i64", 8),
        ("offset", "f64", 16),
        ("cast_first", "i64", 24),
    ),
)

FACTS = OpFacts(
    "rms_layer_norm_bwd",
    inputs=(
        Input("dy", shape(group("batch"), group("norm"))),
        Input("x", shape(group("batch"), group("norm"))),
        Input("rstd", shape(group("batch"))),
        Input("weight", shape(group("norm")), optional=True),
    ),
    results=(
        Result("dx", shape(group("batch"), group("norm"))),
        Result("dweight", shape(group("norm")), optional=True, reduce={"batch": Reduction("sum")}),
    ),
    attrs={"eps": "float", "offset": "float", "cast_first": "bool"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `rms_layer_norm_bwd`."""

    dx: TensorSpec  # T[*batch *norm]
    dweight: TensorSpec | None  # Acc[*norm]


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    rstd: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    eps: float,
    offset: float = 0.0,
    cast_first: bool = False,
) -> Results:
    """Check a call of `rms_layer_norm_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    eps = check_attr("rms_layer_norm_bwd", "eps", eps, "float", low=0.0)
    offset = check_attr("rms_layer_norm_bwd", "offset", offset, "float")
    cast_first = check_attr("rms_layer_norm_bwd", "cast_first", cast_first, "bool")
    # Dtypes.
    W = None
    T = check_dtype("rms_layer_norm_bwd", "x", x, ("f32", "bf16", "f16", "f64"))
    if weight is not None:
        W = check_dtype("rms_layer_norm_bwd", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if W is None:
        W = "f32"
    Acc = accum(T)
    check_dtype("rms_layer_norm_bwd", "rstd", rstd, (Acc,), derived="accum(x.dtype)")
    Y = promote(T, W) if cast_first and weight is not None else T
    check_dtype(
        "rms_layer_norm_bwd",
        "dy",
        dy,
        (Y,),
        derived="which follows from T of x, W of weight, cast_first",
    )
    # Sizes.
    norm: Any = None
    batch = rstd.shape
    if weight is not None:
        norm = weight.shape
    if norm is not None:
        check_rank(
            "rms_layer_norm_bwd",
            "dy",
            dy,
            "*batch *norm",
            exactly=len(batch) + len(norm),
            of="batch of rstd, norm of weight",
        )
    if norm is None:
        check_rank(
            "rms_layer_norm_bwd", "dy", dy, "*batch *norm", at_least=len(batch), of="batch of rstd"
        )
        norm = dy.shape[len(batch) :]
    check_rank(
        "rms_layer_norm_bwd",
        "x",
        x,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of rstd, norm of weight or dy",
    )
    check_shape(
        "rms_layer_norm_bwd",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("rstd", batch),
        norm=("weight", norm),
    )
    check_shape(
        "rms_layer_norm_bwd",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        batch=("rstd", batch),
        norm=("weight or dy", norm),
    )
    # Requirements.
    require(
        "rms_layer_norm_bwd",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight, T of x",
        W=W,
        T=T,
    )
    return Results(
        dx=TensorSpec((*batch, *norm), T),
        dweight=TensorSpec(norm, Acc) if weight is not None else None,
    )


def pack(*, rows: int, columns: int, offset: float, cast_first: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(rows, columns, offset, cast_first)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_layer_norm_bwd = CoreOp(
    "rms_layer_norm_bwd", FACTS, infer, pack, unpack, op_hash=0xAF12313D2C53
)
