"""`rms_norm_bwd_apply` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _runtime

_reference = _runtime.reference("rms_norm", "rms_norm_bwd_apply")
_runtime.fall_back("rms_norm_bwd_apply", _reference)
_op = _runtime.register(
    "rms_norm_bwd_apply",
    rule=("op rms_norm_bwd_apply -> dx dweight", "refuse dy invvar x weight products"),
)
_runtime.shard(
    _op,
    split=("batch", "norm"),
    inputs={
        "dy": "*batch *norm",
        "invvar": "*batch",
        "x": "*batch *norm",
        "weight": "*norm",
        "products": "*batch",
    },
    results={"dx": "*batch *norm", "dweight": "*norm"},
    reduce={"dweight": {"batch": "sum"}},
)
_runtime.count_flops(_op, lambda dy, invvar, x, weight, products: 7 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_bwd_apply(
    dy: Tensor, invvar: Tensor, x: Tensor, weight: Tensor, products: Tensor
) -> tuple[Tensor, Tensor]:
    """The gradients of `rms_norm` from the row means of their products: a part of
    `rms_norm_bwd`.

    dy: W[*batch *norm].
    invvar: Acc[*batch].
    x: T[*batch *norm].
    weight: W[*norm].
    products: Sum[*batch].
    Returns dx: T[*batch *norm], dweight: Sum[*norm].
    T: float32, bfloat16, float16 or float64.
    W: float32, bfloat16, float16 or float64.
    Acc: accum(T).
    Sum: accum(promote(T, W)).

    Raises TypeError for a dtype, rank or kind, ValueError for a size, value or device.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, invvar, x, weight, products
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rms_norm_bwd_apply", error, dy, invvar, x, weight, products
        ) from None
