"""`rms_norm_squares` for PyTorch.

Rendered by opgen from rms_norm.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("rms_norm_squares")
_runtime.fall_back("rms_norm_squares", _reference)
_op = _runtime.register("rms_norm_squares", rule=("op rms_norm_squares -> squares", "refuse x"))
_runtime.count_flops(_op, lambda x, **_: 2 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def rms_norm_squares(x: Tensor, *, norm: Sequence[int]) -> Tensor:
    """The mean of the squares of each row of `x`. A step of `rms_norm`.

    Args:
        x (Tensor): shape `(*batch, *norm)`, float32, bfloat16, float16 or float64.
        norm (Sequence[int])

    Returns:
        Tensor: shape `(*batch)`, float32 (float64 if `x` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, norm)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("rms_norm_squares", error, x, norm) from None
