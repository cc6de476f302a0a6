"""`linear_bwd`: The gradients of `linear`.

Rendered by opgen from weights.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "linear_bwd",
    size=40,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("n", "i64", 16),
        ("k", "i64", 24),
        ("T", "i64", 32),
    ),
)

FACTS = OpFacts(
    "linear_bwd",
    inputs=(
        Input("dy", shape(group("batch"), dim("n"))),
        Input("x", shape(group("batch"), dim("k"))),
        Input("w_data", shape(dim("n"), dim("k"))),
        Input("w_scale", shape(dim("n"))),
        Input("w_zero", shape(dim("n")), optional=True),
    ),
    results=(
        Result("dx", shape(group("batch"), dim("k"))),
        Result("dw_scale", shape(dim("n")), reduce={"batch": Reduction("sum")}),
    ),
    split=("batch",),
    linear=(("dy",),),
)


class Results(NamedTuple):
    """The results of `linear_bwd`."""

    dx: TensorSpec  # T[*batch k]
    dw_scale: TensorSpec  # f32[n]


def infer(
    dy: TensorSpec,
    x: TensorSpec,
    w_data: TensorSpec,
    w_scale: TensorSpec,
    w_zero: TensorSpec | None = None,
) -> Results:
    """Check a call of `linear_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("linear_bwd", "dy", dy, ("f32", "f64"))
    check_dtype("linear_bwd", "x", x, (T,), like="dy")
    check_dtype("linear_bwd", "w_data", w_data, ("i8",))
    check_dtype("linear_bwd", "w_scale", w_scale, ("f32",))
    if w_zero is not None:
        check_dtype("linear_bwd", "w_zero", w_zero, ("f32",))
    # Sizes.
    check_rank("linear_bwd", "dy", dy, "*batch n", at_least=1)
    batch = dy.shape[:-1]
    n = dy.shape[-1]
    check_rank("linear_bwd", "x", x, "*batch k", exactly=len(batch) + 1, of="batch of dy")
    k = x.shape[-1]
    check_rank("linear_bwd", "w_data", w_data, "n k", exactly=2)
    check_rank("linear_bwd", "w_scale", w_scale, "n", exactly=1)
    if w_zero is not None:
        check_rank("linear_bwd", "w_zero", w_zero, "n", exactly=1)
    check_shape("linear_bwd", "x", x, (*batch, k), "*batch k", batch=("dy", batch))
    check_shape("linear_bwd", "w_data", w_data, (n, k), "n k", n=("dy", n), k=("x", k))
    check_shape("linear_bwd", "w_scale", w_scale, (n,), "n", n=("dy", n))
    if w_zero is not None:
        check_shape("linear_bwd", "w_zero", w_zero, (n,), "n", n=("dy", n))
    return Results(dx=TensorSpec((*batch, k), T), dw_scale=TensorSpec((n,), "f32"))


def pack(*, batch: int, batch_rank: int, n: int, k: int, T: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, n, k, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_bwd = CoreOp("linear_bwd", FACTS, infer, pack, unpack, op_hash=0x10C2044DEC39)
