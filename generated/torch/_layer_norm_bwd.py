"""`layer_norm_bwd` for PyTorch.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layer_norm_bwd")
_runtime.define_gradient(
    "layer_norm_bwd",
    "(Tensor? ddx, Tensor? ddweight, Tensor? ddbias, Tensor dy, Tensor x, Tensor mean, Tensor rstd, Tensor? weight, float eps, bool[] needed) -> (Tensor, Tensor, Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dy", "x", "mean", "rstd", "weight"),
    unread=("mean", "rstd"),
)
_op = _runtime.register(
    "layer_norm_bwd",
    rule=(
        "op layer_norm_bwd -> dx dweight dbias",
        "call layer_norm_bwd_reference_vjp cotangent?:dx cotangent?:dweight cotangent?:dbias "
        "input:dy input:x input:mean input:rstd input:weight input:eps needed -> dy x mean rstd "
        "weight",
    ),
    reference=_reference,
    unread=("mean", "rstd"),
)
_runtime.count_flops(_op, lambda x, **_: 13 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def layer_norm_bwd(
    dy: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None = None,
    *,
    eps: float,
    wanted: Collection[str] = ("dx", "dweight", "dbias"),
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """Gradient of `layer_norm`. Only the requested gradients are computed.

    Args:
        dy (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        x (Tensor): shape `(*batch, *norm)`, the dtype of `dy`.
        mean (Tensor): shape `(*batch)`, float32 (float64 if `dy` is float64).
        rstd (Tensor): shape `(*batch)`, the dtype of `mean`.
        weight (Tensor, optional): shape `(*norm)`, float32, bfloat16, float16 or float64.
        eps (float): at least 0.
        wanted (Collection[str]): results to compute, of "dx", "dweight", "dbias". The others are
            None. Default: all.

    Returns:
        A tuple of

        - dx (Tensor, optional): shape `(*batch, *norm)`, the dtype of `dy`.
        - dweight (Tensor, optional): shape `(*norm)`, the dtype of `mean`.
        - dbias (Tensor, optional): shape `(*norm)`, the dtype of `mean`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, x, mean, rstd, weight, eps, _runtime.wanted_bits("layer_norm_bwd", wanted)
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("layer_norm_bwd", error, dy, x, mean, rstd, weight, eps) from None
