"""`cross_entropy_loss`: The loss, computed from its terms. A step of `cross_entropy`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
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
    "cross_entropy_loss",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("v", "i64", 16),
        ("ignore_index", "i64", 24),
        ("label_smoothing", "f64", 32),
        ("reduction", "i64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "cross_entropy_loss",
    inputs=(
        Input("logits", shape(group("batch"), dim("v"))),
        Input("labels", shape(group("batch"))),
        Input("total", shape(group("batch"))),
        Input("missed", shape(group("batch"))),
        Input("below", shape(group("batch")), optional=True),
    ),
    results=(
        Result(
            "loss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
            reduce={
                "v": Reduction("same"),
                "batch": lambda reduction, **_: (
                    Reduction("mean", "count") if reduction == "mean" else Reduction("sum")
                ),
            },
        ),
        Result("rest", shape(group("batch")), reduce={"v": Reduction("same")}),
        Result(
            "count",
            shape(),
            optional=True,
            reduce={"v": Reduction("same"), "batch": Reduction("sum")},
        ),
    ),
    attrs={"ignore_index": "int", "label_smoothing": "float", "reduction": "str"},
    platforms=("cpu", "cuda"),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy_loss`."""

    loss: TensorSpec  # Acc[*batch | ]
    rest: TensorSpec  # Acc[*batch]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    logits: TensorSpec,
    labels: TensorSpec,
    total: TensorSpec,
    missed: TensorSpec,
    below: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `cross_entropy_loss`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("cross_entropy_loss", "ignore_index", ignore_index, "int")
    label_smoothing = check_attr(
        "cross_entropy_loss", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "cross_entropy_loss", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Presence and dtypes.
    T = check_dtype("cross_entropy_loss", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("cross_entropy_loss", "labels", labels, ("i64", "i32"))
    check_presence(
        "cross_entropy_loss", "below", below, label_smoothing > 0.0, "label_smoothing > 0.0"
    )
    Acc = accum(T)
    check_dtype("cross_entropy_loss", "total", total, (Acc,), derived="accum(logits.dtype)")
    check_dtype("cross_entropy_loss", "missed", missed, (Acc,), derived="accum(logits.dtype)")
    if below is not None:
        check_dtype("cross_entropy_loss", "below", below, (Acc,), derived="accum(logits.dtype)")
    # Sizes.
    check_rank("cross_entropy_loss", "logits", logits, "*batch v", at_least=1)
    batch = logits.shape[:-1]
    v = logits.shape[-1]
    check_rank(
        "cross_entropy_loss", "labels", labels, "*batch", exactly=len(batch), of="batch of logits"
    )
    check_rank(
        "cross_entropy_loss", "total", total, "*batch", exactly=len(batch), of="batch of logits"
    )
    check_rank(
        "cross_entropy_loss", "missed", missed, "*batch", exactly=len(batch), of="batch of logits"
    )
    if below is not None:
        check_rank(
            "cross_entropy_loss", "below", below, "*batch", exactly=len(batch), of="batch of logits"
        )
    check_shape("cross_entropy_loss", "labels", labels, batch, "*batch", batch=("logits", batch))
    check_shape("cross_entropy_loss", "total", total, batch, "*batch", batch=("logits", batch))
    check_shape("cross_entropy_loss", "missed", missed, batch, "*batch", batch=("logits", batch))
    if below is not None:
        check_shape("cross_entropy_loss", "below", below, batch, "*batch", batch=("logits", batch))
    # Values.
    for each in arrays.get("total", ()):
        check_values("cross_entropy_loss", "total", each, each >= 1, "total >= 1")
    results = Results(
        loss=TensorSpec(batch if reduction == "none" else (), Acc),
        rest=TensorSpec(batch, Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(results)


def infer(
    logits: TensorSpec,
    labels: TensorSpec,
    total: TensorSpec,
    missed: TensorSpec,
    below: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Results:
    """Check a call of `cross_entropy_loss` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        logits,
        labels,
        total,
        missed,
        below,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    v: int,
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
        batch, batch_rank, v, ignore_index, label_smoothing, reduction, T, I, Acc
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


cross_entropy_loss = CoreOp(
    "cross_entropy_loss",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("total",),
    op_hash=0x8080B54036B3,
)
