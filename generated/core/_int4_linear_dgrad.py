"""`int4_linear_dgrad`: Gradient of `int4_linear` with respect to `x`.

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
    "int4_linear_dgrad",
    size=56,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("n", "i64", 16),
        ("g", "i64", 24),
        ("h", "i64", 32),
        ("T", "i64", 40),
        ("S", "i64", 48),
    ),
)

FACTS = OpFacts(
    "int4_linear_dgrad",
    inputs=(
        Input("dy", shape(group("batch"), dim("n")), folds=True),
        Input("weight", shape(dim("n"), product("g", "h"))),
        Input("scale", shape(dim("n"), dim("g"))),
        Input("zero", shape(dim("n"), dim("g")), optional=True),
    ),
    results=(
        Result("dx", shape(group("batch"), product("g", "h", "2")), reduce={"n": Reduction("sum")}),
    ),
    platforms=("cpu", "cuda"),
    demanding=True,
    device=("arch",),
    split=("batch", "n", "g"),
    linear=(("dy",),),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `int4_linear_dgrad`."""

    dx: TensorSpec  # T[*batch g*h*2]


def bind(
    dy: TensorSpec,
    weight: TensorSpec,
    scale: TensorSpec,
    zero: TensorSpec | None = None,
    *,
    arch: int | None = None,
) -> Launch[Results]:
    """Check a call of `int4_linear_dgrad`. Return results and kernel arguments."""
    # Dtypes.
    T = check_dtype("int4_linear_dgrad", "dy", dy, ("f32", "bf16", "f16"))
    check_dtype("int4_linear_dgrad", "weight", weight, ("u8",))
    S = check_dtype("int4_linear_dgrad", "scale", scale, ("f32", "bf16", "f16"))
    if zero is not None:
        check_dtype("int4_linear_dgrad", "zero", zero, (S,), like="scale")
    # Sizes.
    check_rank("int4_linear_dgrad", "dy", dy, "*batch n", at_least=1)
    batch = dy.shape[:-1]
    n = dy.shape[-1]
    check_rank("int4_linear_dgrad", "weight", weight, "n g*h", exactly=2)
    check_rank("int4_linear_dgrad", "scale", scale, "n g", exactly=2)
    g = scale.shape[1]
    if zero is not None:
        check_rank("int4_linear_dgrad", "zero", zero, "n g", exactly=2)
    h = solve("int4_linear_dgrad", "weight", "g * h", "h", weight.shape[1], g, 0, of="g of scale")
    check_shape(
        "int4_linear_dgrad", "weight", weight, (n, g * h), "n g*h", n=("dy", n), g=("scale", g)
    )
    check_shape("int4_linear_dgrad", "scale", scale, (n, g), "n g", n=("dy", n))
    if zero is not None:
        check_shape("int4_linear_dgrad", "zero", zero, (n, g), "n g", n=("dy", n), g=("scale", g))
    # Requirements.
    require(
        "int4_linear_dgrad",
        S == T or S == "f32",
        "scales in f32, or in the dtype of the other factor",
        "S of scale, T of dy",
        S=S,
        T=T,
    )
    results = Results(dx=TensorSpec((*batch, g * h * 2), T))
    return Launch(results, require={"cuda": lambda: ((arch is None or arch >= 80, "arch >= 80"),)})


def infer(
    dy: TensorSpec, weight: TensorSpec, scale: TensorSpec, zero: TensorSpec | None = None
) -> Results:
    """Check a call of `int4_linear_dgrad` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(dy, weight, scale, zero).results


def pack(*, batch: int, batch_rank: int, n: int, g: int, h: int, T: int, S: int) -> bytes:
    """The 56 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, n, g, h, T, S)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


int4_linear_dgrad = CoreOp(
    "int4_linear_dgrad", FACTS, infer, pack, unpack, bind=bind, op_hash=0xF8646E1735E1
)
