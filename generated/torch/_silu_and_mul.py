"""`silu_and_mul` for PyTorch.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("silu_and_mul")
_op = _runtime.register(
    "silu_and_mul",
    rule=("op silu_and_mul -> y", "call silu_and_mul_bwd cotangent:y input:x -> x"),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 2 * prod(x))
_runtime.register_out("silu_and_mul")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def silu_and_mul(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`silu(x[..., :d]) * x[..., d:]`: SwiGLU of one tensor.

    Args:
        x (Tensor): shape `(*batch, 2*d)`, float32, bfloat16, float16 or float64.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("silu_and_mul", out, x)
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("silu_and_mul", error, x) from None
