"""`layer_norm`: Layer normalization over the trailing dims `normalized_shape`, optionally
scaled and shifted.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    DTYPES,
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    prod,
    require,
)

DESCRIPTOR = Descriptor(
    "layer_norm",
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
    "layer_norm",
    inputs=(
        Input("x", shape(group("batch"), group("normalized_shape")), folds=True),
        Input("weight", shape(group("normalized_shape")), optional=True),
        Input("bias", shape(group("normalized_shape")), optional=True),
    ),
    results=(
        Result("y", shape(group("batch"), group("normalized_shape"))),
        Result("mean", shape(group("batch")), residual=True),
        Result("rstd", shape(group("batch")), residual=True),
    ),
    attrs={"normalized_shape": "int[]", "eps": "float"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    stages={"normalized_shape": ("layer_norm_mean", "layer_norm_variance", "layer_norm_scale")},
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `layer_norm`, then the residuals for its backward."""

    y: TensorSpec  # T[*batch *normalized_shape]
    mean: TensorSpec  # Acc[*batch]
    rstd: TensorSpec  # Acc[*batch]


def bind(
    x: TensorSpec,
    weight: TensorSpec | None = None,
    bias: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Launch[Results]:
    """Check a call of `layer_norm`. Return results and kernel arguments."""
    # Attributes.
    normalized_shape = check_attr("layer_norm", "normalized_shape", normalized_shape, "int[]")
    eps = check_attr("layer_norm", "eps", eps, "float", low=0.0)
    # Dtypes.
    W = None
    T = check_dtype("layer_norm", "x", x, ("f32", "bf16", "f16", "f64"))
    if weight is not None:
        W = check_dtype("layer_norm", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if bias is not None:
        W = check_dtype(
            "layer_norm", "bias", bias, (W,) if W else ("f32", "bf16", "f16", "f64"), like="weight"
        )
    if W is None:
        W = "f32"
    Acc = accum(T)
    # Sizes.
    check_rank("layer_norm", "x", x, "*batch *normalized_shape", at_least=len(normalized_shape))
    batch = x.shape[: len(x.shape) - len(normalized_shape)]
    if weight is not None:
        check_rank(
            "layer_norm", "weight", weight, "*normalized_shape", exactly=len(normalized_shape)
        )
    if bias is not None:
        check_rank("layer_norm", "bias", bias, "*normalized_shape", exactly=len(normalized_shape))
    check_shape(
        "layer_norm",
        "x",
        x,
        (*batch, *normalized_shape),
        "*batch *normalized_shape",
        normalized_shape=("", normalized_shape),
    )
    if weight is not None:
        check_shape(
            "layer_norm",
            "weight",
            weight,
            normalized_shape,
            "*normalized_shape",
            normalized_shape=("", normalized_shape),
        )
    if bias is not None:
        check_shape(
            "layer_norm",
            "bias",
            bias,
            normalized_shape,
            "*normalized_shape",
            normalized_shape=("", normalized_shape),
        )
    # Requirements.
    require(
        "layer_norm",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight or bias, T of x",
        W=W,
        T=T,
    )
    results = Results(
        y=TensorSpec((*batch, *normalized_shape), T),
        mean=TensorSpec(batch, Acc),
        rstd=TensorSpec(batch, Acc),
    )
    return Launch(
        results,
        descriptor=(
            prod(batch),
            len(batch),
            normalized_shape,
            len(normalized_shape),
            eps,
            DTYPES[T].code,
            DTYPES[W].code,
            DTYPES[Acc].code,
        ),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"),)},
        attrs={"normalized_shape": normalized_shape, "eps": eps},
    )


def infer(
    x: TensorSpec,
    weight: TensorSpec | None = None,
    bias: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float = 1e-05,
) -> Results:
    """Check a call of `layer_norm` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, weight, bias, normalized_shape=normalized_shape, eps=eps).results


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


layer_norm = CoreOp("layer_norm", FACTS, infer, pack, unpack, bind=bind, op_hash=0xEF462F1F332B)
