"""`weighted_cross_entropy_bwd_part`: The gradient of `weighted_cross_entropy` for some of the
classes. A step of `weighted_cross_entropy_bwd`.

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
    "weighted_cross_entropy_bwd_part",
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
    "weighted_cross_entropy_bwd_part",
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
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
        Input("count", shape(), optional=True, number=(0, 3, 4, 5, 8)),
        Input("weight", shape(dim("v")), optional=True),
    ),
    results=(
        Result(
            "dlogits",
            lambda classes, **_: (
                shape(group("batch"), dim("v"))
                if classes == "last"
                else shape(dim("n"), dim("v"), group("d"))
            ),
        ),
    ),
    attrs={
        "c": "int",
        "classes": "str",
        "ignore_index": "int",
        "label_smoothing": "float",
        "reduction": "str",
    },
    platforms=("cpu",),
    split=("batch", "n", "d", "v"),
)


class Results(NamedTuple):
    """The results of `weighted_cross_entropy_bwd_part`."""

    dlogits: TensorSpec  # T[*batch v | n v *d]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `weighted_cross_entropy_bwd_part`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("weighted_cross_entropy_bwd_part", "c", c, "int", low=1)
    classes = check_attr(
        "weighted_cross_entropy_bwd_part", "classes", classes, "str", choices=("last", "second")
    )
    ignore_index = check_attr(
        "weighted_cross_entropy_bwd_part", "ignore_index", ignore_index, "int"
    )
    label_smoothing = check_attr(
        "weighted_cross_entropy_bwd_part",
        "label_smoothing",
        label_smoothing,
        "float",
        low=0.0,
        high=1.0,
    )
    reduction = check_attr(
        "weighted_cross_entropy_bwd_part",
        "reduction",
        reduction,
        "str",
        choices=("none", "mean", "sum"),
    )
    # Presence and dtypes.
    T = check_dtype(
        "weighted_cross_entropy_bwd_part", "logits", logits, ("f32", "bf16", "f16", "f64")
    )
    I = check_dtype("weighted_cross_entropy_bwd_part", "labels", labels, ("i64", "i32"))
    check_dtype("weighted_cross_entropy_bwd_part", "first", first, ("i64",))
    check_presence(
        "weighted_cross_entropy_bwd_part",
        "count",
        count,
        reduction == "mean",
        "reduction == 'mean'",
    )
    Acc = accum(T)
    check_dtype(
        "weighted_cross_entropy_bwd_part", "dloss", dloss, (Acc,), derived="accum(logits.dtype)"
    )
    check_dtype(
        "weighted_cross_entropy_bwd_part", "top", top, (Acc,), derived="accum(logits.dtype)"
    )
    check_dtype(
        "weighted_cross_entropy_bwd_part", "rest", rest, (Acc,), derived="accum(logits.dtype)"
    )
    check_dtype(
        "weighted_cross_entropy_bwd_part", "mass", mass, (Acc,), derived="accum(logits.dtype)"
    )
    if count is not None:
        check_dtype(
            "weighted_cross_entropy_bwd_part", "count", count, (Acc,), derived="accum(logits.dtype)"
        )
    if weight is not None:
        check_dtype(
            "weighted_cross_entropy_bwd_part",
            "weight",
            weight,
            (Acc,),
            derived="accum(logits.dtype)",
        )
    # Sizes.
    batch: Any = None
    d: Any = None
    n: Any = None
    v: Any = None
    if reduction != "none":
        check_rank("weighted_cross_entropy_bwd_part", "dloss", dloss, "", exactly=0)
    if reduction == "none" and classes == "last":
        batch = dloss.shape
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_rank("weighted_cross_entropy_bwd_part", "dloss", dloss, "n *d", at_least=1)
        d = dloss.shape[1:]
        n = dloss.shape[0]
    if classes == "last" and batch is not None:
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "logits",
            logits,
            "*batch v",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if classes == "last" and batch is None:
        check_rank("weighted_cross_entropy_bwd_part", "logits", logits, "*batch v", at_least=1)
        batch = logits.shape[:-1]
    if classes == "last":
        v = logits.shape[-1]
    if classes != "last" and d is not None:
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "logits",
            logits,
            "n v *d",
            exactly=len(d) + 2,
            of="d of dloss",
        )
    if classes != "last" and d is None:
        check_rank("weighted_cross_entropy_bwd_part", "logits", logits, "n v *d", at_least=2)
        d = logits.shape[2:]
    if classes != "last" and n is None:
        n = logits.shape[0]
    if classes != "last":
        v = logits.shape[1]
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "labels",
            labels,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "labels",
            labels,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "top",
            top,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "top",
            top,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "rest",
            rest,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "rest",
            rest,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    if classes == "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "mass",
            mass,
            "*batch",
            exactly=len(batch),
            of="batch of dloss or logits",
        )
    if classes != "last":
        check_rank(
            "weighted_cross_entropy_bwd_part",
            "mass",
            mass,
            "n *d",
            exactly=len(d) + 1,
            of="d of dloss or logits",
        )
    check_rank("weighted_cross_entropy_bwd_part", "first", first, "", exactly=0)
    if count is not None:
        check_rank("weighted_cross_entropy_bwd_part", "count", count, "", exactly=0)
    if weight is not None:
        check_rank("weighted_cross_entropy_bwd_part", "weight", weight, "v", exactly=1)
    if reduction != "none":
        check_shape("weighted_cross_entropy_bwd_part", "dloss", dloss, (), "")
    if reduction == "none" and classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "dloss",
            dloss,
            batch,
            "*batch",
            batch=("logits", batch),
        )
    if not (reduction != "none") and not (reduction == "none" and classes == "last"):
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "dloss",
            dloss,
            (n, *d),
            "n *d",
            n=("logits", n),
            d=("logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "logits",
            logits,
            (*batch, v),
            "*batch v",
            batch=("dloss", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "logits",
            logits,
            (n, v, *d),
            "n v *d",
            n=("dloss", n),
            d=("dloss", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "labels",
            labels,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "labels",
            labels,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "top",
            top,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "top",
            top,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "rest",
            rest,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "rest",
            rest,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if classes == "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "mass",
            mass,
            batch,
            "*batch",
            batch=("dloss or logits", batch),
        )
    if classes != "last":
        check_shape(
            "weighted_cross_entropy_bwd_part",
            "mass",
            mass,
            (n, *d),
            "n *d",
            n=("dloss or logits", n),
            d=("dloss or logits", d),
        )
    if weight is not None:
        check_shape("weighted_cross_entropy_bwd_part", "weight", weight, (v,), "v", v=("logits", v))
    # Requirements.
    require("weighted_cross_entropy_bwd_part", v > 0, "at least one class", "v of logits", v=v)
    # Values.
    for each in arrays.get("logits", ()):
        check_values(
            "weighted_cross_entropy_bwd_part",
            "logits",
            each,
            each < 1000000000.0,
            "logits < 1000000000.0",
        )
    for each in arrays.get("labels", ()):
        check_values(
            "weighted_cross_entropy_bwd_part",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("top", ()):
        check_values(
            "weighted_cross_entropy_bwd_part",
            "top",
            each,
            each > -1000000000.0,
            "top > -1000000000.0",
        )
    for each in arrays.get("rest", ()):
        check_values("weighted_cross_entropy_bwd_part", "rest", each, each >= 0, "rest >= 0")
    for each in arrays.get("first", ()):
        check_values(
            "weighted_cross_entropy_bwd_part",
            "first",
            each,
            (0 <= each) & (each < c),
            "0 <= first < c",
            c=c,
        )
    for each in arrays.get("count", ()):
        check_values("weighted_cross_entropy_bwd_part", "count", each, each >= 1, "count >= 1")
    results = Results(dlogits=TensorSpec((*batch, v) if classes == "last" else (n, v, *d), T))
    return Launch(results)


def infer(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    mass: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    c: int,
    classes: str = "last",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Results:
    """Check a call of `weighted_cross_entropy_bwd_part` and give the shapes and dtypes of its
    results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        logits,
        labels,
        top,
        rest,
        mass,
        first,
        count,
        weight,
        c=c,
        classes=classes,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    ).results


def pack(
    *, outer: int, c: int, inner: int, smoothing: float, classes: int, ignore_index: int
) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(outer, c, inner, smoothing, classes, ignore_index)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


weighted_cross_entropy_bwd_part = CoreOp(
    "weighted_cross_entropy_bwd_part",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("logits", "labels", "top", "rest", "first", "count"),
    op_hash=0x2FB4575E75DF,
)
