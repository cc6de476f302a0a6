"""`embedding_bwd_bwd`: Gradient of `embedding_bwd` with respect to `dy`: rows of `ddweight` at
`indices`, zeros for `padding_idx`.

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
    "embedding_bwd_bwd",
    size=32,
    fields=(("s", "i64", 0), ("rows", "i64", 8), ("d", "i64", 16), ("padding", "i64", 24)),
)

FACTS = OpFacts(
    "embedding_bwd_bwd",
    inputs=(
        Input("ddweight", shape(dim("rows"), dim("d"))),
        Input("indices", shape(group("s")), folds=True),
    ),
    results=(Result("ddy", shape(group("s"), dim("d"))),),
    attrs={"padding_idx": "int?"},
    platforms=("cpu", "cuda"),
    split=("s", "d"),
    linear=(("ddweight",),),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `embedding_bwd_bwd`."""

    ddy: TensorSpec  # T[*s d]


def bind(
    ddweight: TensorSpec,
    indices: TensorSpec,
    *,
    padding_idx: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `embedding_bwd_bwd`. Return results and kernel arguments."""
    # Attributes.
    padding_idx = check_attr("embedding_bwd_bwd", "padding_idx", padding_idx, "int", optional=True)
    # Dtypes.
    T = check_dtype("embedding_bwd_bwd", "ddweight", ddweight, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("embedding_bwd_bwd", "indices", indices, ("i64", "i32"))
    # Sizes.
    check_rank("embedding_bwd_bwd", "ddweight", ddweight, "rows d", exactly=2)
    rows = ddweight.shape[0]
    d = ddweight.shape[1]
    s = indices.shape
    # Requirements.
    require(
        "embedding_bwd_bwd",
        -rows <= padding_idx < rows if padding_idx is not None else True,
        "a padding_idx among the rows",
        "rows of ddweight",
        padding_idx=padding_idx,
        rows=rows,
    )
    # Values.
    for each in arrays.get("indices", ()):
        check_values(
            "embedding_bwd_bwd",
            "indices",
            each,
            (0 <= each) & (each < rows),
            "0 <= indices < rows",
            rows=rows,
        )
    results = Results(ddy=TensorSpec((*s, d), T))
    return Launch(results)


def infer(ddweight: TensorSpec, indices: TensorSpec, *, padding_idx: int | None = None) -> Results:
    """Check a call of `embedding_bwd_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(ddweight, indices, padding_idx=padding_idx).results


def pack(*, s: int, rows: int, d: int, padding: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, rows, d, padding)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


embedding_bwd_bwd = CoreOp(
    "embedding_bwd_bwd",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("indices",),
    op_hash=0xA7C57682BC1A,
)
