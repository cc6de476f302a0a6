"""`embedding_bag`: Rows of `weight` at `indices`, pooled over the bags that `offsets` delimit.

Rendered by opgen from embedding_bag.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, other, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    are_offsets,
    check_rank,
    check_shape,
    check_values,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "embedding_bag",
    size=56,
    fields=(
        ("rows", "i64", 0),
        ("d", "i64", 8),
        ("n", "i64", 16),
        ("b", "i64", 24),
        ("mode", "i64", 32),
        ("T", "i64", 40),
        ("I", "i64", 48),
    ),
)

FACTS = OpFacts(
    "embedding_bag",
    inputs=(
        Input("weight", shape(dim("rows"), dim("d"))),
        Input("indices", shape(dim("n"))),
        Input("offsets", shape(other("b+1", "b"))),
        Input("sample_weights", shape(dim("n")), optional=True),
    ),
    results=(
        Result("y", shape(dim("b"), dim("d"))),
        Result("argmax", shape(dim("b"), dim("d")), optional=True),
    ),
    attrs={"mode": "str"},
    platforms=("cpu", "cuda"),
    split=("d",),
)


class Results(NamedTuple):
    """The results of `embedding_bag`."""

    y: TensorSpec  # T[b d]
    argmax: TensorSpec | None  # I[b d]


def bind(
    weight: TensorSpec,
    indices: TensorSpec,
    offsets: TensorSpec,
    sample_weights: TensorSpec | None = None,
    *,
    mode: str = "mean",
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_bag`. Return results and kernel arguments."""
    # Attributes.
    mode = check_attr("embedding_bag", "mode", mode, "str", choices=("sum", "mean", "max"))
    # Dtypes.
    T = check_dtype("embedding_bag", "weight", weight, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_bag", "indices", indices, ("i64", "i32"))
    check_dtype("embedding_bag", "offsets", offsets, (I,), like="indices")
    if sample_weights is not None:
        check_dtype("embedding_bag", "sample_weights", sample_weights, (T,), like="weight")
    # Sizes.
    check_rank("embedding_bag", "weight", weight, "rows d", exactly=2)
    rows = weight.shape[0]
    d = weight.shape[1]
    check_rank("embedding_bag", "indices", indices, "n", exactly=1)
    n = indices.shape[0]
    check_rank("embedding_bag", "offsets", offsets, "b+1", exactly=1)
    b = solve("embedding_bag", "offsets", "b + 1", "b", offsets.shape[0], 1, 1)
    if sample_weights is not None:
        check_rank("embedding_bag", "sample_weights", sample_weights, "n", exactly=1)
    check_shape("embedding_bag", "offsets", offsets, (b + 1,), "b+1")
    if sample_weights is not None:
        check_shape("embedding_bag", "sample_weights", sample_weights, (n,), "n", n=("indices", n))
    # Requirements.
    require(
        "embedding_bag",
        mode == "sum" or not sample_weights is not None,
        "sample_weights need mode 'sum'",
        mode=mode,
        sample_weights=sample_weights,
    )
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_bag",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    for each in arrays.get("offsets", ()):
        check_values(
            "embedding_bag",
            "offsets",
            each,
            are_offsets(each, n),
            "offsets from 0 to n, never falling",
            n=n,
        )
    results = Results(
        y=TensorSpec((b, d), T), argmax=TensorSpec((b, d), I) if mode == "max" else None
    )
    return Launch(results)


def infer(
    weight: TensorSpec,
    indices: TensorSpec,
    offsets: TensorSpec,
    sample_weights: TensorSpec | None = None,
    *,
    mode: str = "mean",
) -> Results:
    """Check a call of `embedding_bag` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(weight, indices, offsets, sample_weights, mode=mode).results


def pack(*, rows: int, d: int, n: int, b: int, mode: int, T: int, I: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(rows, d, n, b, mode, T, I)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_bag = CoreOp(
    "embedding_bag",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices", "offsets"),
    op_hash=0x258CFF81CFD2,
)
