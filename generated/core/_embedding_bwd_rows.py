"""`embedding_bwd_rows`: The gradient of `embedding` for a shard of the table. A step of
`embedding_bwd` when the rows are split.

Rendered by opgen from embedding.toml: edit the spec, not this file.
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
    check_rank,
    check_shape,
    check_values,
    require,
)

DESCRIPTOR = Descriptor(
    "embedding_bwd_rows",
    size=40,
    fields=(
        ("s", "i64", 0),
        ("rows", "i64", 8),
        ("d", "i64", 16),
        ("padding", "i64", 24),
        ("n", "i64", 32),
    ),
)

FACTS = OpFacts(
    "embedding_bwd_rows",
    inputs=(
        Input("dy", shape(group("s"), dim("d"))),
        Input("indices", shape(group("s"))),
        Input("first", shape(), wide="i64", number=("i64",), begin="n"),
    ),
    results=(Result("dweight", shape(dim("n"), dim("d")), reduce={"s": Reduction("sum")}),),
    attrs={"n": "int", "rows": "int", "padding_idx": "int?"},
    platforms=("cpu", "cuda"),
    split=("s", "d", "n"),
)


class Results(NamedTuple):
    """The results of `embedding_bwd_rows`."""

    dweight: TensorSpec  # T[n d]


def bind(
    dy: TensorSpec,
    indices: TensorSpec,
    first: TensorSpec,
    *,
    n: int,
    rows: int,
    padding_idx: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_bwd_rows`. Return results and kernel arguments."""
    # Attributes.
    n = check_attr("embedding_bwd_rows", "n", n, "int", low=0)
    rows = check_attr("embedding_bwd_rows", "rows", rows, "int", low=1)
    padding_idx = check_attr("embedding_bwd_rows", "padding_idx", padding_idx, "int", optional=True)
    # Dtypes.
    T = check_dtype("embedding_bwd_rows", "dy", dy, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_bwd_rows", "indices", indices, ("i64", "i32"))
    check_dtype("embedding_bwd_rows", "first", first, ("i64",))
    # Sizes.
    check_rank("embedding_bwd_rows", "dy", dy, "*s d", at_least=1)
    s = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("embedding_bwd_rows", "indices", indices, "*s", exactly=len(s), of="s of dy")
    check_rank("embedding_bwd_rows", "first", first, "", exactly=0)
    check_shape("embedding_bwd_rows", "indices", indices, s, "*s", s=("dy", s))
    # Requirements.
    require(
        "embedding_bwd_rows",
        -rows <= padding_idx < rows if padding_idx is not None else True,
        "a padding_idx among the rows",
        padding_idx=padding_idx,
        rows=rows,
    )
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_bwd_rows",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    for each in arrays.get("first", ()):
        check_values(
            "embedding_bwd_rows",
            "first",
            each,
            (0 <= each) & (each < rows),
            "0 <= first < rows",
            rows=rows,
        )
    results = Results(dweight=TensorSpec((n, d), T))
    return Launch(results)


def infer(
    dy: TensorSpec,
    indices: TensorSpec,
    first: TensorSpec,
    *,
    n: int,
    rows: int,
    padding_idx: int | None = None,
) -> Results:
    """Check a call of `embedding_bwd_rows` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, indices, first, n=n, rows=rows, padding_idx=padding_idx).results


def pack(*, s: int, rows: int, d: int, padding: int, n: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, rows, d, padding, n)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_bwd_rows = CoreOp(
    "embedding_bwd_rows",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices", "first"),
    op_hash=0x0946B60899F1,
)
