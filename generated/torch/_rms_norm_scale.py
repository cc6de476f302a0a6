"""`rms_norm_scale` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_norm_scale")
_runtime.fall_back("rms_norm_scale", _reference)
_op = _runtime.register(
    "rms_norm_scale", rule=("op rms_norm_scale -> y invvar", "refuse x weight squares")
)
_runtime.count_flops(_op, lambda x, **_: 2 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_scale(
    x: Tensor, weight: Tensor, squares: Tensor, *, eps: float = 1e-05
) -> tuple[Tensor, Tensor]:
    """Rows of `x` divided by their root mean square, scaled by `weight`. A step of `rms_norm`.

    Args:
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(*norm)`, float32, bfloat16, float16 or float64.
        squares (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - y (Tensor): shape `(*batch, *norm)`, the dtype of `weight`.
        - invvar (Tensor): shape `(*batch)`, the dtype of `squares`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, weight, squares, eps)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm_scale", error, x, weight, squares, eps) from None
