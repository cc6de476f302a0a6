"""`rms_norm_bwd`: Gradient of `rms_norm` with respect to `x` and `weight`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, check_shape, promote

DESCRIPTOR = Descriptor(
    "rms_norm_bwd",
    size=32,
    fields=(
        ("n1", "i32", 0),
        ("n2", "i32", 4),
        ("eps", "f64", 8),
        ("x_type", "dtype", 16),
        ("w_type", "dtype", 20),
        ("part_grad_size", "i32", 24),
    ),
)

FACTS = OpFacts(
    "rms_norm_bwd",
    inputs=(
        Input("dy", shape(group("batch"), group("norm"))),
        Input("invvar", shape(group("batch"))),
        Input("x", shape(group("batch"), group("norm"))),
        Input("weight", shape(group("norm"))),
    ),
    results=(
        Result("dx", shape(group("batch"), group("norm"))),
        Result("dweight", shape(group("norm")), reduce={"batch": Reduction("sum")}),
    ),
    attrs={"eps": "float"},
    split=("batch",),
    linear=(("dy",),),
)


class Results(NamedTuple):
    """The results of `rms_norm_bwd`."""

    dx: TensorSpec  # T[*batch *norm]
    dweight: TensorSpec  # Sum[*norm]


def infer(
    dy: TensorSpec, invvar: TensorSpec, x: TensorSpec, weight: TensorSpec, *, eps: float = 1e-05
) -> Results:
    """Check a call of `rms_norm_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    eps = check_attr("rms_norm_bwd", "eps", eps, "float", low=0.0)
    # Dtypes.
    W = check_dtype("rms_norm_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    T = check_dtype("rms_norm_bwd", "x", x, ("f32", "bf16", "f16", "f64"))
    check_dtype("rms_norm_bwd", "weight", weight, (W,), like="dy")
    Acc = accum(T)
    check_dtype("rms_norm_bwd", "invvar", invvar, (Acc,), derived="accum(x.dtype)")
    Sum = accum(promote(T, W))
    # Sizes.
    batch = invvar.shape
    check_rank("rms_norm_bwd", "x", x, "*batch *norm", at_least=len(batch), of="batch of invvar")
    norm = x.shape[len(batch) :]
    check_rank(
        "rms_norm_bwd",
        "weight",
        weight,
        "*norm",
        exactly=len(norm),
        of="norm of x, batch of invvar",
    )
    check_rank(
        "rms_norm_bwd",
        "dy",
        dy,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of invvar, norm of x",
    )
    check_shape(
        "rms_norm_bwd",
        "dy",
        dy,
        (*batch, *norm),
        "*batch *norm",
        batch=("invvar", batch),
        norm=("x", norm),
    )
    check_shape("rms_norm_bwd", "x", x, (*batch, *norm), "*batch *norm", batch=("invvar", batch))
    check_shape("rms_norm_bwd", "weight", weight, norm, "*norm", norm=("x", norm))
    return Results(dx=TensorSpec((*batch, *norm), T), dweight=TensorSpec(norm, Sum))


def pack(
    *, n1: int, n2: int, eps: float, x_type: str, w_type: str, part_grad_size: int = 16
) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n1, n2, eps, x_type, w_type, part_grad_size)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_norm_bwd = CoreOp("rms_norm_bwd", FACTS, infer, pack, unpack, op_hash=0x49E64181FAFC)
