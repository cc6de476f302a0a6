"""`gelu_and_mul` for PyTorch.

Rendered by opgen from gelu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from math import prod

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("gelu_and_mul")
_op = _runtime.register(
    "gelu_and_mul",
    rule=(
        "op gelu_and_mul -> y",
        "call gelu_and_mul_bwd cotangent:y input:x input:approximate -> x",
    ),
    reference=_reference,
)
_runtime.count_flops(_op, lambda x, **_: 15 * prod(x))
_runtime.register_out("gelu_and_mul")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def gelu_and_mul(x: Tensor, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """`gelu(x[..., :d]) * x[..., d:]`: GEGLU of one tensor.

    Args:
        x (Tensor): shape `(*batch, 2*d)`, float32, bfloat16, float16 or float64.
        approximate (str): As in `torch.nn.functional.gelu`. One of 'none', 'tanh'. Default: 'none'.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*batch, d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("gelu_and_mul", out, x, approximate)
        return (_traced if is_dynamo_compiling() else _eager)(x, approximate)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("gelu_and_mul", error, x, approximate) from None
