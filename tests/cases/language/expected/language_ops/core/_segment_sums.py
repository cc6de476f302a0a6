"""`segment_sums`: The sums of `x` between `bounds`, which the kernel reads on the host.

Rendered by opgen from host.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, other, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    are_offsets,
    check_rank,
    check_shape,
    check_values,
    solve,
)

DESCRIPTOR = Descriptor(
    "segment_sums", size=24, fields=(("n", "i64", 0), ("k", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "segment_sums",
    inputs=(
        Input("x", shape(dim("n"))),
        Input("bounds", shape(other("k+1", "k")), wide="i64", host=True),
    ),
    results=(Result("y", shape(dim("k"))),),
    platforms=("cpu",),
)


class Results(NamedTuple):
    """The results of `segment_sums`."""

    y: TensorSpec  # T[k]


def bind(
    x: TensorSpec, bounds: TensorSpec, *, arrays: Mapping[str, Sequence[Any]] = {}
) -> Launch[Results]:
    """Check a call of `segment_sums`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("segment_sums", "x", x, ("f32", "f64"))
    check_dtype("segment_sums", "bounds", bounds, ("i64",))
    # Sizes.
    check_rank("segment_sums", "x", x, "n", exactly=1)
    n = x.shape[0]
    check_rank("segment_sums", "bounds", bounds, "k+1", exactly=1)
    k = solve("segment_sums", "bounds", "k + 1", "k", bounds.shape[0], 1, 1)
    check_shape("segment_sums", "bounds", bounds, (k + 1,), "k+1")
    # Values.
    for each in arrays.get("bounds", ()):
        check_values(
            "segment_sums",
            "bounds",
            each,
            are_offsets(each, n),
            "offsets from 0 to n, never falling",
            n=n,
        )
    results = Results(y=TensorSpec((k,), T))
    return Launch(results)


def infer(x: TensorSpec, bounds: TensorSpec) -> Results:
    """Check a call of `segment_sums` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, bounds).results


def pack(*, n: int, k: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n, k, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


segment_sums = CoreOp(
    "segment_sums",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("bounds",),
    op_hash=0xE120973865B7,
)
