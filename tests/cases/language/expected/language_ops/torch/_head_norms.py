"""`head_norms` for PyTorch.

Rendered by opgen from strides.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("strides", "head_norms")
_runtime.define_gradient(
    "head_norms", "(Tensor? dnorms, Tensor x, bool[] needed) -> (Tensor)", _reference, wanted=("x",)
)
_op = _runtime.register(
    "head_norms",
    rule=(
        "op head_norms -> norms",
        "call head_norms_reference_vjp cotangent?:norms input:x needed -> x",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def head_norms(x: Tensor) -> Tensor:
    """The norm of each head's vector, of heads that lie side by side in rows of any distance.

    Args:
        x (Tensor): shape `(t, h, d)`, float32 or float64.

    Returns:
        Tensor: shape `(t, h)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("head_norms", error, x) from None
