"""`rms_layer_norm` for PyTorch.

Rendered by opgen from rms_layer_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_layer_norm", completes=True)
_op = _runtime.register(
    "rms_layer_norm",
    rule=(
        "op rms_layer_norm -> y rstd",
        "residual rstd",
        "let eps input:eps present input:eps input:x dtype f64 == 2.0 -52 ** 2.0 -23 ** where "
        "where",
        "call rms_layer_norm_bwd cotangent:y input:x result:rstd input:weight let:eps "
        "input:offset input:cast_first -> x weight",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 4 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_layer_norm(
    x: Tensor,
    weight: Tensor | None = None,
    *,
    normalized_shape: Sequence[int],
    eps: float | None = None,
    offset: float = 0.0,
    cast_first: bool = False,
) -> Tensor:
    """`x` divided by the root mean square over its trailing dims, times `weight + offset`: the RMS
    norm of PyTorch, Llama and Gemma.

    Args:
        x (Tensor): shape `(*batch, *normalized_shape)`, float32, bfloat16, float16 or float64.
        weight (Tensor, optional): shape `(*normalized_shape)`, float32, bfloat16, float16 or
            float64.
        normalized_shape (Sequence[int])
        eps (float, optional): Default: the epsilon of f32, or of f64 for f64, as in
            `torch.nn.functional.rms_norm`. At least 0. Default: `2.0**(-52) if T == f64 else
            2.0**(-23)`.
        offset (float): Added to the weight: 1.0 in Gemma. Default: 0.0.
        cast_first (bool): Round to x's dtype before the product by the weight, as Llama does.
            Default: False.

    Returns:
        Tensor: shape `(*batch, *normalized_shape)`, `promote(x.dtype, weight.dtype)` or `x.dtype`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        y, _ = (_traced if is_dynamo_compiling() else _eager)(
            x, weight, normalized_shape, eps, offset, cast_first
        )
        return y
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "rms_layer_norm", error, x, weight, normalized_shape, eps, offset, cast_first
        ) from None
