"""`accumulate` for PyTorch.

Rendered by opgen from results.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("accumulate", rule=("op accumulate -> sum", "refuse total x"))
_runtime.replace(
    "accumulate",
    "old_ops::add(Tensor! out, Tensor a, Tensor b) -> ()",
    {"total": "a", "x": "b", "sum": "out"},
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def accumulate(total: Tensor, x: Tensor, *, in_place: bool = False) -> tuple[Tensor, Tensor]:
    """`total + x`; where asked for, `total` becomes that, too.

    Args:
        total (Tensor): shape `(*s)`, float32 or float64.
        x (Tensor): shape `(*s)`, the dtype of `total`.
        in_place (bool): Default: False.

    Returns:
        A tuple of

        - sum (Tensor): shape `(*s)`, the dtype of `total`.
        - total (Tensor): shape `(*s)`, float32 or float64.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        sum = (_traced if is_dynamo_compiling() else _eager)(total, x, in_place)
        return sum, total
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("accumulate", error, total, x, in_place) from None
