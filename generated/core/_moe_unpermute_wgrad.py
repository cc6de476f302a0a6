"""`moe_unpermute_wgrad`: Gradient of `moe_unpermute` with respect to `weights`.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, product, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    check_values,
)

DESCRIPTOR = Descriptor(
    "moe_unpermute_wgrad",
    size=40,
    fields=(
        ("t", "i64", 0),
        ("d", "i64", 8),
        ("k", "i64", 16),
        ("T", "i64", 24),
        ("Acc", "i64", 32),
    ),
)

FACTS = OpFacts(
    "moe_unpermute_wgrad",
    inputs=(
        Input("dy", shape(dim("t"), dim("d"))),
        Input("places", shape(dim("t"), dim("k"))),
        Input("rows", shape(product("t", "k"), dim("d"))),
    ),
    results=(Result("dweights", shape(dim("t"), dim("k")), reduce={"d": Reduction("sum")}),),
    platforms=("cpu", "cuda"),
    split=("d",),
    linear=(("dy",), ("rows",)),
)


class Results(NamedTuple):
    """The results of `moe_unpermute_wgrad`."""

    dweights: TensorSpec  # Acc[t k]


def bind(
    dy: TensorSpec,
    places: TensorSpec,
    rows: TensorSpec,
    *,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `moe_unpermute_wgrad`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("moe_unpermute_wgrad", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("moe_unpermute_wgrad", "places", places, ("i32",))
    check_dtype("moe_unpermute_wgrad", "rows", rows, (T,), like="dy")
    Acc = accum(T)
    # Sizes.
    check_rank("moe_unpermute_wgrad", "dy", dy, "t d", exactly=2)
    t = dy.shape[0]
    d = dy.shape[1]
    check_rank("moe_unpermute_wgrad", "places", places, "t k", exactly=2)
    k = places.shape[1]
    check_rank("moe_unpermute_wgrad", "rows", rows, "t*k d", exactly=2)
    check_shape("moe_unpermute_wgrad", "places", places, (t, k), "t k", t=("dy", t))
    check_shape(
        "moe_unpermute_wgrad",
        "rows",
        rows,
        (t * k, d),
        "t*k d",
        t=("dy", t),
        k=("places", k),
        d=("dy", d),
    )
    # Values.
    for each in arrays.get("places", ()):
        check_values(
            "moe_unpermute_wgrad",
            "places",
            each,
            (0 <= each) & (each < t * k),
            "0 <= places < t * k",
            t=t,
            k=k,
        )
    results = Results(dweights=TensorSpec((t, k), Acc))
    return Launch(results)


def infer(dy: TensorSpec, places: TensorSpec, rows: TensorSpec) -> Results:
    """Check a call of `moe_unpermute_wgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, places, rows).results


def pack(*, t: int, d: int, k: int, T: int, Acc: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(t, d, k, T, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


moe_unpermute_wgrad = CoreOp(
    "moe_unpermute_wgrad",
    FACTS,
    infer,
    pack,
    unpack,
    bind=bind,
    values=("places",),
    op_hash=0xEA3E64BD5054,
)
