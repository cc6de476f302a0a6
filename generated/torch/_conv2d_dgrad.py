"""`conv2d_dgrad` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `conv2d`'s reference.
_reference = _runtime.reference("conv2d_dgrad")
_op = _runtime.register(
    "conv2d_dgrad",
    rule=(
        "op conv2d_dgrad -> dx",
        "call conv2d cotangent:dx input:weight None input:stride input:padding input:dilation "
        "input:groups -> dy",
        "let r input:weight sizes 2 item",
        "let s input:weight sizes 3 item",
        "call conv2d_wgrad input:dy cotangent:dx let:r let:s input:stride input:padding "
        "input:dilation input:groups wanted -> weight _",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda dy, weight, **_: 2 * prod(dy) * weight[1] * weight[2] * weight[3])
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d_dgrad(
    dy: Tensor,
    weight: Tensor,
    *,
    h: int,
    w: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Tensor:
    """Gradient of `conv2d` with respect to `x`. The size `h` by `w` of `x` does not follow from
    `dy`.

    Args:
        dy (Tensor): shape `(n, k, p, q)`, float32, bfloat16, float16 or float64.
        weight (Tensor): shape `(k, cg, r, s)`, the dtype of `dy`.
        h (int)
        w (int)
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.

    Returns:
        Tensor: shape `(n, groups*cg, h, w)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, weight, h, w, stride, padding, dilation, groups
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d_dgrad", error, dy, weight, h, w, stride, padding, dilation, groups
        ) from None
