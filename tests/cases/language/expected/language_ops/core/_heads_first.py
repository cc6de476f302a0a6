"""`heads_first`: Tokens in order `heads tokens d`, whatever their order was; in f32 on request.

Rendered by opgen from layouts.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "heads_first",
    size=48,
    fields=(
        ("t", "i64", 0),
        ("h", "i64", 8),
        ("d", "i64", 16),
        ("order", "i64", 24),
        ("wide", "i64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "heads_first",
    inputs=(
        Input(
            "x",
            lambda order, **_: (
                shape(dim("t"), dim("h"), dim("d"))
                if order == "THD"
                else shape(dim("h"), dim("t"), dim("d"))
            ),
        ),
    ),
    results=(Result("y", shape(dim("h"), dim("t"), dim("d"))),),
    attrs={"order": "str", "wide": "bool"},
    split=("h",),
)


class Results(NamedTuple):
    """The results of `heads_first`."""

    y: TensorSpec  # f32 | T[h t d]


def infer(x: TensorSpec, *, order: str, wide: bool = False) -> Results:
    """Check a call of `heads_first` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    order = check_attr("heads_first", "order", order, "str", choices=("THD", "HTD"))
    wide = check_attr("heads_first", "wide", wide, "bool")
    # Dtypes.
    T = check_dtype("heads_first", "x", x, ("f32", "f16"))
    # Sizes.
    t: Any = None
    h: Any = None
    d: Any = None
    if order == "THD":
        check_rank("heads_first", "x", x, "t h d", exactly=3)
        t = x.shape[0]
        h = x.shape[1]
        d = x.shape[2]
    if order != "THD":
        check_rank("heads_first", "x", x, "h t d", exactly=3)
        h = x.shape[0]
        t = x.shape[1]
        d = x.shape[2]
    if order == "THD":
        check_shape("heads_first", "x", x, (t, h, d), "t h d")
    if order != "THD":
        check_shape("heads_first", "x", x, (h, t, d), "h t d")
    return Results(y=TensorSpec((h, t, d), "f32" if wide else T))


def pack(*, t: int, h: int, d: int, order: int, wide: int, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, h, d, order, wide, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


heads_first = CoreOp("heads_first", FACTS, infer, pack, unpack, op_hash=0x53B7E4097BA5)
