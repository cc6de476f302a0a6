"""`silu_and_mul`: `silu(x[..., :d]) * x[..., d:]`: SwiGLU of one tensor.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, multiple, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import (
    DTYPES,
    CoreOp,
    Launch,
    TensorSpec,
    check_rank,
    check_shape,
    prod,
    solve,
)

DESCRIPTOR = Descriptor(
    "silu_and_mul",
    size=32,
    fields=(("batch", "i64", 0), ("batch_rank", "i64", 8), ("d", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "silu_and_mul",
    inputs=(Input("x", shape(group("batch"), multiple("2", "d")), folds=True),),
    results=(Result("y", shape(group("batch"), dim("d"))),),
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `silu_and_mul`."""

    y: TensorSpec  # T[*batch d]


def bind(x: TensorSpec) -> Launch[Results]:
    """Check a call of `silu_and_mul`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("silu_and_mul", "x", x, ("f32", "bf16", "f16", "f64"))
    # Sizes.
    check_rank("silu_and_mul", "x", x, "*batch 2*d", at_least=1)
    batch = x.shape[:-1]
    d = solve("silu_and_mul", "x", "2 * d", "d", x.shape[-1], 2, 0)
    check_shape("silu_and_mul", "x", x, (*batch, 2 * d), "*batch 2*d")
    results = Results(y=TensorSpec((*batch, d), T))
    return Launch(
        results,
        descriptor=(prod(batch), len(batch), d, DTYPES[T].code),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"),)},
    )


def infer(x: TensorSpec) -> Results:
    """Check a call of `silu_and_mul` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x).results


def pack(*, batch: int, batch_rank: int, d: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


silu_and_mul = CoreOp("silu_and_mul", FACTS, infer, pack, unpack, bind=bind, op_hash=0xEAD29C8A917B)
