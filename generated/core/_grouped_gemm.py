"""`grouped_gemm`: `c[rows of j] = a[rows of j] @ b[j]` for each group j. `offsets` delimits the
rows of each group.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, other, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    are_offsets,
    check_rank,
    check_shape,
    check_values,
)

DESCRIPTOR = Descriptor(
    "grouped_gemm",
    size=48,
    fields=(
        ("m", "i64", 0),
        ("k", "i64", 8),
        ("g", "i64", 16),
        ("n", "i64", 24),
        ("trans_b", "i64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "grouped_gemm",
    inputs=(
        Input("a", shape(dim("m"), dim("k"))),
        Input(
            "b",
            lambda trans_b, **_: (
                shape(dim("g"), dim("n"), dim("k"))
                if trans_b
                else shape(dim("g"), dim("k"), dim("n"))
            ),
        ),
        Input("offsets", shape(other("g+1", "g"))),
    ),
    results=(Result("c", shape(dim("m"), dim("n")), reduce={"k": Reduction("sum")}),),
    attrs={"trans_b": "bool"},
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("n", "k"),
    linear=(("a",), ("b",)),
)


class Results(NamedTuple):
    """The results of `grouped_gemm`."""

    c: TensorSpec  # T[m n]


def bind(
    a: TensorSpec,
    b: TensorSpec,
    offsets: TensorSpec,
    *,
    trans_b: bool = False,
    arch: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `grouped_gemm`. Return results and kernel arguments."""
    # Attributes.
    trans_b = check_attr("grouped_gemm", "trans_b", trans_b, "bool")
    # Dtypes.
    T = check_dtype("grouped_gemm", "a", a, ("bf16", "f16", "f32", "f64"))
    check_dtype("grouped_gemm", "b", b, (T,), like="a")
    check_dtype("grouped_gemm", "offsets", offsets, ("i32",))
    # Sizes.
    g: Any = None
    n: Any = None
    check_rank("grouped_gemm", "a", a, "m k", exactly=2)
    m = a.shape[0]
    k = a.shape[1]
    if trans_b:
        check_rank("grouped_gemm", "b", b, "g n k", exactly=3)
        g = b.shape[0]
        n = b.shape[1]
    if not trans_b:
        check_rank("grouped_gemm", "b", b, "g k n", exactly=3)
        g = b.shape[0]
        n = b.shape[2]
    check_rank("grouped_gemm", "offsets", offsets, "g+1", exactly=1)
    if trans_b:
        check_shape("grouped_gemm", "b", b, (g, n, k), "g n k", k=("a", k))
    if not trans_b:
        check_shape("grouped_gemm", "b", b, (g, k, n), "g k n", k=("a", k))
    check_shape("grouped_gemm", "offsets", offsets, (g + 1,), "g+1", g=("b", g))
    # Values.
    for each in arrays.get("offsets", ()):
        check_values(
            "grouped_gemm",
            "offsets",
            each,
            are_offsets(each, m),
            "offsets from 0 to m, never falling",
            m=m,
        )
    results = Results(c=TensorSpec((m, n), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(a: TensorSpec, b: TensorSpec, offsets: TensorSpec, *, trans_b: bool = False) -> Results:
    """Check a call of `grouped_gemm` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(a, b, offsets, trans_b=trans_b).results


def pack(*, m: int, k: int, g: int, n: int, trans_b: int, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, k, g, n, trans_b, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


grouped_gemm = CoreOp(
    "grouped_gemm",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("offsets",),
    op_hash=0xF1C6450AB988,
)
