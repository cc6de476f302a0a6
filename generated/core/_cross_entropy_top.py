"""`cross_entropy_top`: The maximum of each row of `logits`, or NaN if the row has a NaN. A step
of `cross_entropy`.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, TensorSpec, accum, check_rank, require

DESCRIPTOR = Descriptor(
    "cross_entropy_top",
    size=40,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("v", "i64", 16),
        ("T", "i64", 24),
        ("Acc", "i64", 32),
    ),
)

FACTS = OpFacts(
    "cross_entropy_top",
    inputs=(Input("logits", shape(group("batch"), dim("v")), folds=True),),
    results=(Result("top", shape(group("batch")), reduce={"v": Reduction("max")}),),
    platforms=("cpu", "cuda"),
    split=("batch", "v"),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `cross_entropy_top`."""

    top: TensorSpec  # Acc[*batch]


def infer(logits: TensorSpec) -> Results:
    """Check a call of `cross_entropy_top` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Dtypes.
    T = check_dtype("cross_entropy_top", "logits", logits, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    # Sizes.
    check_rank("cross_entropy_top", "logits", logits, "*batch v", at_least=1)
    batch = logits.shape[:-1]
    v = logits.shape[-1]
    # Requirements.
    require("cross_entropy_top", v > 0, "at least one class", "v of logits", v=v)
    return Results(top=TensorSpec(batch, Acc))


def pack(*, batch: int, batch_rank: int, v: int, T: int, Acc: int) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, v, T, Acc)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


cross_entropy_top = CoreOp("cross_entropy_top", FACTS, infer, pack, unpack, op_hash=0xA8AF4646449E)
