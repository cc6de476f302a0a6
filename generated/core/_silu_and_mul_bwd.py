"""`silu_and_mul_bwd`: Gradient of `silu_and_mul`.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, multiple, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import DTYPES, CoreOp, Launch, TensorSpec, check_rank, check_shape, prod

DESCRIPTOR = Descriptor(
    "silu_and_mul_bwd",
    size=32,
    fields=(("batch", "i64", 0), ("batch_rank", "i64", 8), ("d", "i64", 16), ("T", "i64", 24)),
)

FACTS = OpFacts(
    "silu_and_mul_bwd",
    inputs=(
        Input("dy", shape(group("batch"), dim("d")), folds=True),
        Input("x", shape(group("batch"), multiple("2", "d")), folds=True),
    ),
    results=(Result("dx", shape(group("batch"), multiple("2", "d"))),),
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `silu_and_mul_bwd`."""

    dx: TensorSpec  # T[*batch 2*d]


def bind(dy: TensorSpec, x: TensorSpec) -> Launch[Results]:
    """Check a call of `silu_and_mul_bwd`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("silu_and_mul_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("silu_and_mul_bwd", "x", x, (T,), like="dy")
    # Sizes.
    check_rank("silu_and_mul_bwd", "dy", dy, "*batch d", at_least=1)
    batch = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("silu_and_mul_bwd", "x", x, "*batch 2*d", exactly=len(batch) + 1, of="batch of dy")
    check_shape(
        "silu_and_mul_bwd", "x", x, (*batch, 2 * d), "*batch 2*d", batch=("dy", batch), d=("dy", d)
    )
    results = Results(dx=TensorSpec((*batch, 2 * d), T))
    return Launch(
        results,
        descriptor=(prod(batch), len(batch), d, DTYPES[T].code),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"),)},
    )


def infer(dy: TensorSpec, x: TensorSpec) -> Results:
    """Check a call of `silu_and_mul_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, x).results


def pack(*, batch: int, batch_rank: int, d: int, T: int) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


silu_and_mul_bwd = CoreOp(
    "silu_and_mul_bwd", FACTS, infer, pack, unpack, bind=bind, op_hash=0xD1D2A079BBF4
)
