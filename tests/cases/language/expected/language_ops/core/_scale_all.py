"""`scale_all`: `factor * x` of each `x` of a list, in memory as `x` is.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype, check_list
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor("scale_all", size=8, fields=(("T", "i64", 0),))

FACTS = OpFacts(
    "scale_all",
    inputs=(
        Input("xs", shape(group("s", each=True)), list=True),
        Input("factor", shape(), number=(0,)),
    ),
    results=(Result("ys", shape(group("s", each=True)), list=True),),
    platforms=("cpu",),
    told=False,
)


class Results(NamedTuple):
    """The results of `scale_all`."""

    ys: list[TensorSpec]  # T[*s[i]]


def infer(xs: Sequence[TensorSpec], factor: TensorSpec) -> Results:
    """Check a call of `scale_all` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    check_list("scale_all", "xs", xs)
    T = check_dtype("scale_all", "xs", xs[0], ("f32", "f64"))
    check_dtype("scale_all", "factor", factor, (T,), like="xs")
    # Sizes.
    n = len(xs)
    s = [each.shape for each in xs]
    check_rank("scale_all", "factor", factor, "", exactly=0)
    for i, each in enumerate(xs):
        check_shape("scale_all", f"xs[{i}]", each, s[i], "*s[i]")
    return Results(ys=[TensorSpec(s[i], T, like="xs") for i in range(n)])


def pack(*, T: int) -> bytes:
    """The 8 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


scale_all = CoreOp("scale_all", FACTS, infer, pack, unpack, op_hash=0xBCCFE8016C04)
