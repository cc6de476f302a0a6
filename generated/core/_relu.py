"""`relu`: Elementwise `max(x, 0)`. A NaN stays a NaN.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import DTYPES, CoreOp, Launch, TensorSpec, prod

DESCRIPTOR = Descriptor(
    "relu", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("T", "i64", 16))
)

FACTS = OpFacts(
    "relu",
    inputs=(Input("x", shape(group("s")), folds=True),),
    results=(Result("y", shape(group("s"))),),
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("s",),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `relu`."""

    y: TensorSpec  # T[*s]


def bind(x: TensorSpec) -> Launch[Results]:
    """Check a call of `relu`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("relu", "x", x, ("f32", "bf16", "f16", "f64", "i8", "i32"))
    # Sizes.
    s = x.shape
    results = Results(y=TensorSpec(s, T))
    return Launch(
        results,
        descriptor=(prod(s), len(s), DTYPES[T].code),
        grid=(),
        require={
            "neuron": lambda: (
                (T != "f64", "T != f64"),
                (T != "i32", "T != i32"),
                (len(x.shape) >= 1, "rank(x) >= 1"),
            )
        },
    )


def infer(x: TensorSpec) -> Results:
    """Check a call of `relu` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x).results


def pack(*, s: int, s_rank: int, T: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


relu = CoreOp("relu", FACTS, infer, pack, unpack, bind=bind, op_hash=0xC315609F345C)
