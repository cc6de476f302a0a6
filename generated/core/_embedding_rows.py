"""`embedding_rows`: Rows of a shard of the table at `indices`; zeros for rows of other shards.
A step of `embedding` when the rows are split.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_values, require

DESCRIPTOR = Descriptor(
    "embedding_rows",
    size=56,
    fields=(
        ("n", "i64", 0),
        ("d", "i64", 8),
        ("s", "i64", 16),
        ("s_rank", "i64", 24),
        ("rows", "i64", 32),
        ("T", "i64", 40),
        ("I", "i64", 48),
    ),
)

FACTS = OpFacts(
    "embedding_rows",
    inputs=(
        Input("weight", shape(dim("n"), dim("d"))),
        Input("indices", shape(group("s")), folds=True),
        Input("first", shape(), wide="i64", number=("i64",), begin="n"),
    ),
    results=(Result("y", shape(group("s"), dim("d")), reduce={"n": Reduction("sum")}),),
    attrs={"rows": "int"},
    platforms=("cpu", "cuda"),
    split=("s", "d", "n"),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `embedding_rows`."""

    y: TensorSpec  # T[*s d]


def bind(
    weight: TensorSpec,
    indices: TensorSpec,
    first: TensorSpec,
    *,
    rows: int,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_rows`. Return results and kernel arguments."""
    # Attributes.
    rows = check_attr("embedding_rows", "rows", rows, "int", low=1)
    # Dtypes.
    T = check_dtype("embedding_rows", "weight", weight, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_rows", "indices", indices, ("i64", "i32"))
    check_dtype("embedding_rows", "first", first, ("i64",))
    # Sizes.
    check_rank("embedding_rows", "weight", weight, "n d", exactly=2)
    n = weight.shape[0]
    d = weight.shape[1]
    s = indices.shape
    check_rank("embedding_rows", "first", first, "", exactly=0)
    # Requirements.
    require("embedding_rows", n > 0, "n > 0", "n of weight", n=n)
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_rows",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    for each in arrays.get("first", ()):
        check_values(
            "embedding_rows",
            "first",
            each,
            (0 <= each) & (each < rows),
            "0 <= first < rows",
            rows=rows,
        )
    results = Results(y=TensorSpec((*s, d), T))
    return Launch(results)


def infer(weight: TensorSpec, indices: TensorSpec, first: TensorSpec, *, rows: int) -> Results:
    """Check a call of `embedding_rows` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(weight, indices, first, rows=rows).results


def pack(*, n: int, d: int, s: int, s_rank: int, rows: int, T: int, I: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, d, s, s_rank, rows, T, I)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_rows = CoreOp(
    "embedding_rows",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices", "first"),
    op_hash=0xBD6545DFC48C,
)
