"""`masked`: Zeroes elements of `x` with probability `p`, and divides the others by `1 - p`.

Rendered by opgen from seeds.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_values, require

DESCRIPTOR = Descriptor(
    "masked",
    size=32,
    fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("p", "f64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "masked",
    inputs=(
        Input("x", shape(group("s"))),
        Input("seed", shape(), wide="i64", number=("i64",), seed=True),
    ),
    results=(Result("y", shape(group("s"))),),
    attrs={"p": "float"},
    platforms=("cpu",),
    linear=(("x",),),
)


class Results(NamedTuple):
    """The results of `masked`."""

    y: TensorSpec  # T[*s]


def bind(
    x: TensorSpec,
    seed: TensorSpec | None = None,
    *,
    p: float = 0.5,
    arrays: Mapping[str, Sequence[Any]] = {},
) -> Launch[Results]:
    """Check a call of `masked`. Return results and kernel arguments."""
    # Attributes.
    p = check_attr("masked", "p", p, "float", low=0.0)
    # Dtypes.
    T = check_dtype("masked", "x", x, ("f32", "bf16"))
    check_dtype("masked", "seed", seed, ("i64",))
    # Sizes.
    s = x.shape
    check_rank("masked", "seed", seed, "", exactly=0)
    # Requirements.
    require("masked", p < 1.0, "p < 1.0", p=p)
    # Values.
    for each in arrays.get("seed", ()):
        check_values("masked", "seed", each, each >= 0, "seed >= 0")
    results = Results(y=TensorSpec(s, T))
    return Launch(results)


def infer(x: TensorSpec, seed: TensorSpec | None = None, *, p: float = 0.5) -> Results:
    """Check a call of `masked` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, seed, p=p).results


def pack(*, s: int, s_rank: int, p: float, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, p, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


masked = CoreOp(
    "masked", FACTS, infer, pack, unpack, bind=bind, values=("seed",), op_hash=0xF35C55DAF6C9
)
