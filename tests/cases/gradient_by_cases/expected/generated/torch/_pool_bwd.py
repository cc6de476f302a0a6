"""`pool_bwd` for PyTorch.

Rendered by opgen from pool.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Collection

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_op = _runtime.register("pool_bwd", rule=("op pool_bwd -> dx", "refuse dy x y"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def pool_bwd(
    dy: Tensor, x: Tensor, y: Tensor, *, wanted: Collection[str] = ("dx",)
) -> Tensor | None:
    """Gradient of `pool` where it takes the largest element.

    Args:
        dy (Tensor): shape `(*batch)`, float32 or float64.
        x (Tensor): shape `(*batch, n)`, the dtype of `dy`.
        y (Tensor): shape `(*batch)`, the dtype of `dy`.
        wanted (Collection[str]): results to compute, of "dx". The others are None. Default: all.

    Returns:
        Tensor, optional: shape `(*batch, n)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            dy, x, y, _runtime.wanted_bits("pool_bwd", wanted)
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("pool_bwd", error, dy, x, y) from None
