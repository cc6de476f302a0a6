"""`conv2d_wgrad` for PyTorch.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `conv2d`'s reference.
_reference = _runtime.reference("conv2d_wgrad")
_op = _runtime.register(
    "conv2d_wgrad",
    rule=(
        "op conv2d_wgrad -> dweight dbias",
        "call conv2d input:x cotangent:dweight cotangent?:dbias input:stride input:padding "
        "input:dilation input:groups -> dy",
        "let h input:x sizes 2 item",
        "let w input:x sizes 3 item",
        "call conv2d_dgrad input:dy cotangent:dweight let:h let:w input:stride input:padding "
        "input:dilation input:groups -> x",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda dy, x, r, s, groups, **_: 2 * prod(dy) * (x[1] // groups) * r * s)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def conv2d_wgrad(
    dy: Tensor,
    x: Tensor,
    *,
    r: int,
    s: int,
    stride: Sequence[int] = (1, 1),
    padding: Sequence[int] = (0, 0),
    dilation: Sequence[int] = (1, 1),
    groups: int = 1,
    wanted: Collection[str] = ("dweight", "dbias"),
) -> tuple[Tensor | None, Tensor | None]:
    """Gradient of `conv2d` with respect to `weight` and `bias`.

    Args:
        dy (Tensor): shape `(n, k, p, q)`, float32, bfloat16, float16 or float64.
        x (Tensor): shape `(n, groups*cg, h, w)`, the dtype of `dy`.
        r (int)
        s (int)
        stride (Sequence[int]): at least 1. Default: (1, 1).
        padding (Sequence[int]): at least 0. Default: (0, 0).
        dilation (Sequence[int]): at least 1. Default: (1, 1).
        groups (int): at least 1. Default: 1.
        wanted (Collection[str]): results to compute, of "dweight", "dbias". The others are None.
            Default: all.

    Returns:
        A tuple of

        - dweight (Tensor, optional): shape `(k, cg, r, s)`, the dtype of `dy`.
        - dbias (Tensor, optional): shape `(k,)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy,
            x,
            r,
            s,
            stride,
            padding,
            dilation,
            groups,
            _runtime.wanted_bits("conv2d_wgrad", wanted),
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "conv2d_wgrad", error, dy, x, r, s, stride, padding, dilation, groups
        ) from None
