"""`class_top` for PyTorch.

Rendered by opgen from weighted_cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("class_top")
_runtime.fall_back("class_top", _reference)
_op = _runtime.register("class_top", rule=("op class_top -> top", "refuse logits"))
_runtime.count_flops(_op, lambda logits, **_: prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def class_top(logits: Tensor, *, classes: str = "last") -> Tensor:
    """The largest of the `logits` of each position, or NaN if one is NaN. A step of
    `soft_cross_entropy` and `weighted_cross_entropy`.

    Args:
        logits (Tensor): shape `(*batch, v)` or shape `(n, v, *d)`, float32, bfloat16, float16 or
            float64.
        classes (str): one of 'last', 'second'. Default: 'last'.

    Returns:
        Tensor: shape `(*batch)` or shape `(n, *d)`, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(logits, classes)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("class_top", error, logits, classes) from None
