"""`linear_cross_entropy_terms`: The terms of the loss of each row. A step of
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
    require,
)

DESCRIPTOR = Descriptor(
    "linear_cross_entropy_terms",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("v", "i64", 24),
        ("ignore_index", "i64", 32),
        ("c", "i64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "linear_cross_entropy_terms",
    inputs=(
        Input("hidden", shape(group("batch"), dim("d")), folds=True),
        Input("weight", shape(dim("v"), dim("d"))),
        Input("labels", shape(group("batch")), folds=True),
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
    ),
    results=(
        Result("top", shape(group("batch")), reduce={"v": Reduction("max")}),
        Result("total", shape(group("batch")), reduce={"v": Reduction("sum_exp", "top")}),
        Result("at_label", shape(group("batch")), reduce={"v": Reduction("sum")}),
    ),
    attrs={"c": "int", "ignore_index": "int"},
    platforms=("cpu",),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear_cross_entropy_terms`."""

    top: TensorSpec  # Acc[*batch]
    total: TensorSpec  # Acc[*batch]
    at_label: TensorSpec  # Acc[*batch]


def bind(
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    first: TensorSpec,
    *,
    c: int,
    ignore_index: int = -100,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `linear_cross_entropy_terms`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("linear_cross_entropy_terms", "c", c, "int", low=1)
    ignore_index = check_attr("linear_cross_entropy_terms", "ignore_index", ignore_index, "int")
    # Dtypes.
    T = check_dtype("linear_cross_entropy_terms", "hidden", hidden, ("f32", "bf16", "f16", "f64"))
    check_dtype("linear_cross_entropy_terms", "weight", weight, (T,), like="hidden")
    I = check_dtype("linear_cross_entropy_terms", "labels", labels, ("i64", "i32"))
    check_dtype("linear_cross_entropy_terms", "first", first, ("i64",))
    Acc = accum(T)
    # Sizes.
    check_rank("linear_cross_entropy_terms", "hidden", hidden, "*batch d", at_least=1)
    batch = hidden.shape[:-1]
    d = hidden.shape[-1]
    check_rank("linear_cross_entropy_terms", "weight", weight, "v d", exactly=2)
    v = weight.shape[0]
    check_rank(
        "linear_cross_entropy_terms",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of hidden",
    )
    check_rank("linear_cross_entropy_terms", "first", first, "", exactly=0)
    check_shape("linear_cross_entropy_terms", "weight", weight, (v, d), "v d", d=("hidden", d))
    check_shape(
        "linear_cross_entropy_terms", "labels", labels, batch, "*batch", batch=("hidden", batch)
    )
    # Requirements.
    require("linear_cross_entropy_terms", v > 0, "at least one class", "v of weight", v=v)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "linear_cross_entropy_terms",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("first", ()):
        check_values(
            "linear_cross_entropy_terms",
            "first",
            each,
            (0 <= each) & (each < c),
            "0 <= first < c",
            c=c,
        )
    results = Results(
        top=TensorSpec(batch, Acc), total=TensorSpec(batch, Acc), at_label=TensorSpec(batch, Acc)
    )
    return Launch(results)


def infer(
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    first: TensorSpec,
    *,
    c: int,
    ignore_index: int = -100,
) -> Results:
    """Check a call of `linear_cross_entropy_terms` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(hidden, weight, labels, first, c=c, ignore_index=ignore_index).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    v: int,
    ignore_index: int,
    c: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 72 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, v, ignore_index, c, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_cross_entropy_terms = CoreOp(
    "linear_cross_entropy_terms",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels", "first"),
    op_hash=0xB9F0CC17C210,
)
