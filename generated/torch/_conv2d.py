"""`conv2d` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("conv2d")
_op = _runtime.register(
    "conv2d",
    rule=(
        "op conv2d -> y",
        "let h input:x sizes 2 item",
        "let w input:x sizes 3 item",
        "call conv2d_dgrad cotangent:y input:weight let:h let:w input:stride input:padding "
        "input:dilation input:groups -> x",
        "let r input:weight sizes 2 item",
        "let s input:weight sizes 3 item",
        "call conv2d_wgrad cotangent:y input:x let:r let:s input:stride input:padding "
        "input:dilation input:groups wanted -> weight bias",
    ),
    reference=_reference,
)
_runtime.count_flops(
    _op,
    lambda x, weight, stride, padding, dilation, groups, **_: (
        2
        * x[0]
        * weight[0]
        * ((x[2] + 2 * padding[0] - dilation[0] * (weight[2] - 1) - 1) // stride[0] + 1)
        * ((x[3] + 2 * padding[1] - dilation[1] * (weight[3] - 1) - 1) // stride[1] + 1)
        * (x[1] // groups)
        * weight[2]
        * weight[3]
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Tensor:
    """2-D convolution of NCHW images.

    Args:
        x (Tensor): shape `(n, groups*cg, h, w)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(k, cg, r, s)`, the dtype of `x`.
        bias (Tensor, optional): shape `(k,)`, the dtype of `x`.
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.

    Returns:
        Tensor: shape `(n, k, p, q)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, weight, bias, stride, padding, dilation, groups
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d", error, x, weight, bias, stride, padding, dilation, groups
        ) from None
