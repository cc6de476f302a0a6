"""`rms_norm` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_norm")
_op = _runtime.register(
    "rms_norm",
    rule=(
        "op rms_norm -> y invvar",
        "residual invvar",
        "call rms_norm_bwd cotangent:y result:invvar input:x input:weight input:eps -> x weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 4 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm(x: Tensor, weight: Tensor, *, eps: float = 1e-05) -> Tensor:
    """Root-mean-square normalization of `x` over its trailing dims, scaled by `weight`.

    Args:
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0. Default: 1e-05.

    Returns:
        Tensor: shape `(*batch, *norm)`, the dtype of `weight`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _ = (_traced if is_dynamo_compiling() else _eager)(x, weight, eps)
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm", error, x, weight, eps) from None
