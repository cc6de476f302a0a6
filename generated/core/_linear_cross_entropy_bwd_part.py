"""`linear_cross_entropy_bwd_part`: The gradients of `linear_cross_entropy` from some of the
classes. A step of `linear_cross_entropy_bwd`.

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
    "linear_cross_entropy_bwd_part",
    size=80,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("v", "i64", 24),
        ("ignore_index", "i64", 32),
        ("c", "i64", 40),
        ("reduction", "i64", 48),
        ("T", "i64", 56),
        ("I", "i64", 64),
        ("Acc", "i64", 72),
    ),
)

FACTS = OpFacts(
    "linear_cross_entropy_bwd_part",
    inputs=(
        Input(
            "dloss",
            lambda reduction, **_: shape(group("batch")) if reduction == "none" else shape(),
        ),
        Input("hidden", shape(group("batch"), dim("d"))),
        Input("weight", shape(dim("v"), dim("d"))),
        Input("labels", shape(group("batch"))),
        Input("top", shape(group("batch"))),
        Input("log_sum", shape(group("batch"))),
        Input("first", shape(), wide="i64", number=("i64",), begin="v"),
        Input("count", shape(), optional=True, number=(0, 4, 5)),
    ),
    results=(
        Result(
            "dhidden",
            shape(group("batch"), dim("d")),
            optional=True,
            on_request=True,
            reduce={"v": Reduction("sum")},
        ),
        Result(
            "dweight",
            shape(dim("v"), dim("d")),
            optional=True,
            on_request=True,
            reduce={"batch": Reduction("sum")},
        ),
    ),
    attrs={"c": "int", "ignore_index": "int", "reduction": "str"},
    platforms=("cpu",),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `linear_cross_entropy_bwd_part`."""

    dhidden: TensorSpec | None  # Acc[*batch d]
    dweight: TensorSpec | None  # T[v d]


