"""`cross_entropy_bwd_part`: The gradient of `cross_entropy` for some of the classes. A step of
`cross_entropy_bwd`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
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
)

DESCRIPTOR = Descriptor(
    "cross_entropy_bwd_part",
    size=80,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("v", "i64", 16),
        ("c", "i64", 24),
        ("ignore_index", "i64", 32),
        ("label_smoothing", "f64", 40),
        ("reduction", "i64", 48),
        ("T", "i64", 56),
        ("I", "i64", 64),
        ("Acc", "i64", 72),
    ),
)

FACTS = OpFacts(
    "cross_entropy_bwd_part",
    inputs=(
        Input(
            "dloss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
        ),
        Input("logits", shape(group("batch"), dim("v"))),
        Input("labels", shape(group("batch"))),
        Input("top", shape(group("batch"))),
        Input("rest", shape(group("batch"))),
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
        Input("count", shape(), optional=True, number=(0, 3, 4)),
    ),
    results=(Result("dlogits", shape(group("batch"), dim("v"))),),
    attrs={"c": "int", "ignore_index": "int", "label_smoothing": "float", "reduction": "str"},
    platforms=("cpu", "cuda"),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy_bwd_part`."""

    dlogits: TensorSpec  # T[*batch v]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `cross_entropy_bwd_part`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("cross_entropy_bwd_part", "c", c, "int", low=1)
    ignore_index = check_attr("cross_entropy_bwd_part", "ignore_index", ignore_index, "int")
    label_smoothing = check_attr(
        "cross_entropy_bwd_part", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "cross_entropy_bwd_part", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Presence and dtypes.
    T = check_dtype("cross_entropy_bwd_part", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("cross_entropy_bwd_part", "labels", labels, ("i64", "i32"))
    check_dtype("cross_entropy_bwd_part", "first", first, ("i64",))
    check_presence(
        "cross_entropy_bwd_part", "count", count, reduction == "mean", "reduction == 'mean'"
    )
    Acc = accum(T)
    check_dtype("cross_entropy_bwd_part", "dloss", dloss, (Acc,), derived="accum(logits.dtype)")
    check_dtype("cross_entropy_bwd_part", "top", top, (Acc,), derived="accum(logits.dtype)")
    check_dtype("cross_entropy_bwd_part", "rest", rest, (Acc,), derived="accum(logits.dtype)")
    if count is not None:
        check_dtype("cross_entropy_bwd_part", "count", count, (Acc,), derived="accum(logits.dtype)")
    # Sizes.
    batch: Any = None
    if reduction == "none":
        batch = dloss.shape
    if reduction != "none":
        check_rank("cross_entropy_bwd_part", "dloss", dloss, "", exactly=0)
    if batch is not None:
        check_rank(
            "cross_entropy_bwd_part",
            "logits",
            logits,
            "*batch v",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if batch is None:
        check_rank("cross_entropy_bwd_part", "logits", logits, "*batch v", at_least=1)
        batch = logits.shape[:-1]
    v = logits.shape[-1]
    check_rank(
        "cross_entropy_bwd_part",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or logits",
    )
    check_rank(
        "cross_entropy_bwd_part",
        "top",
        top,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or logits",
    )
    check_rank(
        "cross_entropy_bwd_part",
        "rest",
        rest,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or logits",
    )
    check_rank("cross_entropy_bwd_part", "first", first, "", exactly=0)
    if count is not None:
        check_rank("cross_entropy_bwd_part", "count", count, "", exactly=0)
    if reduction == "none":
        check_shape(
            "cross_entropy_bwd_part", "dloss", dloss, batch, "*batch", batch=("logits", batch)
        )
    if reduction != "none":
        check_shape("cross_entropy_bwd_part", "dloss", dloss, (), "")
    check_shape(
        "cross_entropy_bwd_part", "logits", logits, (*batch, v), "*batch v", batch=("dloss", batch)
    )
    check_shape(
        "cross_entropy_bwd_part",
        "labels",
        labels,
        batch,
        "*batch",
        batch=("dloss or logits", batch),
    )
    check_shape(
        "cross_entropy_bwd_part", "top", top, batch, "*batch", batch=("dloss or logits", batch)
    )
    check_shape(
        "cross_entropy_bwd_part", "rest", rest, batch, "*batch", batch=("dloss or logits", batch)
    )
    # Values.
    for each in arrays.get("logits", ()):
        check_values(
            "cross_entropy_bwd_part", "logits", each, each < 1000000000.0, "logits < 1000000000.0"
        )
    for each in arrays.get("labels", ()):
        check_values(
            "cross_entropy_bwd_part",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("top", ()):
        check_values(
            "cross_entropy_bwd_part", "top", each, each > -1000000000.0, "top > -1000000000.0"
        )
    for each in arrays.get("rest", ()):
        check_values("cross_entropy_bwd_part", "rest", each, each >= 0, "rest >= 0")
    for each in arrays.get("first", ()):
        check_values(
            "cross_entropy_bwd_part", "first", each, (0 <= each) & (each < c), "0 <= first < c", c=c
        )
    for each in arrays.get("count", ()):
        check_values("cross_entropy_bwd_part", "count", each, each >= 1, "count >= 1")
    results = Results(dlogits=TensorSpec((*batch, v), T))
    return Launch(results)


def infer(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Results:
    """Check a call of `cross_entropy_bwd_part` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        logits,
        labels,
        top,
        rest,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    v: int,
    c: int,
    ignore_index: int,
    label_smoothing: float,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 80 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(
        batch, batch_rank, v, c, ignore_index, label_smoothing, reduction, T, I, Acc
    )


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


cross_entropy_bwd_part = CoreOp(
    "cross_entropy_bwd_part",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("logits", "labels", "top", "rest", "first", "count"),
    op_hash=0x3F798628E011,
)
