"""`swiglu` for PyTorch.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("swiglu")
_op = _runtime.register(
    "swiglu",
    rule=("op swiglu -> y", "call swiglu_bwd cotangent:y input:gate input:up -> gate up"),
    reference=_reference,
)
_runtime.count_flops(_op, lambda gate, **_: 4 * prod(gate))
_runtime.register_out("swiglu")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def swiglu(gate: Tensor, up: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`silu(gate) * up`: SwiGLU of two tensors.

    Args:
        gate (Tensor): shape `(*s)`, float32, bfloat16, float16 or float64.
        up (Tensor): shape `(*s)`, the dtype of `gate`.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `gate`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("swiglu", out, gate, up)
        return (_traced if is_dynamo_compiling() else _eager)(gate, up)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("swiglu", error, gate, up) from None
