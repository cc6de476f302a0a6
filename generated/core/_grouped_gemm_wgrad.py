"""`grouped_gemm_wgrad`: Gradient of `grouped_gemm` with respect to `b`.

Rendered by opgen from grouped_gemm.toml: edit the spec, not this file.
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
    solve,
)

DESCRIPTOR = Descriptor(
    "grouped_gemm_wgrad",
    size=48,
    fields=(
        ("m", "i64", 0),
        ("k", "i64", 8),
        ("n", "i64", 16),
        ("g", "i64", 24),
        ("trans_b", "i64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "grouped_gemm_wgrad",
    inputs=(
        Input("a", shape(dim("m"), dim("k"))),
        Input("dc", shape(dim("m"), dim("n"))),
        Input("offsets", shape(other("g+1", "g"))),
    ),
    results=(
        Result(
            "db",
            lambda trans_b, **_: (
                shape(dim("g"), dim("n"), dim("k"))
                if trans_b
                else shape(dim("g"), dim("k"), dim("n"))
            ),
        ),
    ),
    attrs={"trans_b": "bool"},
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("n", "k"),
    linear=(("dc",),),
)


class Results(NamedTuple):
    """The results of `grouped_gemm_wgrad`."""

    db: TensorSpec  # T[g n k | g k n]


def bind(
    a: TensorSpec,
    dc: TensorSpec,
    offsets: TensorSpec,
    *,
    trans_b: bool,
    arch: int | None = None,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `grouped_gemm_wgrad`. Return results and kernel arguments."""
    # Attributes.
    trans_b = check_attr("grouped_gemm_wgrad", "trans_b", trans_b, "bool")
    # Dtypes.
    T = check_dtype("grouped_gemm_wgrad", "a", a, ("bf16", "f16", "f32", "f64"))
    check_dtype("grouped_gemm_wgrad", "dc", dc, (T,), like="a")
    check_dtype("grouped_gemm_wgrad", "offsets", offsets, ("i32",))
    # Sizes.
    check_rank("grouped_gemm_wgrad", "a", a, "m k", exactly=2)
    m = a.shape[0]
    k = a.shape[1]
    check_rank("grouped_gemm_wgrad", "dc", dc, "m n", exactly=2)
    n = dc.shape[1]
    check_rank("grouped_gemm_wgrad", "offsets", offsets, "g+1", exactly=1)
    g = solve("grouped_gemm_wgrad", "offsets", "g + 1", "g", offsets.shape[0], 1, 1)
    check_shape("grouped_gemm_wgrad", "dc", dc, (m, n), "m n", m=("a", m))
    check_shape("grouped_gemm_wgrad", "offsets", offsets, (g + 1,), "g+1")
    # Values.
    for each in arrays.get("offsets", ()):
        check_values(
            "grouped_gemm_wgrad",
            "offsets",
            each,
            are_offsets(each, m),
            "offsets from 0 to m, never falling",
            m=m,
        )
    results = Results(db=TensorSpec((g, n, k) if trans_b else (g, k, n), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(a: TensorSpec, dc: TensorSpec, offsets: TensorSpec, *, trans_b: bool) -> Results:
    """Check a call of `grouped_gemm_wgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(a, dc, offsets, trans_b=trans_b).results


def pack(*, m: int, k: int, n: int, g: int, trans_b: int, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(m, k, n, g, trans_b, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


grouped_gemm_wgrad = CoreOp(
    "grouped_gemm_wgrad",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("offsets",),
    op_hash=0x1AB6F41F4A44,
)
