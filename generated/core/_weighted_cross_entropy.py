"""`weighted_cross_entropy`: Softmax cross-entropy of `logits` against integer `labels`, with
optional weights of classes and a weighted mean.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
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
    prod,
    require,
)

DESCRIPTOR = Descriptor(
    "weighted_cross_entropy",
    size=40,
    fields=(
        ("outer", "i64", 0),
        ("c", "i64", 8),
        ("inner", "i64", 16),
        ("smoothing", "f64", 24),
        ("ignore_index", "i64", 32),
    ),
)

FACTS = OpFacts(
    "weighted_cross_entropy",
    inputs=(
        Input(
            "logits",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
        ),
        Input(
            "labels",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input("weight", shape(dim("c")), optional=True),
    ),
    results=(
        Result(
            "loss",
            lambda reduction, classes, **_: (
                shape()
                if reduction != "none"
                else shape(group("batch"))
                if reduction == "none" and classes == "last"
                else shape(dim("n"), group("d"))
            ),
            reduce={
                "batch": lambda reduction, **_: (
                    Reduction("mean", "count") if reduction == "mean" else Reduction("sum")
                ),
                "n": lambda reduction, **_: (
                    Reduction("mean", "count") if reduction == "mean" else Reduction("sum")
                ),
                "d": lambda reduction, **_: (
                    Reduction("mean", "count") if reduction == "mean" else Reduction("sum")
                ),
            },
        ),
        Result(
            "top",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
            residual=True,
        ),
        Result(
            "rest",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
            residual=True,
        ),
        Result(
            "mass",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
            residual=True,
        ),
        Result(
            "count",
            shape(),
            optional=True,
            residual=True,
            reduce={"batch": Reduction("sum"), "n": Reduction("sum"), "d": Reduction("sum")},
        ),
    ),
    attrs={"label_smoothing": "float", "reduction": "str", "classes": "str", "ignore_index": "int"},
    platforms=("cpu", "cuda"),
    split=("batch", "n", "d"),
    stages={"c": ("class_top", "weighted_cross_entropy_total", "weighted_cross_entropy_part")},
)


class Results(NamedTuple):
    """The results of `weighted_cross_entropy`, then the residuals for its backward."""

    loss: TensorSpec  # Acc[ | *batch | n *d]
    top: TensorSpec  # Acc[*batch | n *d]
    rest: TensorSpec  # Acc[*batch | n *d]
    mass: TensorSpec  # Acc[*batch | n *d]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    logits: TensorSpec,
    labels: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `weighted_cross_entropy`. Return results and kernel arguments."""
    # Attributes.
    label_smoothing = check_attr(
        "weighted_cross_entropy", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "weighted_cross_entropy", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    classes = check_attr(
        "weighted_cross_entropy", "classes", classes, "str", choices=("last", "second")
    )
    ignore_index = check_attr("weighted_cross_entropy", "ignore_index", ignore_index, "int")
    # Dtypes.
    T = check_dtype("weighted_cross_entropy", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("weighted_cross_entropy", "labels", labels, ("i64", "i32"))
    Acc = accum(T)
    if weight is not None:
        check_dtype(
            "weighted_cross_entropy", "weight", weight, (Acc,), derived="accum(logits.dtype)"
        )
    # Sizes.
    batch: Any = None
    c: Any = None
    d: Any = None
    n: Any = None
    if classes == "last":
        check_rank("weighted_cross_entropy", "logits", logits, "*batch c", at_least=1)
        batch = logits.shape[:-1]
        c = logits.shape[-1]
    if classes != "last":
        check_rank("weighted_cross_entropy", "logits", logits, "n c *d", at_least=2)
        d = logits.shape[2:]
        n = logits.shape[0]
        c = logits.shape[1]
    if classes == "last":
        check_rank(
            "weighted_cross_entropy",
            "labels",
            labels,
            "*batch",
            exactly=len(batch),
            of="batch of logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy", "labels", labels, "n *d", exactly=len(d) + 1, of="d of logits"
        )
    if weight is not None:
        check_rank("weighted_cross_entropy", "weight", weight, "c", exactly=1)
    if classes == "last":
        check_shape("weighted_cross_entropy", "logits", logits, (*batch, c), "*batch c")
    if classes != "last":
        check_shape("weighted_cross_entropy", "logits", logits, (n, c, *d), "n c *d")
    if classes == "last":
        check_shape(
            "weighted_cross_entropy", "labels", labels, batch, "*batch", batch=("logits", batch)
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy",
            "labels",
            labels,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if weight is not None:
        check_shape("weighted_cross_entropy", "weight", weight, (c,), "c", c=("logits", c))
    # Requirements.
    require("weighted_cross_entropy", c > 0, "at least one class", "c of logits", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "weighted_cross_entropy",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("weight", ()):
        check_values("weighted_cross_entropy", "weight", each, each >= 0, "weight >= 0")
    results = Results(
        loss=TensorSpec(
            ()
            if reduction != "none"
            else batch
            if reduction == "none" and classes == "last"
            else (n, *d),
            Acc,
        ),
        top=TensorSpec(batch if classes == "last" else (n, *d), Acc),
        rest=TensorSpec(batch if classes == "last" else (n, *d), Acc),
        mass=TensorSpec(batch if classes == "last" else (n, *d), Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(
        results,
        tuned={
            "cpu": lambda: (
                (T,),
                (prod(batch) if classes == "last" else n, c, 1 if classes == "last" else prod(d)),
            )
        },
    )


def infer(
    logits: TensorSpec,
    labels: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> Results:
    """Check a call of `weighted_cross_entropy` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        logits,
        labels,
        weight,
        label_smoothing=label_smoothing,
        reduction=reduction,
        classes=classes,
        ignore_index=ignore_index,
    ).results


def pack(*, outer: int, c: int, inner: int, smoothing: float, ignore_index: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner, smoothing, ignore_index)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


weighted_cross_entropy = CoreOp(
    "weighted_cross_entropy",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels", "weight"),
    op_hash=0x4B8796522F4C,
)
