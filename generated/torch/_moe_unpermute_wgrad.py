"""`moe_unpermute_wgrad` for PyTorch.

Rendered by opgen from moe.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("moe_unpermute_wgrad")
_op = _runtime.register(
    "moe_unpermute_wgrad",
    rule=(
        "op moe_unpermute_wgrad -> dweights",
        "call moe_unpermute input:rows input:places cotangent?:dweights -> dy",
        "call moe_unpermute_dgrad input:dy input:places cotangent?:dweights -> rows",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda dy, places, **_: 2 * dy[0] * places[1] * dy[1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moe_unpermute_wgrad(dy: Tensor, places: Tensor, rows: Tensor) -> Tensor:
    """Gradient of `moe_unpermute` with respect to `weights`.

    Args:
        dy (Tensor): shape `(t, d)`, float32, bfloat16, float16 or float64.
        places (Tensor): shape `(t, k)`, int32.
        rows (Tensor): shape `(t*k, d)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(t, k)`, float32 (float64 if `dy` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, places, rows)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moe_unpermute_wgrad", error, dy, places, rows) from None
