"""`relu` for PyTorch.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("relu")
_op = _runtime.register(
    "relu", rule=("op relu -> y", "call relu_bwd cotangent:y result:y -> x"), reference=_reference
)
_runtime.count_flops(_op, lambda x, **_: prod(x))
_runtime.register_out("relu")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def relu(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `max(x, 0)`. A NaN stays a NaN.

    Args:
        x (Tensor): shape `(*s)`, float32, bfloat16, float16, float64, int8 or int32.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("relu", out, x)
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("relu", error, x) from None
