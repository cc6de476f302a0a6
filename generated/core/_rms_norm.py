"""`rms_norm`: Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, accum, check_rank, check_shape, prod

DESCRIPTOR = Descriptor(
    "rms_norm",
    size=32,
    fields=(
        ("n1", "i32", 0),
        ("n2", "i32", 4),
        ("eps", "f64", 8),
        ("x_type", "dtype", 16),
        ("w_type", "dtype", 20),
        ("part_grad_size", "i32", 24),
    ),
)

FACTS = OpFacts(
    "rms_norm",
    inputs=(
        Input("x", shape(group("batch"), group("norm")), folds=True),
        Input("weight", shape(group("norm"))),
    ),
    results=(
        Result("y", shape(group("batch"), group("norm"))),
        Result("invvar", shape(group("batch")), residual=True),
    ),
    attrs={"eps": "float"},
    platforms=("cpu", "cuda", "neuron"),
    demanding=True,
    split=("batch",),
    stages={"norm": ("rms_norm_squares", "rms_norm_scale")},
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `rms_norm`, then the residuals for its backward."""

    y: TensorSpec  # W[*batch *norm]
    invvar: TensorSpec  # Acc[*batch]


def bind(x: TensorSpec, weight: TensorSpec, *, eps: float = 1e-05) -> Launch[Results]:
    """Check a call of `rms_norm`. Return results and kernel arguments."""
    # Attributes.
    eps = check_attr("rms_norm", "eps", eps, "float", low=0.0)
    # Dtypes.
    T = check_dtype("rms_norm", "x", x, ("f32", "bf16", "f16", "f64"))
    W = check_dtype("rms_norm", "weight", weight, ("f32", "bf16", "f16", "f64"))
    Acc = accum(T)
    # Sizes.
    norm = weight.shape
    check_rank("rms_norm", "x", x, "*batch *norm", at_least=len(norm), of="norm of weight")
    batch = x.shape[: len(x.shape) - len(norm)]
    check_shape("rms_norm", "x", x, (*batch, *norm), "*batch *norm", norm=("weight", norm))
    results = Results(y=TensorSpec((*batch, *norm), W), invvar=TensorSpec(batch, Acc))
    return Launch(
        results,
        descriptor=(prod(batch), prod(norm), eps, T, W, 0),
        grid=(),
        require={"neuron": lambda: ((T != "f64", "T != f64"), (W != "f64", "W != f64"))},
        attrs={"eps": eps},
    )


def infer(x: TensorSpec, weight: TensorSpec, *, eps: float = 1e-05) -> Results:
    """Check a call of `rms_norm` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, weight, eps=eps).results


def pack(
    *, n1: int, n2: int, eps: float, x_type: str, w_type: str, part_grad_size: int = 0
) -> bytes:
    """The 32 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(n1, n2, eps, x_type, w_type, part_grad_size)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


rms_norm = CoreOp("rms_norm", FACTS, infer, pack, unpack, bind=bind, op_hash=0x76B58E2008B2)
