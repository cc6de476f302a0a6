"""`relu_bwd`: Gradient of `relu`: 0 where `y <= 0`, otherwise `dy`, also where `y` is NaN.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import DTYPES, CoreOp, Launch, TensorSpec, check_rank, check_shape, prod

DESCRIPTOR = Descriptor(
    "relu_bwd", size=24, fields=(("s", "i64", 0), ("s_rank", "i64", 8), ("F", "i64", 16))
)

FACTS = OpFacts(
    "relu_bwd",
    inputs=(Input("dy", shape(group("s")), folds=True), Input("y", shape(group("s")), folds=True)),
    results=(Result("dx", shape(group("s"))),),
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("s",),
    linear=(("dy",),),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `relu_bwd`."""

    dx: TensorSpec  # F[*s]


def bind(dy: TensorSpec, y: TensorSpec) -> Launch[Results]:
    """Check a call of `relu_bwd`. Return results and kernel arguments."""
    # Dtypes.
    F = check_dtype("relu_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("relu_bwd", "y", y, (F,), like="dy")
    # Sizes.
    s = dy.shape
    check_rank("relu_bwd", "y", y, "*s", exactly=len(s), of="s of dy")
    check_shape("relu_bwd", "y", y, s, "*s", s=("dy", s))
    results = Results(dx=TensorSpec(s, F))
    return Launch(
        results,
        descriptor=(prod(s), len(s), DTYPES[F].code),
        grid=(),
        require={"neuron": lambda: ((F != "f64", "F != f64"), (len(y.shape) >= 1, "rank(y) >= 1"))},
    )


def infer(dy: TensorSpec, y: TensorSpec) -> Results:
    """Check a call of `relu_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, y).results


def pack(*, s: int, s_rank: int, F: int) -> bytes:
    """The 24 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(s, s_rank, F)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


relu_bwd = CoreOp("relu_bwd", FACTS, infer, pack, unpack, bind=bind, op_hash=0x3A00E308B7C1)
