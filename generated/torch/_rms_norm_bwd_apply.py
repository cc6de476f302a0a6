"""`rms_norm_bwd_apply` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_norm_bwd_apply")
_runtime.fall_back("rms_norm_bwd_apply", _reference)
_op = _runtime.register(
    "rms_norm_bwd_apply",
    rule=("op rms_norm_bwd_apply -> dx dweight", "refuse dy invvar x weight products"),
)
_runtime.count_flops(_op, lambda x, **_: 7 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_bwd_apply(
    dy: Tensor, invvar: Tensor, x: Tensor, weight: Tensor, products: Tensor
) -> tuple[Tensor, Tensor]:
    """The gradients of `rms_norm`, computed from the row means of the products. A step of
    `rms_norm_bwd`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(*norm)`, the dtype of `dy`.
        products (Tensor): shape `(*batch)`, `accum(promote(x.dtype, dy.dtype))`.

    Returns:
        A tuple of

        - dx (Tensor): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (Tensor): shape `(*norm)`, the dtype of `products`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, invvar, x, weight, products)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rms_norm_bwd_apply", error, dy, invvar, x, weight, products
        ) from None