def bind(
    dloss: TensorSpec,
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    log_sum: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `linear_cross_entropy_bwd_part`. Return results and kernel arguments."""
    # Attributes.
    c = check_attr("linear_cross_entropy_bwd_part", "c", c, "int", low=1)
    ignore_index = check_attr("linear_cross_entropy_bwd_part", "ignore_index", ignore_index, "int")
    reduction = check_attr(
        "linear_cross_entropy_bwd_part",
        "reduction",
        reduction,
        "str",
        choices=("none", "mean", "sum"),
    )
    wanted = check_wanted("linear_cross_entropy_bwd_part", wanted, ("dhidden", "dweight"))
    # Presence and dtypes.
    T = check_dtype(
        "linear_cross_entropy_bwd_part", "hidden", hidden, ("f32", "bf16", "f16", "f64")
    )
    check_dtype("linear_cross_entropy_bwd_part", "weight", weight, (T,), like="hidden")
    I = check_dtype("linear_cross_entropy_bwd_part", "labels", labels, ("i64", "i32"))
    check_dtype("linear_cross_entropy_bwd_part", "first", first, ("i64",))
    check_presence(
        "linear_cross_entropy_bwd_part", "count", count, reduction == "mean", "reduction == 'mean'"
    )
    Acc = accum(T)
    check_dtype(
        "linear_cross_entropy_bwd_part", "dloss", dloss, (Acc,), derived="accum(hidden.dtype)"
    )
    check_dtype("linear_cross_entropy_bwd_part", "top", top, (Acc,), derived="accum(hidden.dtype)")
    check_dtype(
        "linear_cross_entropy_bwd_part", "log_sum", log_sum, (Acc,), derived="accum(hidden.dtype)"
    )
    if count is not None:
        check_dtype(
            "linear_cross_entropy_bwd_part", "count", count, (Acc,), derived="accum(hidden.dtype)"
        )
    # Sizes.
    batch: Any = None
    if reduction == "none":
        batch = dloss.shape
    if reduction != "none":
        check_rank("linear_cross_entropy_bwd_part", "dloss", dloss, "", exactly=0)
    if batch is not None:
        check_rank(
            "linear_cross_entropy_bwd_part",
            "hidden",
            hidden,
            "*batch d",
            exactly=len(batch) + 1,
            of="batch of dloss",
        )
    if batch is None:
        check_rank("linear_cross_entropy_bwd_part", "hidden", hidden, "*batch d", at_least=1)
        batch = hidden.shape[:-1]
    d = hidden.shape[-1]
    check_rank("linear_cross_entropy_bwd_part", "weight", weight, "v d", exactly=2)
    v = weight.shape[0]
    check_rank(
        "linear_cross_entropy_bwd_part",
        "labels",
        labels,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    check_rank(
        "linear_cross_entropy_bwd_part",
        "top",
        top,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    check_rank(
        "linear_cross_entropy_bwd_part",
        "log_sum",
        log_sum,
        "*batch",
        exactly=len(batch),
        of="batch of dloss or hidden",
    )
    check_rank("linear_cross_entropy_bwd_part", "first", first, "", exactly=0)
    if count is not None:
        check_rank("linear_cross_entropy_bwd_part", "count", count, "", exactly=0)
    if reduction == "none":
        check_shape(
            "linear_cross_entropy_bwd_part",
            "dloss",
            dloss,
            batch,
            "*batch",
            batch=("hidden", batch),
        )
    if reduction != "none":
        check_shape("linear_cross_entropy_bwd_part", "dloss", dloss, (), "")
    check_shape(
        "linear_cross_entropy_bwd_part",
        "hidden",
        hidden,
        (*batch, d),
        "*batch d",
        batch=("dloss", batch),
    )
    check_shape("linear_cross_entropy_bwd_part", "weight", weight, (v, d), "v d", d=("hidden", d))
    check_shape(
        "linear_cross_entropy_bwd_part",
        "labels",
        labels,
        batch,
        "*batch",
        batch=("dloss or hidden", batch),
    )
    check_shape(
        "linear_cross_entropy_bwd_part",
        "top",
        top,
        batch,
        "*batch",
        batch=("dloss or hidden", batch),
    )
    check_shape(
        "linear_cross_entropy_bwd_part",
        "log_sum",
        log_sum,
        batch,
        "*batch",
        batch=("dloss or hidden", batch),
    )
    # Requirements.
    require("linear_cross_entropy_bwd_part", v > 0, "at least one class", "v of weight", v=v)
    # Values.
    for each in arrays.get("hidden", ()):
        check_values(
            "linear_cross_entropy_bwd_part",
            "hidden",
            each,
            (-1000000000.0 < each) & (each < 1000000000.0),
            "-1000000000.0 < hidden < 1000000000.0",
        )
    for each in arrays.get("weight", ()):
        check_values(
            "linear_cross_entropy_bwd_part",
            "weight",
            each,
            (-1000000000.0 < each) & (each < 1000000000.0),
            "-1000000000.0 < weight < 1000000000.0",
        )
    for each in arrays.get("labels", ()):
        check_values(
            "linear_cross_entropy_bwd_part",
            "labels",
            each,
            ((0 <= each) & (each < c)) | (each == ignore_index),
            "0 <= labels < c or labels == ignore_index",
            c=c,
            ignore_index=ignore_index,
        )
    for each in arrays.get("top", ()):
        check_values(
            "linear_cross_entropy_bwd_part",
            "top",
            each,
            each > -1000000000.0,
            "top > -1000000000.0",
        )
    for each in arrays.get("log_sum", ()):
        check_values("linear_cross_entropy_bwd_part", "log_sum", each, each >= 0, "log_sum >= 0")
    for each in arrays.get("first", ()):
        check_values(
            "linear_cross_entropy_bwd_part",
            "first",
            each,
            (0 <= each) & (each < c),
            "0 <= first < c",
            c=c,
        )
    for each in arrays.get("count", ()):
        check_values("linear_cross_entropy_bwd_part", "count", each, each >= 1, "count >= 1")
    results = Results(
        dhidden=TensorSpec((*batch, d), Acc) if "dhidden" in wanted else None,
        dweight=TensorSpec((v, d), T) if "dweight" in wanted else None,
    )
    return Launch(results)


def infer(
    dloss: TensorSpec,
    hidden: TensorSpec,
    weight: TensorSpec,
    labels: TensorSpec,
    top: TensorSpec,
    log_sum: TensorSpec,
    first: TensorSpec,
    count: TensorSpec | None = None,
    *,
    c: int,
    ignore_index: int = -100,
    reduction: str = "mean",
    wanted: Collection[str] = ("dhidden", "dweight"),
) -> Results:
    """Check a call of `linear_cross_entropy_bwd_part` and give the shapes and dtypes of its
    results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dloss,
        hidden,
        weight,
        labels,
        top,
        log_sum,
        first,
        count,
        c=c,
        ignore_index=ignore_index,
        reduction=reduction,
        wanted=wanted,
    ).results


def pack(
    *,
    batch: int,
    batch_rank: int,
    d: int,
    v: int,
    ignore_index: int,
    c: int,
    reduction: int,
    T: int,
    I: int,
    Acc: int,
) -> bytes:
    """The 80 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, v, ignore_index, c, reduction, T, I, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


linear_cross_entropy_bwd_part = CoreOp(
    "linear_cross_entropy_bwd_part",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("hidden", "weight", "labels", "top", "log_sum", "first", "count"),
    op_hash=0x50F41079CE1F,
)
