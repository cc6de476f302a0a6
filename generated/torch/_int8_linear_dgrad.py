"""`int8_linear_dgrad` for PyTorch.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("int8_linear_dgrad")
_op = _runtime.register(
    "int8_linear_dgrad",
    rule=(
        "op int8_linear_dgrad -> dx",
        "call int8_linear cotangent:dx input:weight input:scale -> dy",
        "refuse scale",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op, lambda dy, weight, **_: 2 * prod(dy[0 : len(dy) - (1)]) * dy[-1] * weight[1]
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def int8_linear_dgrad(dy: Tensor, weight: Tensor, scale: Tensor) -> Tensor:
    """Gradient of `int8_linear` with respect to `x`.

    Args:
        dy (Tensor): shape `(*batch, n)`, float32, bfloat16 or float16.
        weight (Tensor): shape `(n, k)`, int8.
        scale (Tensor): The factor of the integers in each row of `weight`. Shape `(n,)`, float32,
            bfloat16 or float16.

    Returns:
        Tensor: shape `(*batch, k)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, weight, scale)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("int8_linear_dgrad", error, dy, weight, scale) from None
