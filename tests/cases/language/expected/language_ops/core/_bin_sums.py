"""`bin_sums`: The sum of the rows of `x` in each bin, and how many there are.

Rendered by opgen from bins.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    check_values,
    indexable,
)

DESCRIPTOR = Descriptor(
    "bin_sums",
    size=40,
    fields=(
        ("m", "i64", 0),
        ("n", "i64", 8),
        ("bins", "i64", 16),
        ("T", "i64", 24),
        ("Acc", "i64", 32),
    ),
)

FACTS = OpFacts(
    "bin_sums",
    inputs=(Input("x", shape(dim("m"), dim("n"))), Input("bin", shape(dim("m")), wide="i64")),
    results=(Result("sums", shape(dim("bins"), dim("n"))), Result("counts", shape(dim("bins")))),
    attrs={"bins": "int"},
    platforms=("cpu",),
    demanding=True,
)


class Results(NamedTuple):
    """The results of `bin_sums`."""

    sums: TensorSpec  # Acc[bins n]
    counts: TensorSpec  # i64[bins]


def bind(
    x: TensorSpec, bin: TensorSpec, *, bins: int, arrays: Mapping[str, Sequence[Any]] = {}
) -> Launch[Results]:
    """Check a call of `bin_sums`. Return results and kernel arguments."""
    # Attributes.
    bins = check_attr("bin_sums", "bins", bins, "int", low=1)
    # Dtypes.
    T = check_dtype("bin_sums", "x", x, ("f32", "f16"))
    check_dtype("bin_sums", "bin", bin, ("i64",))
    Acc = accum(T)
    # Sizes.
    check_rank("bin_sums", "x", x, "m n", exactly=2)
    m = x.shape[0]
    n = x.shape[1]
    check_rank("bin_sums", "bin", bin, "m", exactly=1)
    check_shape("bin_sums", "bin", bin, (m,), "m", m=("x", m))
    # Values.
    for each in arrays.get("bin", ()):
        check_values(
            "bin_sums", "bin", each, (0 <= each) & (each < bins), "0 <= bin < bins", bins=bins
        )
    results = Results(sums=TensorSpec((bins, n), Acc, (1, 0)), counts=TensorSpec((bins,), "i64"))
    return Launch(
        results,
        require={
            "cpu": lambda: (
                (n <= 4096, "n <= 4096"),
                (indexable(x, bin, *results), "less than 2**31 elements in every tensor"),
            )
        },
    )


def infer(x: TensorSpec, bin: TensorSpec, *, bins: int) -> Results:
    """Check a call of `bin_sums` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, bin, bins=bins).results


def pack(*, m: int, n: int, bins: int, T: int, Acc: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, n, bins, T, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


bin_sums = CoreOp(
    "bin_sums", FACTS, infer, pack, unpack, bind=bind, values=("bin",), op_hash=0x46EB9C313033
)
