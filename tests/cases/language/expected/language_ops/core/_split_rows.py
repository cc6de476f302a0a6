"""`split_rows`: `x` in pieces: the first has `sizes[0]` rows, and so on.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, other, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape, item, require

DESCRIPTOR = Descriptor("split_rows", size=16, fields=(("n", "i64", 0), ("T", "i64", 8)))

FACTS = OpFacts(
    "split_rows",
    inputs=(Input("x", shape(other("sum(sizes)"), dim("n"))),),
    results=(Result("parts", shape(dim("sizes", each=True), dim("n")), list=True),),
    attrs={"sizes": "int[]"},
    platforms=("cpu",),
    split=("n",),
    told=False,
)


class Results(NamedTuple):
    """The results of `split_rows`."""

    parts: list[TensorSpec]  # T[sizes[i] n]


def infer(x: TensorSpec, *, sizes: Sequence[int]) -> Results:
    """Check a call of `split_rows` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    sizes = check_attr("split_rows", "sizes", sizes, "int[]", low=0)
    # Dtypes.
    T = check_dtype("split_rows", "x", x, ("f32", "f64"))
    # Sizes.
    check_rank("split_rows", "x", x, "sum(sizes) n", exactly=2)
    n = x.shape[1]
    check_shape("split_rows", "x", x, (sum(sizes), n), "sum(sizes) n", sizes=("", sizes))
    # Values that follow from the sizes.
    pieces = len(sizes)
    # Requirements.
    require("split_rows", pieces > 0, "pieces > 0", pieces=pieces, sizes=sizes)
    return Results(
        parts=[TensorSpec((item(sizes, i, "split_rows", "sizes"), n), T) for i in range(pieces)]
    )


def pack(*, n: int, T: int) -> bytes:
    """The 16 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


split_rows = CoreOp("split_rows", FACTS, infer, pack, unpack, op_hash=0x03D1B6E7D548)
