"""`geglu` for PyTorch.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("geglu")
_op = _runtime.register(
    "geglu",
    rule=(
        "op geglu -> y",
        "call geglu_bwd cotangent:y input:gate input:up input:approximate -> gate up",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda gate, **_: 30 * prod(gate))
_runtime.register_out("geglu")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def geglu(
    gate: Tensor, up: Tensor, *, approximate: str = "none", out: Tensor | None = None
) -> Tensor:
    """`gelu(gate) * up`: GEGLU of two tensors.

    Args:
        gate (Tensor): shape `(*s)`, float32, bfloat16, float16 or float64.
        up (Tensor): shape `(*s)`, the dtype of `gate`.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `gate`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("geglu", out, gate, up, approximate)
        return (_traced if is_dynamo_compiling() else _eager)(gate, up, approximate)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("geglu", error, gate, up, approximate) from None
