"""`int8_linear`: `(x @ weight.T) * scale`: a linear layer with an 8-bit weight and sums in f32.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_shape, require

DESCRIPTOR = Descriptor(
    "int8_linear",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("k", "i64", 16),
        ("n", "i64", 24),
        ("T", "i64", 32),
        ("S", "i64", 40),
    ),
)

FACTS = OpFacts(
    "int8_linear",
    inputs=(
        Input("x", shape(group("batch"), dim("k"))),
        Input("weight", shape(dim("n"), dim("k"))),
        Input("scale", shape(dim("n"))),
    ),
    results=(Result("y", shape(group("batch"), dim("n")), reduce={"k": Reduction("sum")}),),
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("batch", "n", "k"),
    linear=(("x",),),
)


class Results(NamedTuple):
    """The results of `int8_linear`."""

    y: TensorSpec  # T[*batch n]


def bind(
    x: TensorSpec, weight: TensorSpec, scale: TensorSpec, *, arch: int | None = None
) -> Launch[Results]:
    """Check a call of `int8_linear`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("int8_linear", "x", x, ("f32", "bf16", "f16"))
    check_dtype("int8_linear", "weight", weight, ("i8",))
    S = check_dtype("int8_linear", "scale", scale, ("f32", "bf16", "f16"))
    # Sizes.
    check_rank("int8_linear", "x", x, "*batch k", at_least=1)
    batch = x.shape[:-1]
    k = x.shape[-1]
    check_rank("int8_linear", "weight", weight, "n k", exactly=2)
    n = weight.shape[0]
    check_rank("int8_linear", "scale", scale, "n", exactly=1)
    check_shape("int8_linear", "weight", weight, (n, k), "n k", k=("x", k))
    check_shape("int8_linear", "scale", scale, (n,), "n", n=("weight", n))
    # Requirements.
    require(
        "int8_linear",
        S == T or S == "f32",
        "scales in f32, or in the dtype of the other factor",
        "S of scale, T of x",
        S=S,
        T=T,
    )
    results = Results(y=TensorSpec((*batch, n), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(x: TensorSpec, weight: TensorSpec, scale: TensorSpec) -> Results:
    """Check a call of `int8_linear` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, weight, scale).results


def pack(*, batch: int, batch_rank: int, k: int, n: int, T: int, S: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, k, n, T, S)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


int8_linear = CoreOp("int8_linear", FACTS, infer, pack, unpack, bind=bind, op_hash=0xAEDA32EB6992)
