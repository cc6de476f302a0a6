"""`cross_entropy_top` for PyTorch.

Rendered by opgen from cross_entropy.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("cross_entropy_top")
_runtime.fall_back("cross_entropy_top", _reference)
_op = _runtime.register("cross_entropy_top", rule=("op cross_entropy_top -> top", "refuse logits"))
_runtime.count_flops(_op, lambda logits, **_: prod(logits))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def cross_entropy_top(logits: Tensor) -> Tensor:
    """The maximum of each row of `logits`, or NaN if the row has a NaN. A step of `cross_entropy`.

    Args:
        logits (Tensor): shape `(*batch, v)`, float32, bfloat16, float16 or float64.

    Returns:
        Tensor: shape `(*batch)`, float32 (float64 if `logits` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(logits)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("cross_entropy_top", error, logits) from None
