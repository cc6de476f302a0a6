"""`moe_unpermute_dgrad` for PyTorch.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moe_unpermute_dgrad")
_op = _runtime.register(
    "moe_unpermute_dgrad",
    rule=(
        "op moe_unpermute_dgrad -> drows",
        "call moe_unpermute cotangent:drows input:places input:weights -> dy",
        "call moe_unpermute_wgrad input:dy input:places cotangent:drows -> weights",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda dy, places, **_: dy[0] * places[1] * dy[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moe_unpermute_dgrad(dy: Tensor, places: Tensor, weights: Tensor | None = None) -> Tensor:
    """Gradient of `moe_unpermute` with respect to `rows`.

    Args:
        dy (Tensor): shape `(t, d)`, float32, bfloat16, float16 or float64.
        places (Tensor): shape `(t, k)`, int32.
        weights (Tensor, optional): shape `(t, k)`, float32, bfloat16, float16 or float64.

    Returns:
        Tensor: shape `(t*k, d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, places, weights)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moe_unpermute_dgrad", error, dy, places, weights) from None
