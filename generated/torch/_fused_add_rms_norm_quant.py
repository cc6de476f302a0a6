"""`fused_add_rms_norm_quant` for PyTorch.

Rendered by opgen from fused_add_rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "fused_add_rms_norm_quant",
    rule=("op fused_add_rms_norm_quant -> y y_scale", "refuse x residual weight scale scale_ub"),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def fused_add_rms_norm_quant(
    x: Tensor,
    residual: Tensor,
    weight: Tensor,
    scale: Tensor | None = None,
    scale_ub: Tensor | None = None,
    *,
    out_dtype: torch.dtype = torch.float8_e4m3fn,
    eps: float = 1e-06,
    dynamic: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """`fused_add_rms_norm` with `y` quantised to fp8, by a given scale or by a computed scale for
    each row.

    Args:
        x (Tensor): shape `(*batch, d)`, bfloat16, float16, float32 or float64.
        residual (Tensor): shape `(*batch, d)`, the dtype of `x`.
        weight (Tensor): shape `(d,)`, the dtype of `x`.
        scale (Tensor, optional): scalar, float32.
        scale_ub (Tensor, optional): scalar, float32.
        out_dtype (torch.dtype): one of torch.float8_e4m3fn, torch.float8_e5m2. Default:
            torch.float8_e4m3fn.
        eps (float): at least 0. Default: 1e-06.
        dynamic (bool): Default: False.

    Returns:
        A tuple of

        - y (Tensor): shape `(*batch, d)`, the dtype `out_dtype`.
        - y_scale (Tensor): shape `(*batch, 1)` or shape `(*batch, 0)`, float32.
        - residual (Tensor): shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, y_scale = (_traced if is_dynamo_compiling() else _eager)(
            x,
            residual,
            weight,
            _runtime.number(scale, "f32", x),
            _runtime.number(scale_ub, "f32", x),
            out_dtype,
            eps,
            dynamic,
        )
        return y, y_scale, residual
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "fused_add_rms_norm_quant",
            error,
            x,
            residual,
            weight,
            _runtime.number(scale, "f32", x),
            _runtime.number(scale_ub, "f32", x),
            out_dtype,
            eps,
            dynamic,
        ) from None
