"""`cross_entropy_terms`: The terms of the loss of each row of `logits`, relative to `top`. A
step of `cross_entropy`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
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
    "cross_entropy_terms",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("v", "i64", 16),
        ("c", "i64", 24),
        ("ignore_index", "i64", 32),
        ("label_smoothing", "f64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "cross_entropy_terms",
    inputs=(
        Input("logits", shape(group("batch"), dim("v")), folds=True),
        Input("labels", shape(group("batch")), folds=True),
        Input("top", shape(group("batch")), folds=True),
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
    ),
    results=(
        Result("total", shape(group("batch")), reduce={"v": Reduction("sum")}),
        Result("missed", shape(group("batch")), reduce={"v": Reduction("sum")}),
        Result("below", shape(group("batch")), optional=True, reduce={"v": Reduction("mean")}),
    ),
    attrs={"c": "int", "ignore_index": "int", "label_smoothing": "float"},
    platforms=("cpu", "cuda"),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy_terms`."""

    total: TensorSpec  # Acc[*batch]
    missed: TensorSpec  # Acc[*batch]
    below: TensorSpec | None  # Acc[*batch]


def bind(
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    first: TensorSpec,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `cross_entropy_terms`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("cross_entropy_terms", "c", c, "int", low=1)
    ignore_index = check_attr("cross_entropy_terms", "ignore_index", ignore_index, "int")
    label_smoothing = check_attr(
        "cross_entropy_terms", "label_smoothing", label_smoothing, "float", low=0.0, high=1.0
    )
    # Dtypes.
    T = check_dtype("cross_entropy_terms", "logits", logits, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("cross_entropy_terms", "labels", labels, ("i64", "i32"))
    check_dtype("cross_entropy_terms", "first", first, ("i64",))
    Acc = accum(T)
    check_dtype("cross_entropy_terms", "top", top, (Acc,), derived="accum(logits.dtype)")
    # Sizes.
    check_rank("cross_entropy_terms", "logits", logits, "*batch v", at_least=1)
    batch = logits.shape[:-1]
    v = logits.shape[-1]
    check_rank(
        "cross_entropy_terms", "labels", labels, "*batch", exactly=len(batch), of="batch of logits"
    )
    check_rank(
        "cross_entropy_terms", "top", top, "*batch", exactly=len(batch), of="batch of logits"
    )
    check_rank("cross_entropy_terms", "first", first, "", exactly=0)
    check_shape("cross_entropy_terms", "labels", labels, batch, "*batch", batch=("logits", batch))
    check_shape("cross_entropy_terms", "top", top, batch, "*batch", batch=("logits", batch))
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "cross_entropy_terms",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("first", ()):
        check_values(
            "cross_entropy_terms", "first", each, (0 <= each) & (each < c), "0 <= first < c", c=c
        )
    results = Results(
        total=TensorSpec(batch, Acc),
        missed=TensorSpec(batch, Acc),
        below=TensorSpec(batch, Acc) if label_smoothing > 0.0 else None,
    )
    return Launch(results)


def infer(
    logits: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    first: TensorSpec,
    *,
    c: int,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Results:
    """Check a call of `cross_entropy_terms` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        logits, labels, top, first, c=c, ignore_index=ignore_index, label_smoothing=label_smoothing
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    v: int,
    c: int,
    ignore_index: int,
    label_smoothing: float,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 72 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, v, c, ignore_index, label_smoothing, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


cross_entropy_terms = CoreOp(
    "cross_entropy_terms",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels", "first"),
    op_hash=0x0F26524657AB,
)
