"""`weighted_cross_entropy_bwd`: Gradient of `weighted_cross_entropy`.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
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
    "weighted_cross_entropy_bwd",
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
    "weighted_cross_entropy_bwd",
    inputs=(
        Input(
            "dloss",
            lambda reduction, classes, **_: (
                shape()
                if reduction != "none"
                else shape(group("batch"))
                if reduction == "none" and classes == "last"
                else shape(dim("n"), group("d"))
            ),
        ),
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
        Input(
            "top",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "rest",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input(
            "mass",
            lambda classes, **_: (
                shape(group("batch")) if classes == "last" else shape(dim("n"), group("d"))
            ),
        ),
        Input("count", shape(), optional=True, number=(0, 3, 4, 5, 7)),
        Input("weight", shape(dim("c")), optional=True),
    ),
    results=(
        Result(
            "dlogits",
            lambda classes, **_: (
                shape(group("batch"), dim("c"))
                if classes == "last"
                else shape(dim("n"), dim("c"), group("d"))
            ),
        ),
    ),
    attrs={"label_smoothing": "float", "reduction": "str", "classes": "str", "ignore_index": "int"},
    platforms=("cpu", "cuda"),
    split=("batch", "n", "d"),
    stages={"c": ("weighted_cross_entropy_bwd_part",)},
    linear=(("dloss",),),
)


class Results(NamedTuple):
    """The results of `weighted_cross_entropy_bwd`."""

    dlogits: TensorSpec  # T[*batch c | n c *d]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    count: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `weighted_cross_entropy_bwd`. Return results and kernel arguments."""
    # Attributes.
    label_smoothing = check_attr(
        "weighted_cross_entropy_bwd", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "weighted_cross_entropy_bwd", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    classes = check_attr(
        "weighted_cross_entropy_bwd", "classes", classes, "str", choices=("last", "second")
    )
    ignore_index = check_attr("weighted_cross_entropy_bwd", "ignore_index", ignore_index, "int")
    # Presence and dtypes.
    T = check_dtype("weighted_cross_entropy_bwd", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("weighted_cross_entropy_bwd", "labels", labels, ("i64", "i32"))
    check_presence(
        "weighted_cross_entropy_bwd", "count", count, reduction == "mean", "reduction == 'mean'"
    )
    Acc = accum(T)
    check_dtype("weighted_cross_entropy_bwd", "dloss", dloss, (Acc,), derived="accum(logits.dtype)")
    check_dtype("weighted_cross_entropy_bwd", "top", top, (Acc,), derived="accum(logits.dtype)")
    check_dtype("weighted_cross_entropy_bwd", "rest", rest, (Acc,), derived="accum(logits.dtype)")
    check_dtype("weighted_cross_entropy_bwd", "mass", mass, (Acc,), derived="accum(logits.dtype)")
    if count is not None:
        check_dtype(
            "weighted_cross_entropy_bwd", "count", count, (Acc,), derived="accum(logits.dtype)"
        )
    if weight is not None:
        check_dtype(
            "weighted_cross_entropy_bwd", "weight", weight, (Acc,), derived="accum(logits.dtype)"
        )
    # Sizes.
    batch: Any = None
    d: Any = None
    n: Any = None
    c: Any = None
    if reduction != "none":
        check_rank("weighted_cross_entropy_bwd", "dloss", dloss, "", exactly=0)
    if reduction == "none" and classes == "last":
        batch = dloss.shape
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_rank("weighted_cross_entropy_bwd", "dloss", dloss, "n *d", at_least=1)
        d = dloss.shape[1:]
        n = dloss.shape[0]
    if classes == "last" and batch is not None:
        check_rank(
            "weighted_cross_entropy_bwd",
            "logits",
            logits,
            "*batch c",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if classes == "last" and batch is None:
        check_rank("weighted_cross_entropy_bwd", "logits", logits, "*batch c", at_least=1)
        batch = logits.shape[:-1]
    if classes == "last":
        c = logits.shape[-1]
    if classes != "last" and d is not None:
        check_rank(
            "weighted_cross_entropy_bwd",
            "logits",
            logits,
            "n c *d",
            exactly=len(d) + 2,
            of="d of dloss",
        )
    if classes != "last" and d is None:
        check_rank("weighted_cross_entropy_bwd", "logits", logits, "n c *d", at_least=2)
        d = logits.shape[2:]
    if classes != "last" and n is None:
        n = logits.shape[0]
    if classes != "last":
        c = logits.shape[1]
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "labels",
            labels,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "labels",
            labels,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "top",
            top,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "top",
            top,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "rest",
            rest,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "rest",
            rest,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "mass",
            mass,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd",
            "mass",
            mass,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if count is not None:
        check_rank("weighted_cross_entropy_bwd", "count", count, "", exactly=0)
    if weight is not None:
        check_rank("weighted_cross_entropy_bwd", "weight", weight, "c", exactly=1)
    if reduction != "none":
        check_shape("weighted_cross_entropy_bwd", "dloss", dloss, (), "")
    if reduction == "none" and classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd", "dloss", dloss, batch, "*batch", batch=("logits", batch)
        )
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_shape(
            "weighted_cross_entropy_bwd",
            "dloss",
            dloss,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "logits",
            logits,
            (*batch, c),
            "*batch c",
            batch=("dloss", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "logits",
            logits,
            (n, c, *d),
            "n c *d",
            n=("dloss", n),
            d=("dloss", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "labels",
            labels,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "labels",
            labels,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "top",
            top,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "top",
            top,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "rest",
            rest,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "rest",
            rest,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "mass",
            mass,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd",
            "mass",
            mass,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if weight is not None:
        check_shape("weighted_cross_entropy_bwd", "weight", weight, (c,), "c", c=("logits", c))
    # Requirements.
    require("weighted_cross_entropy_bwd", c > 0, "at least one class", "c of logits", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "weighted_cross_entropy_bwd",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("rest", ()):
        check_values("weighted_cross_entropy_bwd", "rest", each, each >= 0, "rest >= 0")
    results = Results(dlogits=TensorSpec((*batch, c) if classes == "last" else (n, c, *d), T))
    return Launch(results)


def infer(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    count: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    classes: str = "last",
    ignore_index: int = -100,
) -> Results:
    """Check a call of `weighted_cross_entropy_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        count,
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


weighted_cross_entropy_bwd = CoreOp(
    "weighted_cross_entropy_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels", "rest"),
    op_hash=0x5714CB5AF289,
)
