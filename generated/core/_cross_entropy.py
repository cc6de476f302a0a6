"""`cross_entropy`: Softmax cross-entropy of `logits` against integer `labels`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    DTYPES,
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    check_values,
    prod,
    require,
)

DESCRIPTOR = Descriptor(
    "cross_entropy",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("c", "i64", 16),
        ("ignore_index", "i64", 24),
        ("label_smoothing", "f64", 32),
        ("reduction", "i64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "cross_entropy",
    inputs=(
        Input("logits", shape(group("batch"), dim("c"))),
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
        Result("rest", shape(group("batch")), residual=True),
        Result("count", shape(), optional=True, residual=True, reduce={"batch": Reduction("sum")}),
    ),
    attrs={"ignore_index": "int", "label_smoothing": "float", "reduction": "str"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    stages={"c": ("cross_entropy_top", "cross_entropy_terms", "cross_entropy_loss")},
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy`, then the residuals for its backward."""

    loss: TensorSpec  # Acc[*batch | ]
    top: TensorSpec  # Acc[*batch]
    rest: TensorSpec  # Acc[*batch]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    logits: TensorSpec,
    labels: TensorSpec,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `cross_entropy`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("cross_entropy", "ignore_index", ignore_index, "int")
    label_smoothing = check_attr(
        "cross_entropy", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "cross_entropy", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Dtypes.
    T = check_dtype("cross_entropy", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("cross_entropy", "labels", labels, ("i64", "i32"))
    Acc = accum(T)
    # Sizes.
    check_rank("cross_entropy", "logits", logits, "*batch c", at_least=1)
    batch = logits.shape[:-1]
    c = logits.shape[-1]
    check_rank(
        "cross_entropy", "labels", labels, "*batch", exactly=len(batch), of="batch of logits"
    )
    check_shape("cross_entropy", "labels", labels, batch, "*batch", batch=("logits", batch))
    # Requirements.
    require("cross_entropy", c > 0, "at least one class", "c of logits", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "cross_entropy",
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
        rest=TensorSpec(batch, Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(
        results,
        descriptor=(
            prod(batch),
            len(batch),
            c,
            ignore_index,
            label_smoothing,
            ("none", "mean", "sum").index(reduction),
            DTYPES[T].code,
            DTYPES[I].code,
            DTYPES[Acc].code,
        ),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"), (c <= 2**24, "c <= 2**24"))},
        attrs={
            "ignore_index": ignore_index,
            "label_smoothing": label_smoothing,
            "reduction": reduction,
        },
    )


def infer(
    logits: TensorSpec,
    labels: TensorSpec,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Results:
    """Check a call of `cross_entropy` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        logits,
        labels,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    c: int,
    ignore_index: int,
    label_smoothing: float,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 72 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        batch, batch_rank, c, ignore_index, label_smoothing, reduction, T, I, Acc
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


cross_entropy = CoreOp(
    "cross_entropy",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels",),
    op_hash=0x2D294BFAE677,
)
