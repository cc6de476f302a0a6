"""`rms_norm_bwd` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `rms_norm`'s reference.
_reference = _runtime.reference("rms_norm_bwd")
_runtime.define_gradient(
    "rms_norm_bwd",
    "(Tensor? ddx, Tensor? ddweight, Tensor dy, Tensor invvar, Tensor x, Tensor weight, float eps, bool[] needed) -> (Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dy", "x", "weight"),
)
_op = _runtime.register(
    "rms_norm_bwd",
    rule=(
        "op rms_norm_bwd -> dx dweight",
        "call rms_norm_bwd_reference_vjp cotangent?:dx cotangent?:dweight input:dy input:invvar "
        "input:x input:weight input:eps needed -> dy x weight",
        "zero invvar",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 9 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_bwd(
    dy: Tensor, invvar: Tensor, x: Tensor, weight: Tensor, *, eps: float = 1e-05
) -> tuple[Tensor, Tensor]:
    """Gradient of `rms_norm` with respect to `x` and `weight`.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        invvar (Tensor): shape `(*batch)`, float32 (float64 if `x` is float64).
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(*norm)`, the dtype of `dy`.
        eps (float): at least 0. Default: 1e-05.

    Returns:
        A tuple of

        - dx (Tensor): shape `(*batch, *norm)`, the dtype of `x`.
        - dweight (Tensor): shape `(*norm)`, `accum(promote(x.dtype, dy.dtype))`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, invvar, x, weight, eps)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm_bwd", error, dy, invvar, x, weight, eps) from None
