"""`window_sums` for PyTorch.

Rendered by opgen from windows.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("windows", "window_sums")
_runtime.define_gradient(
    "window_sums",
    "(Tensor? dsums, Tensor x, SymInt width, SymInt step, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "window_sums",
    rule=(
        "op window_sums -> sums",
        "call window_sums_reference_vjp cotangent?:sums input:x input:width input:step needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def window_sums(x: Tensor, *, width: int, step: int = 1) -> Tensor:
    """Sums of `width` neighbours along the last dim of `x`, begun every `step`.

    Args:
        x (Tensor): shape `(*batch, n)`, float32 or float64.
        width (int): at least 1.
        step (int): at least 1. Default: 1.

    Returns:
        Tensor: shape `(*batch, m)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, width, step)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("window_sums", error, x, width, step) from None
