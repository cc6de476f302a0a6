"""`moe_permute`: The row of each token, repeated for its `k` experts and sorted by expert, with
the offset of each expert and the place of each row.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, other, product, shape
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
    "moe_permute",
    size=48,
    fields=(
        ("t", "i64", 0),
        ("d", "i64", 8),
        ("k", "i64", 16),
        ("e", "i64", 24),
        ("T", "i64", 32),
        ("I", "i64", 40),
    ),
)

FACTS = OpFacts(
    "moe_permute",
    inputs=(Input("x", shape(dim("t"), dim("d"))), Input("ids", shape(dim("t"), dim("k")))),
    results=(
        Result("rows", shape(product("t", "k"), dim("d"))),
        Result("offsets", shape(other("e+1", "e")), reduce={"d": Reduction("same")}),
        Result("places", shape(dim("t"), dim("k")), reduce={"d": Reduction("same")}),
    ),
    attrs={"e": "int"},
    platforms=("cpu", "cuda"),
    split=("d",),
)


class Results(NamedTuple):
    """The results of `moe_permute`."""

    rows: TensorSpec  # T[t*k d]
    offsets: TensorSpec  # i32[e+1]
    places: TensorSpec  # i32[t k]


def bind(
    x: TensorSpec, ids: TensorSpec, *, e: int, arrays: Mapping[str, Sequence[Any]] = {}
) -> Launch[Results]:
    """Check a call of `moe_permute`. Return results and kernel arguments."""
    # Attributes.
    e = check_attr("moe_permute", "e", e, "int", low=1)
    # Dtypes.
    T = check_dtype("moe_permute", "x", x, ("f32", "bf16", "f16", "f64"))
    I = check_dtype("moe_permute", "ids", ids, ("i64", "i32"))
    # Sizes.
    check_rank("moe_permute", "x", x, "t d", exactly=2)
    t = x.shape[0]
    d = x.shape[1]
    check_rank("moe_permute", "ids", ids, "t k", exactly=2)
    k = ids.shape[1]
    check_shape("moe_permute", "ids", ids, (t, k), "t k", t=("x", t))
    # Requirements.
    require("moe_permute", t * k < 2**31, "rows that 32 bits count", "t of x, k of ids", t=t, k=k)
    # Values.
    for each in arrays.get("ids", ()):
        check_values("moe_permute", "ids", each, (0 <= each) & (each < e), "0 <= ids < e", e=e)
    results = Results(
        rows=TensorSpec((t * k, d), T),
        offsets=TensorSpec((e + 1,), "i32"),
        places=TensorSpec((t, k), "i32"),
    )
    return Launch(results)


def infer(x: TensorSpec, ids: TensorSpec, *, e: int) -> Results:
    """Check a call of `moe_permute` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, ids, e=e).results


def pack(*, t: int, d: int, k: int, e: int, T: int, I: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, d, k, e, T, I)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


moe_permute = CoreOp(
    "moe_permute", FACTS, infer, pack, unpack, bind=bind, values=("ids",), op_hash=0xB19801A3E232
)
