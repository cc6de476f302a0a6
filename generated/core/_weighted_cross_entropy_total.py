"""`weighted_cross_entropy_total`: The sum of exp(logits - top) of each position, and the sum of
the weights of the labels. A step of `weighted_cross_entropy`.

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
    require,
)

DESCRIPTOR = Descriptor(
    "weighted_cross_entropy_total",
    size=48,
    fields=(
        ("outer", "i64", 0),
        ("c", "i64", 8),
        ("inner", "i64", 16),
        ("smoothing", "f64", 24),
        ("classes", "i64", 32),
        ("ignore_index", "i64", 40),
    ),
)

FACTS = OpFacts(
    "weighted_cross_entropy_total",
    inputs=(
        Input(
            "logits",
            lambda classes, **_: (
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
        ),
        Input(
            "labels",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "top",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
        Input("weight", shape(dim("v")), optional=True),
    ),
    results=(
        Result(
            "total",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
            reduce={"v": Reduction("sum")},
        ),
        Result(
            "count",
            shape(),
            optional=True,
            reduce={
                "v": lambda weight, **_: (
                    Reduction("sum") if weight is not None else Reduction("same")
                ),
                "batch": Reduction("sum"),
                "n": Reduction("sum"),
                "d": Reduction("sum"),
            },
        ),
    ),
    attrs={"c": "int", "classes": "str", "ignore_index": "int", "reduction": "str"},
    platforms=("cpu",),
    split=("batch", "n", "d", "v"),
)


class Results(NamedTuple):
    """The results of `weighted_cross_entropy_total`."""

    total: TensorSpec  # Acc[*batch | n *d]
    count: TensorSpec | None  # type: ignore[assignment]  # Acc[]


def bind(
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    first: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `weighted_cross_entropy_total`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("weighted_cross_entropy_total", "c", c, "int", low=1)
    classes = check_attr(
        "weighted_cross_entropy_total", "classes", classes, "str", choices=("last", "second")
    )
    ignore_index = check_attr("weighted_cross_entropy_total", "ignore_index", ignore_index, "int")
    reduction = check_attr(
        "weighted_cross_entropy_total",
        "reduction",
        reduction,
        "str",
        choices=("none", "mean", "sum"),
    )
    # Dtypes.
    T = check_dtype("weighted_cross_entropy_total", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("weighted_cross_entropy_total", "labels", labels, ("i64", "i32"))
    check_dtype("weighted_cross_entropy_total", "first", first, ("i64",))
    Acc = accum(T)
    check_dtype("weighted_cross_entropy_total", "top", top, (Acc,), derived="accum(logits.dtype)")
    if weight is not None:
        check_dtype(
            "weighted_cross_entropy_total", "weight", weight, (Acc,), derived="accum(logits.dtype)"
        )
    # Sizes.
    batch: Any = None
    v: Any = None
    d: Any = None
    n: Any = None
    if classes == "last":
        check_rank("weighted_cross_entropy_total", "logits", logits, "*batch v", at_least=1)
        batch = logits.shape[:-1]
        v = logits.shape[-1]
    if classes != "last":
        check_rank("weighted_cross_entropy_total", "logits", logits, "n v *d", at_least=2)
        d = logits.shape[2:]
        n = logits.shape[0]
        v = logits.shape[1]
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_total",
            "labels",
            labels,
            "*batch",
            exactly=len(batch),
            of="batch of logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_total",
            "labels",
            labels,
            "n *d",
            exactly=len(d) + 1,
            of="d of logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_total",
            "top",
            top,
            "*batch",
            exactly=len(batch),
            of="batch of logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_total", "top", top, "n *d", exactly=len(d) + 1, of="d of logits"
        )
    check_rank("weighted_cross_entropy_total", "first", first, "", exactly=0)
    if weight is not None:
        check_rank("weighted_cross_entropy_total", "weight", weight, "v", exactly=1)
    if classes == "last":
        check_shape("weighted_cross_entropy_total", "logits", logits, (*batch, v), "*batch v")
    if classes != "last":
        check_shape("weighted_cross_entropy_total", "logits", logits, (n, v, *d), "n v *d")
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_total",
            "labels",
            labels,
            batch,
            "*batch",
            batch=("logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_total",
            "labels",
            labels,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_total", "top", top, batch, "*batch", batch=("logits", batch)
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_total",
            "top",
            top,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if weight is not None:
        check_shape("weighted_cross_entropy_total", "weight", weight, (v,), "v", v=("logits", v))
    # Requirements.
    require("weighted_cross_entropy_total", v > 0, "at least one class", "v of logits", v=v)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "weighted_cross_entropy_total",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("first", ()):
        check_values(
            "weighted_cross_entropy_total",
            "first",
            each,
            (0 <= each) & (each < c),
            "0 <= first < c",
            c=c,
        )
    for each in arrays.get("weight", ()):
        check_values("weighted_cross_entropy_total", "weight", each, each >= 0, "weight >= 0")
    results = Results(
        total=TensorSpec(batch if classes == "last" else (n, *d), Acc),
        count=TensorSpec((), Acc) if reduction == "mean" else None,
    )
    return Launch(results)


def infer(
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    first: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Results:
    """Check a call of `weighted_cross_entropy_total` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        logits,
        labels,
        top,
        first,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        reduction=reduction,
    ).results


def pack(
    *, outer: int, c: int, inner: int, smoothing: float = 0.0, classes: int, ignore_index: int
) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner, smoothing, classes, ignore_index)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


weighted_cross_entropy_total = CoreOp(
    "weighted_cross_entropy_total",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels", "first", "weight"),
    op_hash=0x0A0AFEDAF8C1,
)
