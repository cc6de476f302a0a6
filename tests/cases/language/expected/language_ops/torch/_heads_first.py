"""`heads_first` for PyTorch.

Rendered by opgen from layouts.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("layouts", "heads_first")
_runtime.fall_back("heads_first", _reference)
_runtime.define_gradient(
    "heads_first",
    "(Tensor? dy, Tensor x, str order, bool wide, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "heads_first",
    rule=(
        "op heads_first -> y",
        "call heads_first_reference_vjp cotangent?:y input:x input:order input:wide needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def heads_first(x: Tensor, *, order: str, wide: bool = False) -> Tensor:
    """Tokens in order `heads tokens d`, whatever their order was; in f32 on request.

    Args:
        x (Tensor): shape `(t, h, d)` or shape `(h, t, d)`, float32 or float16.
        order (str): one of 'THD', 'HTD'.
        wide (bool): Default: False.

    Returns:
        Tensor: shape `(h, t, d)`, float32 or the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, order, wide)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("heads_first", error, x, order, wide) from None
