"""`last_token` for PyTorch.

Rendered by opgen from layouts.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("last_token")
_runtime.fall_back("last_token", _reference)
_runtime.define_gradient(
    "last_token",
    "(Tensor? dy, Tensor x, Tensor? offsets, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "last_token",
    rule=(
        "op last_token -> y",
        "call last_token_reference_vjp cotangent?:y input:x input:offsets needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def last_token(x: Tensor, offsets: Tensor | None = None) -> Tensor:
    """The last token of each sequence; with `offsets`, sequences of any length lie one behind the
    other.

    Args:
        x (Tensor): shape `(t, d)` or shape `(b, t, d)`, float32 or float16.
        offsets (Tensor, optional): shape `(b+1,)`, int32.

    Returns:
        Tensor: shape `(b, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, offsets)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("last_token", error, x, offsets) from None
