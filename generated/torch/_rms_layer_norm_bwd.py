"""`rms_layer_norm_bwd` for PyTorch.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_layer_norm_bwd")
_runtime.define_gradient(
    "rms_layer_norm_bwd",
    "(Tensor? ddx, Tensor? ddweight, Tensor dy, Tensor x, Tensor rstd, Tensor? weight, float eps, float offset, bool cast_first, bool[] needed) -> (Tensor, Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dy", "x", "rstd", "weight"),
    unread=("rstd",),
)
_op = _runtime.register(
    "rms_layer_norm_bwd",
    rule=(
        "op rms_layer_norm_bwd -> dx dweight",
        "call rms_layer_norm_bwd_reference_vjp cotangent?:dx cotangent?:dweight input:dy input:x "
        "input:rstd input:weight input:eps input:offset input:cast_first needed -> dy x rstd "
        "weight",
    ),
    reference=_reference,
    unread=("rstd",),
)
_runtime.count_flops(_op, lambda x, **_: 9 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_layer_norm_bwd(
    dy: Tensor,
    x: Tensor,
    rstd: Tensor,
    weight: Tensor | None = None,
    *,
    eps: float,
    offset: float = 0.0,
    cast_first: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Gradient of `rms_layer_norm` with respect to `x` and `weight`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, `promote(x.dtype, weight.dtype)` or `x.dtype`.
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        rstd (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        weight (Tensor, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0.
        offset (float): Default: 0.0.
        cast_first (bool): Default: False.

    Returns:
        A tuple of

        - dx (Tensor): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (Tensor, optional): shape `(*norm)`, the dtype of `rstd`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, x, rstd, weight, eps, offset, cast_first
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rms_layer_norm_bwd", error, dy, x, rstd, weight, eps, offset, cast_first
        ) from None
