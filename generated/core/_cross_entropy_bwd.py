"""`cross_entropy_bwd`: Gradient of `cross_entropy`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence
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
    "cross_entropy_bwd",
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
    "cross_entropy_bwd",
    inputs=(
        Input(
            "dloss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
        ),
        Input("logits", shape(group("batch"), dim("c"))),
        Input("labels", shape(group("batch"))),
        Input("top", shape(group("batch"))),
        Input("rest", shape(group("batch"))),
        Input("count", shape(), optional=True, number=(0, 3, 4)),
    ),
    results=(Result("dlogits", shape(group("batch"), dim("c"))),),
    attrs={"ignore_index": "int", "label_smoothing": "float", "reduction": "str"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    stages={"c": ("cross_entropy_bwd_part",)},
    linear=(("dloss",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy_bwd`."""

    dlogits: TensorSpec  # T[*batch c]


def bind(
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    count: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `cross_entropy_bwd`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("cross_entropy_bwd", "ignore_index", ignore_index, "int")
    label_smoothing = check_attr(
        "cross_entropy_bwd", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    reduction = check_attr(
        "cross_entropy_bwd", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    # Presence and dtypes.
    T = check_dtype("cross_entropy_bwd", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("cross_entropy_bwd", "labels", labels, ("i64", "i32"))
    check_presence("cross_entropy_bwd", "count", count, reduction == "mean", "reduction == 'mean'")
    Acc = accum(T)
    check_dtype("cross_entropy_bwd", "dloss", dloss, (Acc,), derived="accum(logits.dtype)")
    check_dtype("cross_entropy_bwd", "top", top, (Acc,), derived="accum(logits.dtype)")
    check_dtype("cross_entropy_bwd", "rest", rest, (Acc,), derived="accum(logits.dtype)")
    if count is not None:
        check_dtype("cross_entropy_bwd", "count", count, (Acc,), derived="accum(logits.dtype)")
    # Sizes.
    batch: Any = None
    if reduction == "none":
        batch = dloss.shape
    if reduction != "none":
        check_rank("cross_entropy_bwd", "dloss", dloss, "", exactly=0)
    if batch is not None:
        check_rank(
            "cross_entropy_bwd",
            "logits",
            logits,
            "*batch c",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if batch is None:
        check_rank("cross_entropy_bwd", "logits", logits, "*batch c", at_least=1)
        batch = logits.shape[:-1]
    c = logits.shape[-1]
    check_rank(
        "cross_entropy_bwd",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or logits",
    )
    check_rank(
        "cross_entropy_bwd", "top", top, "*batch", exactly=len(batch), of="batch of dloss or logits"
    )
    check_rank(
        "cross_entropy_bwd",
        "rest",
        rest,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or logits",
    )
    if count is not None:
        check_rank("cross_entropy_bwd", "count", count, "", exactly=0)
    if reduction == "none":
        check_shape("cross_entropy_bwd", "dloss", dloss, batch, "*batch", batch=("logits", batch))
    if reduction != "none":
        check_shape("cross_entropy_bwd", "dloss", dloss, (), "")
    check_shape(
        "cross_entropy_bwd", "logits", logits, (*batch, c), "*batch c", batch=("dloss", batch)
    )
    check_shape(
        "cross_entropy_bwd", "labels", labels, batch, "*batch", batch=("dloss or logits", batch)
    )
    check_shape("cross_entropy_bwd", "top", top, batch, "*batch", batch=("dloss or logits", batch))
    check_shape(
        "cross_entropy_bwd", "rest", rest, batch, "*batch", batch=("dloss or logits", batch)
    )
    # Requirements.
    require("cross_entropy_bwd", c > 0, "at least one class", "c of logits", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "cross_entropy_bwd",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    results = Results(dlogits=TensorSpec((*batch, c), T))
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
    dloss: TensorSpec,
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    rest: TensorSpec,
    count: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Results:
    """Check a call of `cross_entropy_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        logits,
        labels,
        top,
        rest,
        count,
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


cross_entropy_bwd = CoreOp(
    "cross_entropy_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels",),
    op_hash=0x27CBB07335BB,
)
