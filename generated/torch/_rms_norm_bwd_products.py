"""`rms_norm_bwd_products` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_norm_bwd_products")
_runtime.fall_back("rms_norm_bwd_products", _reference)
_op = _runtime.register(
    "rms_norm_bwd_products",
    rule=("op rms_norm_bwd_products -> products", "refuse dy invvar x weight"),
)
_runtime.count_flops(_op, lambda x, **_: 4 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_bwd_products(dy: Tensor, invvar: Tensor, x: Tensor, weight: Tensor) -> Tensor:
    """The mean of `dy * weight * x * invvar` in each row. A step of `rms_norm_bwd`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(*norm)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(*batch)`, `accum(promote(x.dtype, dy.dtype))`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, invvar, x, weight)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm_bwd_products", error, dy, invvar, x, weight) from None
