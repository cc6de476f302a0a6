"""`int4_linear_dgrad` for PyTorch.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("int4_linear_dgrad")
_op = _runtime.register(
    "int4_linear_dgrad",
    rule=(
        "op int4_linear_dgrad -> dx",
        "call int4_linear cotangent:dx input:weight input:scale input:zero -> dy",
        "refuse scale zero",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op,
    lambda dy, weight, scale, **_: (
        4 * prod(dy[0 : len(dy) - (1)]) * dy[-1] * scale[1] * (weight[1] // scale[1])
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def int4_linear_dgrad(
    dy: Tensor, weight: Tensor, scale: Tensor, zero: Tensor | None = None
) -> Tensor:
    """Gradient of `int4_linear` with respect to `x`.

    Args:
        dy (Tensor): shape `(*batch, n)`, float32, bfloat16 or float16.
        weight (Tensor): Two values in each byte, the lower four bits first. `h` bytes are a group.
            Shape `(n, g*h)`, uint8.
        scale (Tensor): The factor of the values in each group. Shape `(n, g)`, float32, bfloat16 or
            float16.
        zero (Tensor, optional): The number subtracted from the values of each group before scaling.
            Default: 8. Shape `(n, g)`, the dtype of `scale`.

    Returns:
        Tensor: shape `(*batch, g*h*2)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, weight, scale, zero)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("int4_linear_dgrad", error, dy, weight, scale, zero) from None
