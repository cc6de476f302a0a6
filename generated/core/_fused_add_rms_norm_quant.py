"""`fused_add_rms_norm_quant`: `fused_add_rms_norm` with `y` quantised to fp8, by a given scale
or by a computed scale for each row.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, other, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "fused_add_rms_norm_quant",
    size=64,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("x_stride_d", "i64", 24),
        ("eps", "f64", 32),
        ("dynamic", "i64", 40),
        ("out_dtype", "i64", 48),
        ("T", "i64", 56),
    ),
)

FACTS = OpFacts(
    "fused_add_rms_norm_quant",
    inputs=(
        Input("x", shape(group("batch"), dim("d"))),
        Input("residual", shape(group("batch"), dim("d")), updated=True),
        Input("weight", shape(dim("d"))),
        Input("scale", shape(), optional=True, number=("f32",)),
        Input("scale_ub", shape(), optional=True, number=("f32",)),
    ),
    results=(
        Result("y", shape(group("batch"), dim("d"))),
        Result(
            "y_scale",
            lambda dynamic, **_: (
                shape(group("batch"), other("1")) if dynamic else shape(group("batch"), other("0"))
            ),
        ),
    ),
    attrs={"out_dtype": "dtype", "eps": "float", "dynamic": "bool"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `fused_add_rms_norm_quant`."""

    y: TensorSpec  # out_dtype[*batch d]
    y_scale: TensorSpec  # f32[*batch 1 | *batch 0]


def infer(
    x: TensorSpec,
    residual: TensorSpec,
    weight: TensorSpec,
    scale: TensorSpec | None = None,
    scale_ub: TensorSpec | None = None,
    *,
    out_dtype: str = "f8e4m3",
    eps: float = 1e-06,
    dynamic: bool = False,
) -> Results:
    """Check a call of `fused_add_rms_norm_quant` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    out_dtype = check_attr(
        "fused_add_rms_norm_quant", "out_dtype", out_dtype, "dtype", choices=("f8e4m3", "f8e5m2")
    )
    eps = check_attr("fused_add_rms_norm_quant", "eps", eps, "float", low=0.0)
    dynamic = check_attr("fused_add_rms_norm_quant", "dynamic", dynamic, "bool")
    # Presence and dtypes.
    T = check_dtype("fused_add_rms_norm_quant", "x", x, ("bf16", "f16", "f32", "f64"))
    check_dtype("fused_add_rms_norm_quant", "residual", residual, (T,), like="x")
    check_dtype("fused_add_rms_norm_quant", "weight", weight, (T,), like="x")
    check_presence("fused_add_rms_norm_quant", "scale", scale, not dynamic, "not dynamic")
    if scale is not None:
        check_dtype("fused_add_rms_norm_quant", "scale", scale, ("f32",))
    if scale_ub is not None:
        check_dtype("fused_add_rms_norm_quant", "scale_ub", scale_ub, ("f32",))
    # Sizes.
    check_rank("fused_add_rms_norm_quant", "x", x, "*batch d", at_least=1)
    batch = x.shape[:-1]
    d = x.shape[-1]
    check_rank(
        "fused_add_rms_norm_quant",
        "residual",
        residual,
        "*batch d",
        exactly=len(batch) + 1,
        of="batch of x",
    )
    check_rank("fused_add_rms_norm_quant", "weight", weight, "d", exactly=1)
    if scale is not None:
        check_rank("fused_add_rms_norm_quant", "scale", scale, "", exactly=0)
    if scale_ub is not None:
        check_rank("fused_add_rms_norm_quant", "scale_ub", scale_ub, "", exactly=0)
    check_shape(
        "fused_add_rms_norm_quant",
        "residual",
        residual,
        (*batch, d),
        "*batch d",
        batch=("x", batch),
        d=("x", d),
    )
    check_shape("fused_add_rms_norm_quant", "weight", weight, (d,), "d", d=("x", d))
    # Requirements.
    require("fused_add_rms_norm_quant", d % 8 == 0, "d % 8 == 0", "d of x", d=d)
    require(
        "fused_add_rms_norm_quant",
        dynamic or not scale_ub is not None,
        "scale_ub bounds a dynamic scale only",
        dynamic=dynamic,
        scale_ub=scale_ub,
    )
    return Results(
        y=TensorSpec((*batch, d), out_dtype),
        y_scale=TensorSpec((*batch, 1) if dynamic else (*batch, 0), "f32"),
    )


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    x_stride_d: int,
    eps: float,
    dynamic: int,
    out_dtype: int,
    T: int,
) -> bytes:
    """The 64 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, x_stride_d, eps, dynamic, out_dtype, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


fused_add_rms_norm_quant = CoreOp(
    "fused_add_rms_norm_quant", FACTS, infer, pack, unpack, op_hash=0x5086C0D1B4E5
)
