"""`rms_layer_norm`: `x` divided by the root mean square over its trailing dims, times `weight +
offset`: the RMS norm of PyTorch, Llama and Gemma.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import (
    CoreOp,
    Launch,
    TensorSpec,
    accum,
    check_rank,
    check_shape,
    promote,
    require,
)

DESCRIPTOR = Descriptor(
    "rms_layer_norm",
    size=40,
    fields=(
        ("rows", "i64", 0),
        ("columns", "i64", 8),
        ("offset", "f64", 16),
        ("cast_first", "i64", 24),
        ("eps", "f64", 32),
    ),
)

FACTS = OpFacts(
    "rms_layer_norm",
    inputs=(
        Input("x", shape(group("batch"), group("normalized_shape")), folds=True),
        Input("weight", shape(group("normalized_shape")), optional=True),
    ),
    results=(
        Result("y", shape(group("batch"), group("normalized_shape"))),
        Result("rstd", shape(group("batch")), residual=True),
    ),
    attrs={"normalized_shape": "int[]", "eps": "float?", "offset": "float", "cast_first": "bool"},
    platforms=("cpu", "cuda"),
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `rms_layer_norm`, then the residuals for its backward."""

    y: TensorSpec  # Y[*batch *normalized_shape]
    rstd: TensorSpec  # Acc[*batch]


def bind(
    x: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float | None = None,
    offset: float = 0.0,
    cast_first: bool = False,
) -> Launch[Results]:
    """Check a call of `rms_layer_norm`. Return results and kernel arguments."""
    # Attributes.
    normalized_shape = check_attr("rms_layer_norm", "normalized_shape", normalized_shape, "int[]")
    eps = check_attr("rms_layer_norm", "eps", eps, "float", low=0.0, optional=True)
    offset = check_attr("rms_layer_norm", "offset", offset, "float")
    cast_first = check_attr("rms_layer_norm", "cast_first", cast_first, "bool")
    # Dtypes.
    W = None
    T = check_dtype("rms_layer_norm", "x", x, ("f32", "bf16", "f16", "f64"))
    if weight is not None:
        W = check_dtype("rms_layer_norm", "weight", weight, ("f32", "bf16", "f16", "f64"))
    if W is None:
        W = "f32"
    Acc = accum(T)
    Y = promote(T, W) if cast_first and weight is not None else T
    # Sizes.
    check_rank("rms_layer_norm", "x", x, "*batch *normalized_shape", at_least=len(normalized_shape))
    batch = x.shape[: len(x.shape) - len(normalized_shape)]
    if weight is not None:
        check_rank(
            "rms_layer_norm", "weight", weight, "*normalized_shape", exactly=len(normalized_shape)
        )
    check_shape(
        "rms_layer_norm",
        "x",
        x,
        (*batch, *normalized_shape),
        "*batch *normalized_shape",
        normalized_shape=("", normalized_shape),
    )
    if weight is not None:
        check_shape(
            "rms_layer_norm",
            "weight",
            weight,
            normalized_shape,
            "*normalized_shape",
            normalized_shape=("", normalized_shape),
        )
    # Values that follow from the sizes.
    if eps is None:
        eps = 2.0**-52 if T == "f64" else 2.0**-23
    # Requirements.
    require(
        "rms_layer_norm",
        W == T or W == "f32",
        "W == T or W == f32",
        "W of weight, T of x",
        W=W,
        T=T,
    )
    results = Results(y=TensorSpec((*batch, *normalized_shape), Y), rstd=TensorSpec(batch, Acc))
    return Launch(
        results,
        attrs={
            "normalized_shape": normalized_shape,
            "eps": eps,
            "offset": offset,
            "cast_first": cast_first,
        },
    )


def infer(
    x: TensorSpec,
    weight: TensorSpec | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float | None = None,
    offset: float = 0.0,
    cast_first: bool = False,
) -> Results:
    """Check a call of `rms_layer_norm` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(
        x, weight, normalized_shape=normalized_shape, eps=eps, offset=offset, cast_first=cast_first
    ).results


def pack(*, rows: int, columns: int, offset: float, cast_first: int, eps: float) -> bytes:
    """The 40 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(rows, columns, offset, cast_first, eps)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_layer_norm = CoreOp(
    "rms_layer_norm", FACTS, infer, pack, unpack, bind=bind, op_hash=0x4FF940A0E514
)
