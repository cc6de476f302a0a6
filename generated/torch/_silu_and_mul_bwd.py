"""`silu_and_mul_bwd` for PyTorch.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `silu_and_mul`'s reference.
_reference = _runtime.reference("silu_and_mul_bwd")
_runtime.define_gradient(
    "silu_and_mul_bwd",
    "(Tensor? ddx, Tensor dy, Tensor x, bool[] needed) -> (Tensor, Tensor)",
    _reference,
    wanted=("dy", "x"),
)
_op = _runtime.register(
    "silu_and_mul_bwd",
    rule=(
        "op silu_and_mul_bwd -> dx",
        "call silu_and_mul_bwd_reference_vjp cotangent?:dx input:dy input:x needed -> dy x",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 5 * prod(x))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def silu_and_mul_bwd(dy: Tensor, x: Tensor) -> Tensor:
    """Gradient of `silu_and_mul`.

    Args:
        dy (Tensor): shape `(*batch, d)`, float32, bfloat16, float16 or float64.
        x (Tensor): shape `(*batch, 2*d)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(*batch, 2*d)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("silu_and_mul_bwd", error, dy, x) from None
