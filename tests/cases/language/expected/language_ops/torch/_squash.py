"""`squash` for PyTorch.

Rendered by opgen from options.toml: edit the spec, not this file.
"""

from __future__ import annotations

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("squash", completes=True)
_runtime.fall_back("squash", _reference)
_runtime.define_gradient(
    "squash",
    "(Tensor? dy, Tensor x, Tensor gain, Tensor? bias, str by, float? scale, bool[] needed) -> (Tensor, Tensor, Tensor)",
    _reference,
    wanted=("x", "gain", "bias"),
)
_op = _runtime.register(
    "squash",
    rule=(
        "op squash -> y",
        "call squash_reference_vjp cotangent?:y input:x input:gain input:bias input:by "
        "input:scale needed -> x gain bias",
    ),
    reference=_reference,
)
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def squash(
    x: Tensor,
    gain: Tensor,
    bias: Tensor | None = None,
    *,
    by: str = "tanh",
    scale: float | None = None,
) -> Tensor:
    """`x * scale + bias`, squashed, times `gain`.

    Args:
        x (Tensor): shape `(*batch, d)`, float32 or float64.
        gain (Tensor): scalar, the dtype of `x`.
        bias (Tensor, optional): shape `(d,)`, the dtype of `x`.
        by (str): one of 'tanh', 'softsign'. Default: 'tanh'.
        scale (float, optional): Default: `d**(-0.5)`.

    Returns:
        Tensor: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(
            x, _runtime.number(gain, x, bias), bias, by, scale
        )
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain(
            "squash", error, x, _runtime.number(gain, x, bias), bias, by, scale
        ) from None
