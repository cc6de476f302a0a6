"""`gelu_and_mul`: `gelu(x[..., :d]) * x[..., d:]`: GEGLU of one tensor.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, multiple, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, check_rank, check_shape, solve

DESCRIPTOR = Descriptor(
    "gelu_and_mul",
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
    "gelu_and_mul",
    inputs=(Input("x", shape(group("batch"), multiple("2", "d")), folds=True),),
    results=(Result("y", shape(group("batch"), dim("d"))),),
    attrs={"approximate": "str"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `gelu_and_mul`."""

    y: TensorSpec  # T[*batch d]


def infer(x: TensorSpec, *, approximate: str = "none") -> Results:
    """Check a call of `gelu_and_mul` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    approximate = check_attr(
        "gelu_and_mul", "approximate", approximate, "str", choices=("none", "tanh")
    )
    # Dtypes.
    T = check_dtype("gelu_and_mul", "x", x, ("f32", "bf16", "f16", "f64"))
    # Sizes.
    check_rank("gelu_and_mul", "x", x, "*batch 2*d", at_least=1)
    batch = x.shape[:-1]
    d = solve("gelu_and_mul", "x", "2 * d", "d", x.shape[-1], 2, 0)
    check_shape("gelu_and_mul", "x", x, (*batch, 2 * d), "*batch 2*d")
    return Results(y=TensorSpec((*batch, d), T))


def pack(*, batch: int, batch_rank: int, d: int, approximate: int, T: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, approximate, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


gelu_and_mul = CoreOp("gelu_and_mul", FACTS, infer, pack, unpack, op_hash=0x783B0262A404)
