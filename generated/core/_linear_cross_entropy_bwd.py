"""`linear_cross_entropy_bwd`: Gradient of `linear_cross_entropy`. The logits are computed
again, some of the classes at a time.

Rendered by opgen from linear_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence, check_wanted
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
    "linear_cross_entropy_bwd",
    size=72,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("c", "i64", 24),
        ("ignore_index", "i64", 32),
        ("reduction", "i64", 40),
        ("T", "i64", 48),
        ("I", "i64", 56),
        ("Acc", "i64", 64),
    ),
)

FACTS = OpFacts(
    "linear_cross_entropy_bwd",
    inputs=(
        Input(
            "dloss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
        ),
        Input("hidden", shape(group("batch"), dim("d"))),
        Input("weight", shape(dim("c"), dim("d"))),
        Input("labels", shape(group("batch"))),
        Input("top", shape(group("batch"))),
        Input("log_sum", shape(group("batch"))),
        Input("count", shape(), optional=True, number=(0, 4, 5)),
    ),
    results=(
        Result("dhidden", shape(group("batch"), dim("d")), optional=True, on_request=True),
        Result(
            "dweight",
            shape(dim("c"), dim("d")),
            optional=True,
            on_request=True,
            reduce={"batch": Reduction("sum")},
        ),
    ),
    attrs={"ignore_index": "int", "reduction": "str"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    stages={"c": ("linear_cross_entropy_bwd_part",)},
    linear=(("dloss",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear_cross_entropy_bwd`."""

    dhidden: TensorSpec | None  # Acc[*batch d]
    dweight: TensorSpec | None  # T[c d]


def bind(
    dloss: TensorSpec,
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    log_sum: TensorSpec,
    count: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `linear_cross_entropy_bwd`. Return results and kernel arguments."""
    # Attributes.
    ignore_index = check_attr("linear_cross_entropy_bwd", "ignore_index", ignore_index, "int")
    reduction = check_attr(
        "linear_cross_entropy_bwd", "reduction", reduction, "str", choices=("none", "mean", "sum")
    )
    wanted = check_wanted("linear_cross_entropy_bwd", wanted, ("dhidden", "dweight"))
    # Presence and dtypes.
    T = check_dtype("linear_cross_entropy_bwd", "hidden", hidden, ("f32", "bf16", "f16", "f64"))
    check_dtype("linear_cross_entropy_bwd", "weight", weight, (T,), like="hidden")
    I = check_dtype("linear_cross_entropy_bwd", "labels", labels, ("i64", "i32"))
    check_presence(
        "linear_cross_entropy_bwd", "count", count, reduction == "mean", "reduction == 'mean'"
    )
    Acc = accum(T)
    check_dtype("linear_cross_entropy_bwd", "dloss", dloss, (Acc,), derived="accum(hidden.dtype)")
    check_dtype("linear_cross_entropy_bwd", "top", top, (Acc,), derived="accum(hidden.dtype)")
    check_dtype(
        "linear_cross_entropy_bwd", "log_sum", log_sum, (Acc,), derived="accum(hidden.dtype)"
    )
    if count is not None:
        check_dtype(
            "linear_cross_entropy_bwd", "count", count, (Acc,), derived="accum(hidden.dtype)"
        )
    # Sizes.
    batch: Any = None
    if reduction == "none":
        batch = dloss.shape
    if reduction != "none":
        check_rank("linear_cross_entropy_bwd", "dloss", dloss, "", exactly=0)
    if batch is not None:
        check_rank(
            "linear_cross_entropy_bwd",
            "hidden",
            hidden,
            "*batch d",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if batch is None:
        check_rank("linear_cross_entropy_bwd", "hidden", hidden, "*batch d", at_least=1)
        batch = hidden.shape[:-1]
    d = hidden.shape[-1]
    check_rank("linear_cross_entropy_bwd", "weight", weight, "c d", exactly=2)
    c = weight.shape[0]
    check_rank(
        "linear_cross_entropy_bwd",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    check_rank(
        "linear_cross_entropy_bwd",
        "top",
        top,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    check_rank(
        "linear_cross_entropy_bwd",
        "log_sum",
        log_sum,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    if count is not None:
        check_rank("linear_cross_entropy_bwd", "count", count, "", exactly=0)
    if reduction == "none":
        check_shape(
            "linear_cross_entropy_bwd", "dloss", dloss, batch, "*batch", batch=("hidden", batch)
        )
    if reduction != "none":
        check_shape("linear_cross_entropy_bwd", "dloss", dloss, (), "")
    check_shape(
        "linear_cross_entropy_bwd",
        "hidden",
        hidden,
        (*batch, d),
        "*batch d",
        batch=("dloss", batch),
    )
    check_shape("linear_cross_entropy_bwd", "weight", weight, (c, d), "c d", d=("hidden", d))
    check_shape(
        "linear_cross_entropy_bwd",
        "labels",
        labels,
        batch,
        "*batch",
        batch=("dloss or hidden", batch),
    )
    check_shape(
        "linear_cross_entropy_bwd", "top", top, batch, "*batch", batch=("dloss or hidden", batch)
    )
    check_shape(
        "linear_cross_entropy_bwd",
        "log_sum",
        log_sum,
        batch,
        "*batch",
        batch=("dloss or hidden", batch),
    )
    # Requirements.
    require("linear_cross_entropy_bwd", c > 0, "at least one class", "c of weight", c=c)
    # Values.
    for each in arrays.get("labels", ()):
        check_values(
            "linear_cross_entropy_bwd",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    results = Results(
        dhidden=TensorSpec((*batch, d), Acc) if "dhidden" in wanted else None,
        dweight=TensorSpec((c, d), T) if "dweight" in wanted else None,
    )
    return Launch(results)


def infer(
    dloss: TensorSpec,
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    log_sum: TensorSpec,
    count: TensorSpec | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
) -> Results:
    """Check a call of `linear_cross_entropy_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        count,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=wanted,
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    c: int,
    ignore_index: int,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 72 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, c, ignore_index, reduction, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_cross_entropy_bwd = CoreOp(
    "linear_cross_entropy_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("labels",),
    op_hash=0x87522F5AB8DC,
)
