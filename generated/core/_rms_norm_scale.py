"""`rms_norm_scale`: Rows of `x` divided by their root mean square, scaled by `weight`. A step
of `rms_norm`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    check_values,
)

DESCRIPTOR = Descriptor(
    "rms_norm_scale",
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
    "rms_norm_scale",
    inputs=(
        Input("x", shape(group("batch"), group("norm")), folds=True),
        Input("weight", shape(group("norm"))),
        Input("squares", shape(group("batch")), folds=True),
    ),
    results=(
        Result("y", shape(group("batch"), group("norm"))),
        Result("invvar", shape(group("batch")), reduce={"norm": Reduction("same")}),
    ),
    attrs={"eps": "float"},
    platforms=("cpu", "cuda"),
    split=("batch", "norm"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `rms_norm_scale`."""

    y: TensorSpec  # W[*batch *norm]
    invvar: TensorSpec  # Acc[*batch]


def bind(
    x: TensorSpec,
    weight: TensorSpec,
    squares: TensorSpec,
    *,
    eps: float = 1e-05,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `rms_norm_scale`. Return results and kernel arguments."""
    # Attributes.
    eps = check_attr("rms_norm_scale", "eps", eps, "float", low=0.0)
    # Dtypes.
    T = check_dtype("rms_norm_scale", "x", x, ("f32", "bf16", "f16", "f64"))
    W = check_dtype("rms_norm_scale", "weight", weight, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    check_dtype("rms_norm_scale", "squares", squares, (Acc,), derived="accum(x.dtype)")
    # Sizes.
    norm = weight.shape
    batch = squares.shape
    check_rank(
        "rms_norm_scale",
        "x",
        x,
        "*batch *norm",
        exactly=len(batch) + len(norm),
        of="batch of squares, norm of weight",
    )
    check_shape(
        "rms_norm_scale",
        "x",
        x,
        (*batch, *norm),
        "*batch *norm",
        batch=("squares", batch),
        norm=("weight", norm),
    )
    # Values.
    for each in arrays.get("squares", ()):
        check_values("rms_norm_scale", "squares", each, each >= 0, "squares >= 0")
    results = Results(y=TensorSpec((*batch, *norm), W), invvar=TensorSpec(batch, Acc))
    return Launch(results)


def infer(x: TensorSpec, weight: TensorSpec, squares: TensorSpec, *, eps: float = 1e-05) -> Results:
    """Check a call of `rms_norm_scale` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, weight, squares, eps=eps).results


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


rms_norm_scale = CoreOp(
    "rms_norm_scale",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("squares",),
    op_hash=0xBD0C905BFEE0,
)
