"""`embedding`: Rows of `weight` at `indices`. The row `padding_idx` gets no gradient.

Rendered by opgen from embedding.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_values, require

DESCRIPTOR = Descriptor(
    "embedding",
    size=32,
    fields=(("s", "i64", 0), ("rows", "i64", 8), ("d", "i64", 16), ("padding", "i64", 24)),
)

FACTS = OpFacts(
    "embedding",
    inputs=(
        Input("weight", shape(dim("rows"), dim("d"))),
        Input("indices", shape(group("s")), folds=True),
    ),
    results=(Result("y", shape(group("s"), dim("d"))),),
    attrs={"padding_idx": "int?"},
    platforms=("cpu", "cuda"),
    split=("s", "d"),
    stages={"rows": ("embedding_rows",)},
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `embedding`."""

    y: TensorSpec  # T[*s d]


def bind(
    weight: TensorSpec,
    indices: TensorSpec,
    *,
    padding_idx: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding`. Return results and kernel arguments."""
    # Attributes.
    padding_idx = check_attr("embedding", "padding_idx", padding_idx, "int", optional=True)
    # Dtypes.
    T = check_dtype("embedding", "weight", weight, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding", "indices", indices, ("i64", "i32"))
    # Sizes.
    check_rank("embedding", "weight", weight, "rows d", exactly=2)
    rows = weight.shape[0]
    d = weight.shape[1]
    s = indices.shape
    # Requirements.
    require(
        "embedding",
        -rows <= padding_idx < rows if padding_idx is not None else True,
        "a padding_idx among the rows",
        "rows of weight",
        padding_idx=padding_idx,
        rows=rows,
    )
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    results = Results(y=TensorSpec((*s, d), T))
    return Launch(results)


def infer(weight: TensorSpec, indices: TensorSpec, *, padding_idx: int | None = None) -> Results:
    """Check a call of `embedding` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(weight, indices, padding_idx=padding_idx).results


def pack(*, s: int, rows: int, d: int, padding: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, rows, d, padding)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding = CoreOp(
    "embedding", FACTS, infer, pack, unpack, bind=bind, values=("indices",), op_hash=0x46973271B437
)
