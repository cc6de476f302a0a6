"""`average_`: Moves each of `averages` by `rate` towards its one of `values`, in place.

Rendered by opgen from in_place.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_list
from .._opgen.core.runtime import CoreOp, TensorSpec, check_count, check_shape

DESCRIPTOR = Descriptor("average_", size=16, fields=(("rate", "f64", 0), ("T", "i64", 8)))

FACTS = OpFacts(
    "average_",
    inputs=(
        Input("averages", shape(group("s", each=True)), list=True, updated=True),
        Input("values", shape(group("s", each=True)), list=True),
    ),
    results=(),
    attrs={"rate": "float"},
    platforms=("cpu",),
    split=("s",),
    follow="averages",
    followers=("values",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `average_`."""


def infer(averages: Sequence[TensorSpec], values: Sequence[TensorSpec], *, rate: float) -> Results:
    """Check a call of `average_` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    rate = check_attr("average_", "rate", rate, "float", low=0.0, high=1.0)
    # Dtypes.
    check_list("average_", "averages", averages)
    T = check_dtype("average_", "averages", averages[0], ("f32", "f64"))
    check_list("average_", "values", values)
    check_dtype("average_", "values", values[0], (T,), like="averages")
    # Sizes.
    n = len(averages)
    s = [each.shape for each in averages]
    check_count("average_", "values", values, n, "n of averages")
    for i, each in enumerate(averages):
        check_shape("average_", f"averages[{i}]", each, s[i], "*s[i]")
    for i, each in enumerate(values):
        check_shape("average_", f"values[{i}]", each, s[i], "*s[i]", s=("averages", s[i]))
    return Results()


def pack(*, rate: float, T: int) -> bytes:
    """The 16 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(rate, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


average_ = CoreOp("average_", FACTS, infer, pack, unpack, op_hash=0xF0ABA503AF4B)
