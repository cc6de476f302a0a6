"""`dropout`: Zeroes elements of `x` with probability `p` and scales the others by `1/(1-p)`.
Philox draws from (`seed`, `offset`).

Rendered by opgen from dropout.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank

DESCRIPTOR = Descriptor(
    "dropout",
    size=32,
    fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("p", "f64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "dropout",
    inputs=(
        Input("x", shape(group("s"))),
        Input("seed", shape(), wide="i64", number=("i64",), seed=True),
        Input("offset", shape(), optional=True, wide="i64", number=("i64",)),
    ),
    results=(Result("y", shape(group("s"))),),
    attrs={"p": "float"},
    platforms=("cpu", "cuda"),
    linear=(("x",),),
)


class Results(NamedTuple):
    """The results of `dropout`."""

    y: TensorSpec  # T[*s]


def infer(
    x: TensorSpec,
    seed: TensorSpec | None = None,
    offset: TensorSpec | None = None,
    *,
    p: float = 0.5,
) -> Results:
    """Check a call of `dropout` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    p = check_attr("dropout", "p", p, "float", low=0.0, high=1.0)
    # Dtypes.
    T = check_dtype("dropout", "x", x, ("f32", "bf16", "f16"))
    check_dtype("dropout", "seed", seed, ("i64",))
    if offset is not None:
        check_dtype("dropout", "offset", offset, ("i64",))
    # Sizes.
    s = x.shape
    check_rank("dropout", "seed", seed, "", exactly=0)
    if offset is not None:
        check_rank("dropout", "offset", offset, "", exactly=0)
    return Results(y=TensorSpec(s, T))


def pack(*, s: int, s_rank: int, p: float, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, p, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


dropout = CoreOp("dropout", FACTS, infer, pack, unpack, op_hash=0x965CED2F0459)
