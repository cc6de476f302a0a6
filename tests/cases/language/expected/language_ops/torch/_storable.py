"""`storable` for PyTorch.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("stored", "storable")
_runtime.fall_back("storable", _reference)
_op = _runtime.register("storable", rule=("op storable -> stored", "refuse weight scale"))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def storable(weight: Tensor, scale: Tensor | None = None, *, mode: str = "whole") -> Tensor:
    """A weight as `scaled` takes it.

    Args:
        weight (Tensor): shape `(n,)`, float32 or float64.
        scale (Tensor, optional): scalar, float32.
        mode (str): one of 'whole', 'int8'. Default: 'whole'.

    Returns:
        Tensor: shape `(n,)`, int8, float8_e4m3fn or float32 (float64 if `weight` is float64).

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            weight, _runtime.number(scale, "f32", weight), mode
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "storable", error, weight, _runtime.number(scale, "f32", weight), mode
        ) from None
