"""`layer_norm_scale`: Rows of `x` minus their mean, divided by their standard deviation, scaled
and shifted. A step of `layer_norm`.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
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
    require,
)

DESCRIPTOR = Descriptor(
    "layer_norm_scale",
    size=120,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("normalized_shape", "i64[8]", 16),
        ("normalized_shape_rank", "i64", 80),
        ("eps", "f64", 88),
        ("T", "i64", 96),
        ("W", "i64", 104),
        ("Acc", "i64", 112),
    ),
)

FACTS = OpFacts(
    "layer_norm_scale",
    inputs=(
        Input("x", shape(group("batch"), group("normalized_shape")), folds=True),
        Input("mean", shape(group("batch")), folds=True),
        Input("variance", shape(group("batch")), folds=True),
        Input("weight", shape(group("normalized_shape")), optional=True),
        Input("bias", shape(group("normalized_shape")), optional=True),
    ),
    results=(
        Result("y", shape(group("batch"), group("normalized_shape"))),
        Result("rstd", shape(group("batch")), reduce={"normalized_shape": Reduction("same")}),
    ),
    attrs={"normalized_shape": "int[]", "eps": "float"},
    platforms=("cpu", "cuda"),
    split=("batch", "normalized_shape"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm_scale`."""

    y: TensorSpec  # T[*batch *normalized_shape]
    rstd: TensorSpec  # Acc[*batch]


def bind(
    x: TensorSpec,
    mean: TensorSpec,
    variance: TensorSpec,
    weight: TensorSpec | None = None,
    bias: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `layer_norm_scale`. Return results and kernel arguments."""
    # Attributes.
    normalized_shape = check_attr("layer_norm_scale", "normalized_shape", normalized_shape, "int[]")
    eps = check_attr("layer_norm_scale", "eps", eps, "float", low=0.0)
    # Dtypes.
    W = None
    T = check_dtype("layer_norm_scale", "x", x, ("f32", "bf16", "f16", "f64"))
    if weight is not None:
        W = check_dtype("layer_norm_scale", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if bias is not None:
        W = check_dtype(
            "layer_norm_scale",
            "bias",
            bias,
            (W,) if W else ("f32", "bf16", "f16", "f64"),
            like="weight",
        )
    if W is None:
        W = "f32"
    Acc = accum(T)
    check_dtype("layer_norm_scale", "mean", mean, (Acc,), derived="accum(x.dtype)")
    check_dtype("layer_norm_scale", "variance", variance, (Acc,), derived="accum(x.dtype)")
    # Sizes.
    check_rank(
        "layer_norm_scale", "x", x, "*batch *normalized_shape", at_least=len(normalized_shape)
    )
    batch = x.shape[: len(x.shape) - len(normalized_shape)]
    check_rank("layer_norm_scale", "mean", mean, "*batch", exactly=len(batch), of="batch of x")
    check_rank(
        "layer_norm_scale", "variance", variance, "*batch", exactly=len(batch), of="batch of x"
    )
    if weight is not None:
        check_rank(
            "layer_norm_scale", "weight", weight, "*normalized_shape", exactly=len(normalized_shape)
        )
    if bias is not None:
        check_rank(
            "layer_norm_scale", "bias", bias, "*normalized_shape", exactly=len(normalized_shape)
        )
    check_shape(
        "layer_norm_scale",
        "x",
        x,
        (*batch, *normalized_shape),
        "*batch *normalized_shape",
        normalized_shape=("", normalized_shape),
    )
    check_shape("layer_norm_scale", "mean", mean, batch, "*batch", batch=("x", batch))
    check_shape("layer_norm_scale", "variance", variance, batch, "*batch", batch=("x", batch))
    if weight is not None:
        check_shape(
            "layer_norm_scale",
            "weight",
            weight,
            normalized_shape,
            "*normalized_shape",
            normalized_shape=("", normalized_shape),
        )
    if bias is not None:
        check_shape(
            "layer_norm_scale",
            "bias",
            bias,
            normalized_shape,
            "*normalized_shape",
            normalized_shape=("", normalized_shape),
        )
    # Requirements.
    require(
        "layer_norm_scale",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight or bias, T of x",
        W=W,
        T=T,
    )
    # Values.
    for each in arrays.get("variance", ()):
        check_values("layer_norm_scale", "variance", each, each >= 0, "variance >= 0")
    results = Results(y=TensorSpec((*batch, *normalized_shape), T), rstd=TensorSpec(batch, Acc))
    return Launch(results)


def infer(
    x: TensorSpec,
    mean: TensorSpec,
    variance: TensorSpec,
    weight: TensorSpec | None = None,
    bias: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Results:
    """Check a call of `layer_norm_scale` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, mean, variance, weight, bias, normalized_shape=normalized_shape, eps=eps).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    normalized_shape: Sequence[int],
    normalized_shape_rank: int,
    eps: float,
    T: int,
    W: int,
    Acc: int,
) -> bytes:
    """The 120 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        batch, batch_rank, normalized_shape, normalized_shape_rank, eps, T, W, Acc
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


layer_norm_scale = CoreOp(
    "layer_norm_scale",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("variance",),
    op_hash=0xA5A3220FAF76,
)
