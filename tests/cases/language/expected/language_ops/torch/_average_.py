"""`average_` for PyTorch.

Rendered by opgen from in_place.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("average_", rule=("op average_ ->", "refuse averages values"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def average_(
    averages: Sequence[Tensor], values: Sequence[Tensor], *, rate: float
) -> Sequence[Tensor]:
    """Moves each of `averages` by `rate` towards its one of `values`, in place.

    Args:
        averages (list of Tensor): shape `(*s[i])`, float32 or float64.
        values (list of Tensor): shape `(*s[i])`, the dtype of `averages`.
        rate (float): at least 0, at most 1.

    Returns:
        list of Tensor: shape `(*s[i])`, float32 or float64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        (_traced if is_dynamo_compiling() else _eager)(averages, values, rate)
        return averages
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("average_", error, averages, values, rate) from None
