"""`fused_add_rms_norm`: `residual += x`, then `y = rms_norm(residual) * weight`.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "fused_add_rms_norm",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("x_stride_d", "i64", 24),
        ("eps", "f64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "fused_add_rms_norm",
    inputs=(
        Input("x", shape(group("batch"), dim("d"))),
        Input("residual", shape(group("batch"), dim("d")), updated=True),
        Input("weight", shape(dim("d"))),
    ),
    results=(Result("y", shape(group("batch"), dim("d"))),),
    attrs={"eps": "float"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `fused_add_rms_norm`."""

    y: TensorSpec  # T[*batch d]


def infer(
    x: TensorSpec, residual: TensorSpec, weight: TensorSpec, *, eps: float = 1e-06
) -> Results:
    """Check a call of `fused_add_rms_norm` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    eps = check_attr("fused_add_rms_norm", "eps", eps, "float", low=0.0)
    # Dtypes.
    T = check_dtype("fused_add_rms_norm", "x", x, ("bf16", "f16", "f32", "f64"))
    check_dtype("fused_add_rms_norm", "residual", residual, (T,), like="x")
    check_dtype("fused_add_rms_norm", "weight", weight, (T,), like="x")
    # Sizes.
    check_rank("fused_add_rms_norm", "x", x, "*batch d", at_least=1)
    batch = x.shape[:-1]
    d = x.shape[-1]
    check_rank(
        "fused_add_rms_norm",
        "residual",
        residual,
        "*batch d",
        exactly=len(batch) + 1,
        of="batch of x",
    )
    check_rank("fused_add_rms_norm", "weight", weight, "d", exactly=1)
    check_shape(
        "fused_add_rms_norm",
        "residual",
        residual,
        (*batch, d),
        "*batch d",
        batch=("x", batch),
        d=("x", d),
    )
    check_shape("fused_add_rms_norm", "weight", weight, (d,), "d", d=("x", d))
    return Results(y=TensorSpec((*batch, d), T))


def pack(*, batch: int, batch_rank: int, d: int, x_stride_d: int, eps: float, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, x_stride_d, eps, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


fused_add_rms_norm = CoreOp(
    "fused_add_rms_norm", FACTS, infer, pack, unpack, op_hash=0xA3D1D1E55BC0
)
