"""`embedding_bwd`: Gradient of `embedding` with respect to `weight`: for each row, the sum of
its rows of `dy`, in the order of `indices`.

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
    "embedding_bwd",
    size=32,
    fields=(("s", "i64", 0), ("rows", "i64", 8), ("d", "i64", 16), ("padding", "i64", 24)),
)

FACTS = OpFacts(
    "embedding_bwd",
    inputs=(Input("dy", shape(group("s"), dim("d"))), Input("indices", shape(group("s")))),
    results=(Result("dweight", shape(dim("rows"), dim("d")), reduce={"s": Reduction("sum")}),),
    attrs={"rows": "int", "padding_idx": "int?"},
    platforms=("cpu", "cuda"),
    split=("s", "d"),
    stages={"rows": ("embedding_bwd_rows",)},
    linear=(("dy",),),
)


class Results(NamedTuple):
    """The results of `embedding_bwd`."""

    dweight: TensorSpec  # T[rows d]


def bind(
    dy: TensorSpec,
    indices: TensorSpec,
    *,
    rows: int,
    padding_idx: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_bwd`. Return results and kernel arguments."""
    # Attributes.
    rows = check_attr("embedding_bwd", "rows", rows, "int", low=0)
    padding_idx = check_attr("embedding_bwd", "padding_idx", padding_idx, "int", optional=True)
    # Dtypes.
    T = check_dtype("embedding_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_bwd", "indices", indices, ("i64", "i32"))
    # Sizes.
    check_rank("embedding_bwd", "dy", dy, "*s d", at_least=1)
    s = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("embedding_bwd", "indices", indices, "*s", exactly=len(s), of="s of dy")
    check_shape("embedding_bwd", "indices", indices, s, "*s", s=("dy", s))
    # Requirements.
    require(
        "embedding_bwd",
        -rows <= padding_idx < rows if padding_idx is not None else True,
        "a padding_idx among the rows",
        padding_idx=padding_idx,
        rows=rows,
    )
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_bwd",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    results = Results(dweight=TensorSpec((rows, d), T))
    return Launch(results)


def infer(
    dy: TensorSpec, indices: TensorSpec, *, rows: int, padding_idx: int | None = None
) -> Results:
    """Check a call of `embedding_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, indices, rows=rows, padding_idx=padding_idx).results


def pack(*, s: int, rows: int, d: int, padding: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, rows, d, padding)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_bwd = CoreOp(
    "embedding_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices",),
    op_hash=0xEE2754C3D642,
)
