"""`rms_norm_bwd_apply`: The gradients of `rms_norm`, computed from the row means of the
products. A step of `rms_norm_bwd`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, promote

DESCRIPTOR = Descriptor(
    "rms_norm_bwd_apply",
    size=64,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("norm", "i64", 16),
        ("norm_rank", "i64", 24),
        ("T", "i64", 32),
        ("W", "i64", 40),
        ("Acc", "i64", 48),
        ("Sum", "i64", 56),
    ),
)

FACTS = OpFacts(
    "rms_norm_bwd_apply",
    inputs=(
        Input("dy", shape(group("batch"), group("norm"))),
        Input("invvar", shape(group("batch"))),
        Input("x", shape(group("batch"), group("norm"))),
        Input("weight", shape(group("norm"))),
        Input("products", shape(group("batch"))),
    ),
    results=(
        Result("dx", shape(group("batch"), group("norm"))),
        Result("dweight", shape(group("norm")), reduce={"batch": Reduction("sum")}),
    ),
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
)


class Results(NamedTuple):
    """The results of `rms_norm_bwd_apply`."""

    dx: TensorSpec  # T[*batch *norm]
    dweight: TensorSpec  # Sum[*norm]


def infer(
    dy: TensorSpec, invvar: TensorSpec, x: TensorSpec, weight: TensorSpec, products: TensorSpec
) -> Results:
    """Check a call of `rms_norm_bwd_apply` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    W = check_dtype("rms_norm_bwd_apply", "dy", dy, ("f32", "bf16", "f16", "f64"))
    T = check_dtype("rms_norm_bwd_apply", "x", x, ("f32", "bf16", "f16", "f64"))
    check_dtype("rms_norm_bwd_apply", "weight", weight, (W,), like="dy")
    Acc = accum(T)
    check_dtype("rms_norm_bwd_apply", "invvar", invvar, (Acc,), derived="accum(x.dtype)")
    Sum = accum(promote(T, W))
    check_dtype(
        "rms_norm_bwd_apply",
        "products",
        products,
        (Sum,),
        derived="accum(promote(x.dtype, dy.dtype))",
    )
    # Sizes.
    batch = invvar.shape
    check_rank(
        "rms_norm_bwd_apply", "x", x, "*batch *norm", at_least=len(batch), of="batch of invvar"
    )
    norm = x.shape[len(batch) :]
    check_rank(
        "rms_norm_bwd_apply",
        "weight",
        weight,
        "*norm",
        exactly=len(norm),
        of="norm of x, batch of invvar",
    )
    check_rank(
        "rms_norm_bwd_apply",
        "products",
        products,
        "*batch",
        exactly=len(batch),
        of="batch of invvar",
    )
    check_rank(
        "rms_norm_bwd_apply",
        "dy",
        dy,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of invvar, norm of x",
    )
    check_shape(
        "rms_norm_bwd_apply",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("invvar", batch),
        norm=("x", norm),
    )
    check_shape(
        "rms_norm_bwd_apply", "x", x, (*batch, *norm), "*batch *norm", batch=("invvar", batch)
    )
    check_shape("rms_norm_bwd_apply", "weight", weight, norm, "*norm", norm=("x", norm))
    check_shape(
        "rms_norm_bwd_apply", "products", products, batch, "*batch", batch=("invvar", batch)
    )
    return Results(dx=TensorSpec((*batch, *norm), T), dweight=TensorSpec(norm, Sum))


def pack(
    *, batch: int, batch_rank: int, norm: int, norm_rank: int, T: int, W: int, Acc: int, Sum: int
) -> bytes:
    """The 64 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, norm, norm_rank, T, W, Acc, Sum)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_norm_bwd_apply = CoreOp(
    "rms_norm_bwd_apply", FACTS, infer, pack, unpack, op_hash=0x9F24B09559F8
)
