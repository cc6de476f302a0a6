"""`swiglu_bwd` for PyTorch.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

# Autodiff of `swiglu`'s reference.
_reference = _runtime.reference("swiglu_bwd")
_runtime.define_gradient(
    "swiglu_bwd",
    "(Tensor? ddgate, Tensor? ddup, Tensor dy, Tensor gate, Tensor up, bool[] needed) -> (Tensor, Tensor, Tensor)",
    _reference,
    wanted=("dy", "gate", "up"),
)
_op = _runtime.register(
    "swiglu_bwd",
    rule=(
        "op swiglu_bwd -> dgate dup",
        "call swiglu_bwd_reference_vjp cotangent?:dgate cotangent?:dup input:dy input:gate "
        "input:up needed -> dy gate up",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda gate, **_: 10 * prod(gate))
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def swiglu_bwd(dy: Tensor, gate: Tensor, up: Tensor) -> tuple[Tensor, Tensor]:
    """Gradient of `swiglu`.

    Args:
        dy (Tensor): shape `(*s)`, float32, bfloat16, float16 or float64.
        gate (Tensor): shape `(*s)`, the dtype of `dy`.
        up (Tensor): shape `(*s)`, the dtype of `dy`.

    Returns:
        A tuple of

        - dgate (Tensor): shape `(*s)`, the dtype of `dy`.
        - dup (Tensor): shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        return (_traced if is_dynamo_compiling() else _eager)(dy, gate, up)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("swiglu_bwd", error, dy, gate, up) from None
