"""`linear_cross_entropy_loss`: The loss, computed from its terms. A step of
`linear_cross_entropy`.

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
)

DESCRIPTOR = Descriptor(
    "linear_cross_entropy_loss",
    size=64,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("ignore_index", "i64", 24),
        ("reduction", "i64", 32),
        ("T", "i64", 40),
        ("I", "i64", 48),
        ("Acc", "i64", 56),
    ),
)

FACTS = OpFacts(
    "linear_cross_entropy_loss",
    inputs=(
        Input("hidden", shape(group("batch"), dim("d"))),
        Input("labels", shape(group("batch"))),
        Input("top", shape(group("batch"))),
        Input("total", shape(group("batch"))),
        Input("at_label", shape(group("batch"))),
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
        Result("log_sum", shape(group("batch"))),
        Result("count", shape(), optional=True, reduce={"batch": Reduction("sum")}),
    ),
    attrs={"ignore_index": "int", "reduction": "str"},
    platforms=("cpu",),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear_cross_entropy_loss`."""

    loss: TensorSpec  # Acc[*batch | ]
    log_sum: TensorSpec  # Acc[*batch]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    hidden: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    total: TensorSpec,
    at_label: TensorSpec,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `linear_cross_entropy_loss`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("linear_cross_entropy_loss", "ignore_index", ignore_index, "int")
    reduction = check_attr(
        "linear_cross_entropy_loss", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Dtypes.
    T = check_dtype("linear_cross_entropy_loss", "hidden", hidden, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("linear_cross_entropy_loss", "labels", labels, ("i64", "i32"))
    Acc = accum(T)
    check_dtype("linear_cross_entropy_loss", "top", top, (Acc,), derived="accum(hidden.dtype)")
    check_dtype("linear_cross_entropy_loss", "total", total, (Acc,), derived="accum(hidden.dtype)")
    check_dtype(
        "linear_cross_entropy_loss", "at_label", at_label, (Acc,), derived="accum(hidden.dtype)"
    )
    # Sizes.
    check_rank("linear_cross_entropy_loss", "hidden", hidden, "*batch d", at_least=1)
    batch = hidden.shape[:-1]
    d = hidden.shape[-1]
    check_rank(
        "linear_cross_entropy_loss",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of hidden",
    )
    check_rank(
        "linear_cross_entropy_loss", "top", top, "*batch", exactly=len(batch), of="batch of hidden"
    )
    check_rank(
        "linear_cross_entropy_loss",
        "total",
        total,
        "*batch",
        exactly=len(batch),
        of="batch of hidden",
    )
    check_rank(
        "linear_cross_entropy_loss",
        "at_label",
        at_label,
        "*batch",
        exactly=len(batch),
        of="batch of hidden",
    )
    check_shape(
        "linear_cross_entropy_loss", "labels", labels, batch, "*batch", batch=("hidden", batch)
    )
    check_shape("linear_cross_entropy_loss", "top", top, batch, "*batch", batch=("hidden", batch))
    check_shape(
        "linear_cross_entropy_loss", "total", total, batch, "*batch", batch=("hidden", batch)
    )
    check_shape(
        "linear_cross_entropy_loss", "at_label", at_label, batch, "*batch", batch=("hidden", batch)
    )
    # Values.
    for each in arrays.get("total", ()):
        check_values("linear_cross_entropy_loss", "total", each, each >= 1, "total >= 1")
    results = Results(
        loss=TensorSpec(batch if reduction == "none" else (), Acc),
        log_sum=TensorSpec(batch, Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(results)


def infer(
    hidden: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    total: TensorSpec,
    at_label: TensorSpec,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Results:
    """Check a call of `linear_cross_entropy_loss` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        hidden, labels, top, total, at_label, ignore_index=ignore_index, reduction=reduction
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    ignore_index: int,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 64 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, ignore_index, reduction, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_cross_entropy_loss = CoreOp(
    "linear_cross_entropy_loss",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("total",),
    op_hash=0x2F60FE8240E8,
)
