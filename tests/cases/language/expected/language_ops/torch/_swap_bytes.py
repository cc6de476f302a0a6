"""`swap_bytes` for PyTorch.

Rendered by opgen from samples.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("swap_bytes", rule=("op swap_bytes -> y",))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def swap_bytes(x: Tensor) -> Tensor:
    """The two bytes of each 16-bit number swapped: what was stored most significant byte first.

    Args:
        x (Tensor): shape `(*s)`, int16.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("swap_bytes", error, x) from None
