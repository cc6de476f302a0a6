"""`embedding_bag_bwd`: Gradient of `embedding_bag`, dense for `weight`. Only `dsample_weights`
needs the values of `weight`.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, other, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_presence, check_wanted
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    are_offsets,
    check_rank,
    check_shape,
    check_values,
    require,
)

DESCRIPTOR = Descriptor(
    "embedding_bag_bwd",
    size=56,
    fields=(
        ("b", "i64", 0),
        ("d", "i64", 8),
        ("n", "i64", 16),
        ("rows", "i64", 24),
        ("mode", "i64", 32),
        ("T", "i64", 40),
        ("I", "i64", 48),
    ),
)

FACTS = OpFacts(
    "embedding_bag_bwd",
    inputs=(
        Input("dy", shape(dim("b"), dim("d"))),
        Input("indices", shape(dim("n"))),
        Input("offsets", shape(other("b+1", "b"))),
        Input("sample_weights", shape(dim("n")), optional=True),
        Input("argmax", shape(dim("b"), dim("d")), optional=True),
        Input("weight", shape(dim("rows"), dim("d")), optional=True, asked_by=("dsample_weights",)),
    ),
    results=(
        Result("dweight", shape(dim("rows"), dim("d")), optional=True, on_request=True),
        Result(
            "dsample_weights",
            shape(dim("n")),
            optional=True,
            on_request=True,
            reduce={"d": Reduction("sum")},
        ),
    ),
    attrs={"rows": "int", "mode": "str"},
    platforms=("cpu", "cuda"),
    split=("d",),
    linear=(("dy",),),
)


class Results(NamedTuple):
    """The results of `embedding_bag_bwd`."""

    dweight: TensorSpec | None  # T[rows d]
    dsample_weights: TensorSpec | None  # T[n]


def bind(
    dy: TensorSpec,
    indices: TensorSpec,
    offsets: TensorSpec,
    sample_weights: TensorSpec | None = None,
    argmax: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    rows: int,
    mode: str,
    wanted: Collection[str] = ("dweight", "dsample_weights"),
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_bag_bwd`. Return results and kernel arguments."""
    # Attributes.
    rows = check_attr("embedding_bag_bwd", "rows", rows, "int")
    mode = check_attr("embedding_bag_bwd", "mode", mode, "str", choices=("sum", "mean", "max"))
    wanted = check_wanted("embedding_bag_bwd", wanted, ("dweight", "dsample_weights"))
    # Presence and dtypes.
    T = check_dtype("embedding_bag_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_bag_bwd", "indices", indices, ("i64", "i32"))
    check_dtype("embedding_bag_bwd", "offsets", offsets, (I,), like="indices")
    if sample_weights is not None:
        check_dtype("embedding_bag_bwd", "sample_weights", sample_weights, (T,), like="dy")
    check_presence("embedding_bag_bwd", "argmax", argmax, mode == "max", "mode == 'max'")
    if argmax is not None:
        check_dtype("embedding_bag_bwd", "argmax", argmax, (I,), like="indices")
    check_presence(
        "embedding_bag_bwd",
        "weight",
        weight,
        "dsample_weights" in wanted,
        "present(dsample_weights)",
    )
    if weight is not None:
        check_dtype("embedding_bag_bwd", "weight", weight, (T,), like="dy")
    # Sizes.
    check_rank("embedding_bag_bwd", "dy", dy, "b d", exactly=2)
    b = dy.shape[0]
    d = dy.shape[1]
    check_rank("embedding_bag_bwd", "indices", indices, "n", exactly=1)
    n = indices.shape[0]
    check_rank("embedding_bag_bwd", "offsets", offsets, "b+1", exactly=1)
    if sample_weights is not None:
        check_rank("embedding_bag_bwd", "sample_weights", sample_weights, "n", exactly=1)
    if argmax is not None:
        check_rank("embedding_bag_bwd", "argmax", argmax, "b d", exactly=2)
    if weight is not None:
        check_rank("embedding_bag_bwd", "weight", weight, "rows d", exactly=2)
    check_shape("embedding_bag_bwd", "offsets", offsets, (b + 1,), "b+1", b=("dy", b))
    if sample_weights is not None:
        check_shape(
            "embedding_bag_bwd", "sample_weights", sample_weights, (n,), "n", n=("indices", n)
        )
    if argmax is not None:
        check_shape("embedding_bag_bwd", "argmax", argmax, (b, d), "b d", b=("dy", b), d=("dy", d))
    if weight is not None:
        check_shape(
            "embedding_bag_bwd", "weight", weight, (rows, d), "rows d", rows=("", rows), d=("dy", d)
        )
    # Requirements.
    require("embedding_bag_bwd", rows >= 0, "rows >= 0", rows=rows)
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_bag_bwd",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    for each in arrays.get("offsets", ()):
        check_values(
            "embedding_bag_bwd",
            "offsets",
            each,
            are_offsets(each, n),
            "offsets from 0 to n, never falling",
            n=n,
        )
    for each in arrays.get("argmax", ()):
        check_values(
            "embedding_bag_bwd",
            "argmax",
            each,
            (-1 <= each) & (each < rows),
            "-1 <= argmax < rows",
            rows=rows,
        )
    results = Results(
        dweight=TensorSpec((rows, d), T) if "dweight" in wanted else None,
        dsample_weights=TensorSpec((n,), T) if "dsample_weights" in wanted else None,
    )
    return Launch(results)


def infer(
    dy: TensorSpec,
    indices: TensorSpec,
    offsets: TensorSpec,
    sample_weights: TensorSpec | None = None,
    argmax: TensorSpec | None = None,
    weight: TensorSpec | None = None,
    *,
    rows: int,
    mode: str,
    wanted: Collection[str] = ("dweight", "dsample_weights"),
) -> Results:
    """Check a call of `embedding_bag_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        dy, indices, offsets, sample_weights, argmax, weight, rows=rows, mode=mode, wanted=wanted
    ).results


def pack(*, b: int, d: int, n: int, rows: int, mode: int, T: int, I: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(b, d, n, rows, mode, T, I)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_bag_bwd = CoreOp(
    "embedding_bag_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices", "offsets", "argmax"),
    op_hash=0xFED3660DCF1B,
)
