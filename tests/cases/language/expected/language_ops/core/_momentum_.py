"""`momentum_`: One step of gradient descent with momentum, on lists of tensors, in place.

Rendered by opgen from optimizers.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .._opgen.core.descriptor import Descriptor
from .._opgen.core.facts import Input, OpFacts, group, shape
from .._opgen.core.kinds import check_attr, check_dtype, check_list
from .._opgen.core.runtime import CoreOp, TensorSpec, check_count, check_rank, check_shape

DESCRIPTOR = Descriptor("momentum_", size=16, fields=(("momentum", "f64", 0), ("T", "i64", 8)))

FACTS = OpFacts(
    "momentum_",
    inputs=(
        Input("params", shape(group("s", each=True)), list=True, updated=True),
        Input("grads", shape(group("s", each=True)), list=True),
        Input("momenta", shape(group("s", each=True)), list=True, updated=True),
        Input("lr", shape(), number=("f32",)),
    ),
    results=(),
    attrs={"momentum": "float"},
    platforms=("cpu",),
    split=("s",),
    follow="params",
    followers=("grads", "momenta"),
    fold=("s",),
)


class Results(NamedTuple):
    """The results of `momentum_`."""


def infer(
    params: Sequence[TensorSpec],
    grads: Sequence[TensorSpec],
    momenta: Sequence[TensorSpec],
    lr: TensorSpec,
    *,
    momentum: float = 0.9,
) -> Results:
    """Check a call of `momentum_` and give the shapes and dtypes of its results.

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    # Attributes.
    momentum = check_attr("momentum_", "momentum", momentum, "float", low=0.0)
    # Dtypes.
    check_list("momentum_", "params", params)
    T = check_dtype("momentum_", "params", params[0], ("f32", "f64"))
    check_list("momentum_", "grads", grads)
    check_dtype("momentum_", "grads", grads[0], (T,), like="params")
    check_list("momentum_", "momenta", momenta)
    check_dtype("momentum_", "momenta", momenta[0], (T,), like="params")
    check_dtype("momentum_", "lr", lr, ("f32",))
    # Sizes.
    n = len(params)
    s = [each.shape for each in params]
    check_rank("momentum_", "lr", lr, "", exactly=0)
    check_count("momentum_", "grads", grads, n, "n of params")
    check_count("momentum_", "momenta", momenta, n, "n of params")
    for i, each in enumerate(params):
        check_shape("momentum_", f"params[{i}]", each, s[i], "*s[i]")
    for i, each in enumerate(grads):
        check_shape("momentum_", f"grads[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    for i, each in enumerate(momenta):
        check_shape("momentum_", f"momenta[{i}]", each, s[i], "*s[i]", s=("params", s[i]))
    return Results()


def pack(*, momentum: float, T: int) -> bytes:
    """The 16 bytes of the descriptor; padding is zero.

    Dtypes are given by name. Raises ValueError for a value that does not fit its field.
    """
    return DESCRIPTOR.pack(momentum, T)


def unpack(data: bytes) -> dict[str, object]:
    """Return the fields of a packed descriptor by name. Raises ValueError for a wrong length."""
    return DESCRIPTOR.unpack(data)


momentum_ = CoreOp("momentum_", FACTS, infer, pack, unpack, op_hash=0x0496065BE0BB)
