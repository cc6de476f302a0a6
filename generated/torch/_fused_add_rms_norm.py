"""`fused_add_rms_norm` for PyTorch.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "fused_add_rms_norm", rule=("op fused_add_rms_norm -> y", "refuse x residual weight")
)
_runtime.count_flops(_op, lambda x, **_: 5 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def fused_add_rms_norm(
    x: Tensor, residual: Tensor, weight: Tensor, *, eps: float = 1e-06
) -> tuple[Tensor, Tensor]:
    """`residual += x`, then `y = rms_norm(residual) * weight`.

    Args:
        x (Tensor): shape `(*batch, d)`, bfloat16, float16, float32 or float64.
        residual (Tensor): shape `(*batch, d)`, the dtype of `x`.
        weight (Tensor): shape `(d,)`, the dtype of `x`.
        eps (float): at least 0. Default: 1e-06.

    Returns:
        A tuple of

        - y (Tensor): shape `(*batch, d)`, the dtype of `x`.
        - residual (Tensor): shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y = (_traced if is_dynamo_compiling() else _eager)(x, residual, weight, eps)
        return y, residual
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("fused_add_rms_norm", error, x, residual, weight, eps) from None
