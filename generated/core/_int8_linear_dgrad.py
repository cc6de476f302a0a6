"""`int8_linear_dgrad`: Gradient of `int8_linear` with respect to `x`.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "int8_linear_dgrad",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("n", "i64", 16),
        ("k", "i64", 24),
        ("T", "i64", 32),
        ("S", "i64", 40),
    ),
)

FACTS = OpFacts(
    "int8_linear_dgrad",
    inputs=(
        Input("dy", shape(group("batch"), dim("n")), folds=True),
        Input("weight", shape(dim("n"), dim("k"))),
        Input("scale", shape(dim("n"))),
    ),
    results=(Result("dx", shape(group("batch"), dim("k")), reduce={"n": Reduction("sum")}),),
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("batch", "n", "k"),
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `int8_linear_dgrad`."""

    dx: TensorSpec  # T[*batch k]


def bind(
    dy: TensorSpec, weight: TensorSpec, scale: TensorSpec, *, arch: int | None = None
) -> Launch[Results]:
    """Check a call of `int8_linear_dgrad`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("int8_linear_dgrad", "dy", dy, ("f32", "bf16", "f16"))
    check_dtype("int8_linear_dgrad", "weight", weight, ("i8",))
    S = check_dtype("int8_linear_dgrad", "scale", scale, ("f32", "bf16", "f16"))
    # Sizes.
    check_rank("int8_linear_dgrad", "dy", dy, "*batch n", at_least=1)
    batch = dy.shape[:-1]
    n = dy.shape[-1]
    check_rank("int8_linear_dgrad", "weight", weight, "n k", exactly=2)
    k = weight.shape[1]
    check_rank("int8_linear_dgrad", "scale", scale, "n", exactly=1)
    check_shape("int8_linear_dgrad", "weight", weight, (n, k), "n k", n=("dy", n))
    check_shape("int8_linear_dgrad", "scale", scale, (n,), "n", n=("dy", n))
    # Requirements.
    require(
        "int8_linear_dgrad",
        S == T or S == "f32",
        "scales in f32, or in the dtype of the other factor",
        "S of scale, T of dy",
        S=S,
        T=T,
    )
    results = Results(dx=TensorSpec((*batch, k), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(dy: TensorSpec, weight: TensorSpec, scale: TensorSpec) -> Results:
    """Check a call of `int8_linear_dgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, weight, scale).results


def pack(*, batch: int, batch_rank: int, n: int, k: int, T: int, S: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, n, k, T, S)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


int8_linear_dgrad = CoreOp(
    "int8_linear_dgrad", FACTS, infer, pack, unpack, bind=bind, op_hash=0x3153801A7A4E
)
