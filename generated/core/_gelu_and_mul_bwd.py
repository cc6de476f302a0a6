"""`gelu_and_mul_bwd`: Gradient of `gelu_and_mul`.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, multiple, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "gelu_and_mul_bwd",
    size=40,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("approximate", "i64", 24),
        ("T", "i64", 32),
    ),
)

FACTS = OpFacts(
    "gelu_and_mul_bwd",
    inputs=(
        Input("dy", shape(group("batch"), dim("d")), folds=True),
        Input("x", shape(group("batch"), multiple("2", "d")), folds=True),
    ),
    results=(Result("dx", shape(group("batch"), multiple("2", "d"))),),
    attrs={"approximate": "str"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `gelu_and_mul_bwd`."""

    dx: TensorSpec  # T[*batch 2*d]


def infer(dy: TensorSpec, x: TensorSpec, *, approximate: str = "none") -> Results:
    """Check a call of `gelu_and_mul_bwd` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    approximate = check_attr(
        "gelu_and_mul_bwd", "approximate", approximate, "str", choices=("none", "tanh")
    )
    # Dtypes.
    T = check_dtype("gelu_and_mul_bwd", "dy", dy, ("f32", "bf16", "f16", "f64"))
    check_dtype("gelu_and_mul_bwd", "x", x, (T,), like="dy")
    # Sizes.
    check_rank("gelu_and_mul_bwd", "dy", dy, "*batch d", at_least=1)
    batch = dy.shape[:-1]
    d = dy.shape[-1]
    check_rank("gelu_and_mul_bwd", "x", x, "*batch 2*d", exactly=len(batch) + 1, of="batch of dy")
    check_shape(
        "gelu_and_mul_bwd", "x", x, (*batch, 2 * d), "*batch 2*d", batch=("dy", batch), d=("dy", d)
    )
    return Results(dx=TensorSpec((*batch, 2 * d), T))


def pack(*, batch: int, batch_rank: int, d: int, approximate: int, T: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, approximate, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


gelu_and_mul_bwd = CoreOp("gelu_and_mul_bwd", FACTS, infer, pack, unpack, op_hash=0xC91EE9305DFE)
