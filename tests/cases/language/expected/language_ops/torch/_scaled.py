"""`scaled` for PyTorch.

Rendered by opgen from stored.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("stored", "scaled")
_runtime.fall_back("scaled", _reference)
_op = _runtime.register(
    "scaled",
    rule=(
        "op scaled -> y",
        "call scaled cotangent:y input:weight input:scale input:mode -> x",
        "refuse weight scale",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def scaled(
    x: Tensor, weight: Tensor, scale: Tensor | None = None, *, mode: str = "whole"
) -> Tensor:
    """`x` times a weight, however that is stored.

    Args:
        x (Tensor): shape `(*batch, n)`, float32 or float64.
        weight (Tensor): shape `(n,)`, int8, float8_e4m3fn or float32 (float64 if `x` is float64).
        scale (Tensor, optional): scalar, float32.
        mode (str): one of 'whole', 'int8'. Default: 'whole'.

    Returns:
        Tensor: shape `(*batch, n)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, weight, _runtime.number(scale, "f32", x), mode
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "scaled", error, x, weight, _runtime.number(scale, "f32", x), mode
        ) from None
