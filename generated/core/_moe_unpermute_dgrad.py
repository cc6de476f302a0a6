"""`moe_unpermute_dgrad`: Gradient of `moe_unpermute` with respect to `rows`.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, product, shape
from .._opgen.core.kinds import check_dtype
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
    "moe_unpermute_dgrad",
    size=40,
    fields=(("t", "i64", 0), ("d", "i64", 8), ("k", "i64", 16), ("T", "i64", 24), ("W", "i64", 32)),
)

FACTS = OpFacts(
    "moe_unpermute_dgrad",
    inputs=(
        Input("dy", shape(dim("t"), dim("d"))),
        Input("places", shape(dim("t"), dim("k"))),
        Input("weights", shape(dim("t"), dim("k")), optional=True),
    ),
    results=(Result("drows", shape(product("t", "k"), dim("d"))),),
    platforms=("cpu", "cuda"),
    split=("d",),
    linear=(("dy",), ("weights",)),
)


class Results(NamedTuple):
    """The results of `moe_unpermute_dgrad`."""

    drows: TensorSpec  # T[t*k d]


def bind(
    dy: TensorSpec,
    places: TensorSpec,
    weights: TensorSpec | None = None,
    *,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `moe_unpermute_dgrad`. Return results and kernel arguments."""
    # Dtypes.
    W = None
    T = check_dtype("moe_unpermute_dgrad", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("moe_unpermute_dgrad", "places", places, ("i32",))
    if weights is not None:
        W = check_dtype("moe_unpermute_dgrad", "weights", weights, ("f32", "bf16", "f16", "f64"))
    if W is None:
        W = "f32"
    # Sizes.
    check_rank("moe_unpermute_dgrad", "dy", dy, "t d", exactly=2)
    t = dy.shape[0]
    d = dy.shape[1]
    check_rank("moe_unpermute_dgrad", "places", places, "t k", exactly=2)
    k = places.shape[1]
    if weights is not None:
        check_rank("moe_unpermute_dgrad", "weights", weights, "t k", exactly=2)
    check_shape("moe_unpermute_dgrad", "places", places, (t, k), "t k", t=("dy", t))
    if weights is not None:
        check_shape(
            "moe_unpermute_dgrad", "weights", weights, (t, k), "t k", t=("dy", t), k=("places", k)
        )
    # Requirements.
    require(
        "moe_unpermute_dgrad",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weights, T of dy",
        W=W,
        T=T,
    )
    # Values.
    for each in arrays.get("places", ()):
        check_values(
            "moe_unpermute_dgrad",
            "places",
            each,
            (0 <= each) & (each < t * k),
            "0 <= places < t * k",
            t=t,
            k=k,
        )
    results = Results(drows=TensorSpec((t * k, d), T))
    return Launch(results)


def infer(dy: TensorSpec, places: TensorSpec, weights: TensorSpec | None = None) -> Results:
    """Check a call of `moe_unpermute_dgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, places, weights).results


def pack(*, t: int, d: int, k: int, T: int, W: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, d, k, T, W)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


moe_unpermute_dgrad = CoreOp(
    "moe_unpermute_dgrad",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("places",),
    op_hash=0xF35BF9C6F166,
)
