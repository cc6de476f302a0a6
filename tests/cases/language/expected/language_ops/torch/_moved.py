"""`moved` for PyTorch.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("options", "moved")
_runtime.fall_back("moved", _reference)
_op = _runtime.register(
    "moved", rule=("op moved -> y", "call moved cotangent:y None -> x"), reference=_reference
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def moved(x: Tensor, by: Tensor | None = None) -> Tensor:
    """`x + by`, or `x`.

    Args:
        x (Tensor): shape `(*s)`, float32 or float64.
        by (Tensor, optional): shape `(*s)`, int64.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, by)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("moved", error, x, by) from None
