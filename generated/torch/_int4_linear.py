"""`int4_linear` for PyTorch.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("int4_linear")
_op = _runtime.register(
    "int4_linear",
    rule=(
        "op int4_linear -> y",
        "call int4_linear_dgrad cotangent:y input:weight input:scale input:zero -> x",
        "refuse scale zero",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op,
    lambda x, weight, scale, **_: (
        4 * prod(x[0 : len(x) - (1)]) * weight[0] * scale[1] * (x[-1] // (scale[1] * 2))
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def int4_linear(x: Tensor, weight: Tensor, scale: Tensor, zero: Tensor | None = None) -> Tensor:
    """`x @ (scale * (weight - zero)).T`: a linear layer with a 4-bit weight, one scale for each
    group along k, and sums in f32.

    Args:
        x (Tensor): shape `(*batch, g*h*2)`, float32, bfloat16 or float16.
        weight (Tensor): Two values in each byte, the lower four bits first. `h` bytes are a group.
            Shape `(n, g*h)`, uint8.
        scale (Tensor): The factor of the values in each group. Shape `(n, g)`, float32, bfloat16 or
            float16.
        zero (Tensor, optional): The number subtracted from the values of each group before scaling.
            Default: 8. Shape `(n, g)`, the dtype of `scale`.

    Returns:
        Tensor: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, weight, scale, zero)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("int4_linear", error, x, weight, scale, zero) from None
