"""`pad_rows` for PyTorch.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("strides", "pad_rows")
_op = _runtime.register(
    "pad_rows", rule=("op pad_rows -> y", "formula x cotangent:y"), reference=_reference
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def pad_rows(x: Tensor) -> Tensor:
    """`x`, in rows that begin at multiples of 64 bytes.

    Args:
        x (Tensor): shape `(m, d)`, float32 or float64.

    Returns:
        Tensor: shape `(m, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("pad_rows", error, x) from None
