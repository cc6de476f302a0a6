"""`last_token`: The last token of each sequence; with `offsets`, sequences of any length lie
one behind the other.

Rendered by opgen from layouts.toml: edit the spec, not this file.
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
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "last_token",
    size=32,
    fields=(("t", "i64", 0), ("d", "i64", 8), ("b", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "last_token",
    inputs=(
        Input(
            "x",
            lambda offsets, **_: (
                shape(dim("t"), dim("d"))
                if offsets is not None
                else shape(dim("b"), dim("t"), dim("d"))
            ),
        ),
        Input("offsets", shape(other("b+1", "b")), optional=True),
    ),
    results=(Result("y", shape(dim("b"), dim("d"))),),
)


class Results(NamedTuple):
    """The results of `last_token`."""

    y: TensorSpec  # T[b d]


def bind(
    x: TensorSpec, offsets: TensorSpec | None = None, *, arrays: Mapping[str, Sequence[Any]] = {}
) -> Launch[Results]:
    """Check a call of `last_token`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("last_token", "x", x, ("f32", "f16"))
    if offsets is not None:
        check_dtype("last_token", "offsets", offsets, ("i32",))
    # Sizes.
    t: Any = None
    d: Any = None
    b: Any = None
    if offsets is not None:
        check_rank("last_token", "x", x, "t d", exactly=2)
        t = x.shape[0]
        d = x.shape[1]
    if offsets is None:
        check_rank("last_token", "x", x, "b t d", exactly=3)
        b = x.shape[0]
        t = x.shape[1]
        d = x.shape[2]
    if offsets is not None:
        check_rank("last_token", "offsets", offsets, "b+1", exactly=1)
    if offsets is not None and b is None:
        b = solve("last_token", "offsets", "b + 1", "b", offsets.shape[0], 1, 1)
    if offsets is not None:
        check_shape("last_token", "x", x, (t, d), "t d")
    if offsets is None:
        check_shape("last_token", "x", x, (b, t, d), "b t d", b=("offsets", b))
    if offsets is not None:
        check_shape("last_token", "offsets", offsets, (b + 1,), "b+1", b=("x", b))
    # Requirements.
    require(
        "last_token",
        offsets is not None or t > 0,
        "a token in each sequence",
        "t of x",
        offsets=offsets,
        t=t,
    )
    # Values.
    for each in arrays.get("offsets", ()):
        check_values(
            "last_token",
            "offsets",
            each,
            are_offsets(each, t),
            "offsets from 0 to t, never falling",
            t=t,
        )
    results = Results(y=TensorSpec((b, d), T))
    return Launch(results)


def infer(x: TensorSpec, offsets: TensorSpec | None = None) -> Results:
    """Check a call of `last_token` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, offsets).results


def pack(*, t: int, d: int, b: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, d, b, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


last_token = CoreOp(
    "last_token", FACTS, infer, pack, unpack, bind=bind, values=("offsets",), op_hash=0xBD7C02628C9E
)
