"""`linear_cross_entropy`: Softmax cross-entropy of `hidden @ weight.T` against integer
`labels`. Only a part of the logits is in memory at a time.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
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
    "linear_cross_entropy",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("c", "i64", 24),
        ("ignore_index", "i64", 32),
        ("reduction", "i64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "linear_cross_entropy",
    inputs=(
        Input("hidden", shape(group("batch"), dim("d"))),
        Input("weight", shape(dim("c"), dim("d"))),
        Input("labels", shape(group("batch"))),
    ),
    results=(
        Result(
            "loss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
            reduce={
                "batch": lambda reduction, **_: (
                    Reduction("mean", "count") if reduction == "mean" else Reduction("sum")
                )
            },
        ),
        Result("top", shape(group("batch")), residual=True),
        Result("log_sum", shape(group("batch")), residual=True),
        Result("count", shape(), optional=True, residual=True, reduce={"batch": Reduction("sum")}),
    ),
    attrs={"ignore_index": "int", "reduction": "str"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    stages={"c": ("linear_cross_entropy_terms", "linear_cross_entropy_loss")},
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear_cross_entropy`, then the residuals for its backward."""

    loss: TensorSpec  # Acc[*batch | ]
    top: TensorSpec  # Acc[*batch]
    log_sum: TensorSpec  # Acc[*batch]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `linear_cross_entropy`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("linear_cross_entropy", "ignore_index", ignore_index, "int")
    reduction = check_attr(
        "linear_cross_entropy", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Dtypes.
    T = check_dtype("linear_cross_entropy", "hidden", hidden, ("f32", "bf16", "f16", "f64"))
    check_dtype("linear_cross_entropy", "weight", weight, (T,), like="hidden")
    I = check_dtype("linear_cross_entropy", "labels", labels, ("i64", "i32"))
    Acc = accum(T)
    # Sizes.
    check_rank("linear_cross_entropy", "hidden", hidden, "*batch d", at_least=1)
    batch = hidden.shape[:-1]
    d = hidden.shape[-1]
    check_rank("linear_cross_entropy", "weight", weight, "c d", exactly=2)
    c = weight.shape[0]
    check_rank(
        "linear_cross_entropy", "labels", labels, "*batch", exactly=len(batch), of="batch of hidden"
    )
    check_shape("linear_cross_entropy", "weight", weight, (c, d), "c d", d=("hidden", d))
    check_shape("linear_cross_entropy", "labels", labels, batch, "*batch", batch=("hidden", batch))
    # Requirements.
    require("linear_cross_entropy", c > 0, "at least one class", "c of weight", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "linear_cross_entropy",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    results = Results(
        loss=TensorSpec(batch if reduction == "none" else (), Acc),
        top=TensorSpec(batch, Acc),
        log_sum=TensorSpec(batch, Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(results)


def infer(
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Results:
    """Check a call of `linear_cross_entropy` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(hidden, weight, labels, ignore_index=ignore_index, reduction=reduction).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    c: int,
    ignore_index: int,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 72 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, c, ignore_index, reduction, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_cross_entropy = CoreOp(
    "linear_cross_entropy",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels",),
    op_hash=0x67DE100C9FE7,
)
