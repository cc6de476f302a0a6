"""`int4_linear`: `x @ (scale * (weight - zero)).T`: a linear layer with a 4-bit weight, one
scale for each group along k, and sums in f32.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Reduction, Result, dim, group, product, shape
from .._opgen.core.kinds import check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    check_rank,
    check_shape,
    require,
    solve,
)

DESCRIPTOR = Descriptor(
    "int4_linear",
    size=56,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("g", "i64", 16),
        ("h", "i64", 24),
        ("n", "i64", 32),
        ("T", "i64", 40),
        ("S", "i64", 48),
    ),
)

FACTS = OpFacts(
    "int4_linear",
    inputs=(
        Input("x", shape(group("batch"), product("g", "h", "2"))),
        Input("weight", shape(dim("n"), product("g", "h"))),
        Input("scale", shape(dim("n"), dim("g"))),
        Input("zero", shape(dim("n"), dim("g")), optional=True),
    ),
    results=(Result("y", shape(group("batch"), dim("n")), reduce={"g": Reduction("sum")}),),
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("batch", "n", "g"),
    linear=(("x",),),
)


class Results(NamedTuple):
    """The results of `int4_linear`."""

    y: TensorSpec  # T[*batch n]


def bind(
    x: TensorSpec,
    weight: TensorSpec,
    scale: TensorSpec,
    zero: TensorSpec | None = None,
    *,
    arch: int | None = None,
) -> Launch[Results]:
    """Check a call of `int4_linear`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("int4_linear", "x", x, ("f32", "bf16", "f16"))
    check_dtype("int4_linear", "weight", weight, ("u8",))
    S = check_dtype("int4_linear", "scale", scale, ("f32", "bf16", "f16"))
    if zero is not None:
        check_dtype("int4_linear", "zero", zero, (S,), like="scale")
    # Sizes.
    check_rank("int4_linear", "x", x, "*batch g*h*2", at_least=1)
    batch = x.shape[:-1]
    check_rank("int4_linear", "weight", weight, "n g*h", exactly=2)
    n = weight.shape[0]
    check_rank("int4_linear", "scale", scale, "n g", exactly=2)
    g = scale.shape[1]
    if zero is not None:
        check_rank("int4_linear", "zero", zero, "n g", exactly=2)
    h = solve("int4_linear", "x", "g * h * 2", "h", x.shape[-1], g * 2, 0, of="g of scale")
    check_shape("int4_linear", "x", x, (*batch, g * h * 2), "*batch g*h*2", g=("scale", g))
    check_shape("int4_linear", "weight", weight, (n, g * h), "n g*h", g=("scale", g), h=("x", h))
    check_shape("int4_linear", "scale", scale, (n, g), "n g", n=("weight", n))
    if zero is not None:
        check_shape("int4_linear", "zero", zero, (n, g), "n g", n=("weight", n), g=("scale", g))
    # Requirements.
    require(
        "int4_linear",
        S == T or S == "f32",
        "scales in f32, or in the dtype of the other factor",
        "S of scale, T of x",
        S=S,
        T=T,
    )
    results = Results(y=TensorSpec((*batch, n), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    x: TensorSpec, weight: TensorSpec, scale: TensorSpec, zero: TensorSpec | None = None
) -> Results:
    """Check a call of `int4_linear` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, weight, scale, zero).results


def pack(*, batch: int, batch_rank: int, g: int, h: int, n: int, T: int, S: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, g, h, n, T, S)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


int4_linear = CoreOp("int4_linear", FACTS, infer, pack, unpack, bind=bind, op_hash=0xD7F0F1B21FD3)
