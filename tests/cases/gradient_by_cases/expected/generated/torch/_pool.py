"""`pool` for PyTorch.

Rendered by opgen from pool.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register(
    "pool",
    rule=(
        "op pool -> y",
        "case input:mode 'sum' ==",
        "let rank(batch) input:x rank 1 -",
        "formula x cotangent:y let:rank(batch) 1 insert 0 input:x * +",
        "case input:mode 'max' ==",
        "call pool_bwd cotangent:y input:x result:y wanted -> x",
        "else",
        "refuse x",
    ),
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def pool(x: Tensor, *, mode: str = "sum") -> Tensor:
    """The sum of each row, its largest element, or its first.

    Args:
        x (Tensor): shape `(*batch, n)`, float32 or float64.
        mode (str): one of 'sum', 'max', 'first'. Default: 'sum'.

    Returns:
        Tensor: shape `(*batch)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, mode)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("pool", error, x, mode) from None
