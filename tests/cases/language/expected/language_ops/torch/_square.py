"""`square` for PyTorch.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("square")
_op = _runtime.register(
    "square", rule=("op square -> y", "formula x 2 input:x * cotangent:y *"), reference=_reference
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def square(x: Tensor) -> Tensor:
    """`x*x`, in memory as `x` is.

    Args:
        x (Tensor): shape `(*s)`, float32 or float64.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("square", error, x) from None
