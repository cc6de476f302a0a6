"""`scale_all` for PyTorch.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("scale_all")
_op = _runtime.register(
    "scale_all",
    rule=(
        "op scale_all -> ys",
        "formula xs input:factor 0 cotangent:ys rank insert cotangent:ys *",
        "formula factor input:xs cotangent:ys * 0 input:xs rank reduce",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def scale_all(xs: Sequence[Tensor], factor: Tensor) -> list[Tensor]:
    """`factor * x` of each `x` of a list, in memory as `x` is.

    Args:
        xs (list of Tensor): shape `(*s[i])`, float32 or float64.
        factor (Tensor): scalar, the dtype of `xs`.

    Returns:
        list of Tensor: shape `(*s[i])`, the dtype of `xs`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(xs, _runtime.number(factor, xs))
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("scale_all", error, xs, _runtime.number(factor, xs)) from None
