"""`polynomial` for PyTorch.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("polynomial")
_runtime.define_gradient(
    "polynomial",
    "(Tensor? dy, Tensor x, float[] coefficients, bool[] needed) -> (Tensor)",
    _reference,
    wanted=("x",),
)
_op = _runtime.register(
    "polynomial",
    rule=(
        "op polynomial -> y",
        "call polynomial_reference_vjp cotangent?:y input:x input:coefficients needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def polynomial(x: Tensor, *, coefficients: Sequence[float]) -> Tensor:
    """The sum of `coefficients[i] * x**i`.

    Args:
        x (Tensor): shape `(*s)`, float32 or float64.
        coefficients (Sequence[float])

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x, coefficients)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("polynomial", error, x, coefficients) from None
