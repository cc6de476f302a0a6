"""`int8_linear` for PyTorch.

Rendered by opgen from quantized_linear.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("int8_linear")
_op = _runtime.register(
    "int8_linear",
    rule=(
        "op int8_linear -> y",
        "call int8_linear_dgrad cotangent:y input:weight input:scale -> x",
        "refuse scale",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, weight, **_: 2 * prod(x[0 : len(x) - (1)]) * weight[0] * x[-1])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def int8_linear(x: Tensor, weight: Tensor, scale: Tensor) -> Tensor:
    """`(x @ weight.T) * scale`: a linear layer with an 8-bit weight and sums in f32.

    Args:
        x (Tensor): shape `(*batch, k)`, float32, bfloat16 or float16.
        weight (Tensor): shape `(n, k)`, int8.
        scale (Tensor): The factor of the integers in each row of `weight`. Shape `(n,)`, float32,
            bfloat16 or float16.

    Returns:
        Tensor: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, weight, scale)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("int8_linear", error, x, weight, scale) from None
