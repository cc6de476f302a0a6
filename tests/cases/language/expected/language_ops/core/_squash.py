"""`squash`: `x * scale + bias`, squashed, times `gain`.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, Result, dim, group, shape
from .._opgen.core.kinds import check_attr, check_dtype
from .._opgen.core.runtime import CoreOp, Launch, TensorSpec, check_rank, check_shape

DESCRIPTOR = Descriptor(
    "squash",
    size=48,
    fields=(
        ("batch", "i64", 0),
        ("batch_rank", "i64", 8),
        ("d", "i64", 16),
        ("by", "i64", 24),
        ("scale", "f64", 32),
        ("T", "i64", 40),
    ),
)

FACTS = OpFacts(
    "squash",
    inputs=(
        Input("x", shape(group("batch"), dim("d")), folds=True),
        Input("gain", shape(), number=(0, 2)),
        Input("bias", shape(dim("d")), optional=True),
    ),
    results=(Result("y", shape(group("batch"), dim("d"))),),
    attrs={"by": "str", "scale": "float?"},
    split=("batch",),
    fold=("batch",),
)


class Results(NamedTuple):
    """The results of `squash`."""

    y: TensorSpec  # T[*batch d]


def bind(
    x: TensorSpec,
    gain: TensorSpec,
    bias: TensorSpec | None = None,
    *,
    by: str = "tanh",
    scale: float | None = None,
) -> Launch[Results]:
    """Check a call of `squash`. Return results and kernel arguments."""
    # Attributes.
    by = check_attr("squash", "by", by, "str", choices=("tanh", "softsign"))
    scale = check_attr("squash", "scale", scale, "float", optional=True)
    # Dtypes.
    T = check_dtype("squash", "x", x, ("f32", "f64"))
    check_dtype("squash", "gain", gain, (T,), like="x")
    if bias is not None:
        check_dtype("squash", "bias", bias, (T,), like="x")
    # Sizes.
    check_rank("squash", "x", x, "*batch d", at_least=1)
    batch = x.shape[:-1]
    d = x.shape[-1]
    check_rank("squash", "gain", gain, "", exactly=0)
    if bias is not None:
        check_rank("squash", "bias", bias, "d", exactly=1)
        check_shape("squash", "bias", bias, (d,), "d", d=("x", d))
    # Values that follow from the sizes.
    if scale is None:
        scale = d**-0.5
    results = Results(y=TensorSpec((*batch, d), T))
    return Launch(results, attrs={"by": by, "scale": scale})


def infer(
    x: TensorSpec,
    gain: TensorSpec,
    bias: TensorSpec | None = None,
    *,
    by: str = "tanh",
    scale: float | None = None,
) -> Results:
    """Check a call of `squash` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    return bind(x, gain, bias, by=by, scale=scale).results


def pack(*, batch: int, batch_rank: int, d: int, by: int, scale: float, T: int) -> bytes:
    """The 48 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(batch, batch_rank, d, by, scale, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


squash = CoreOp("squash", FACTS, infer, pack, unpack, bind=bind, op_hash=0xDB0040A5668C)
