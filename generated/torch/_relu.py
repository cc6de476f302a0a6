"""`relu` for PyTorch.

Rendered by opgen from relu.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("relu", "relu")
_op = _runtime.register(
    "relu", rule=("op relu -> y", "call relu_bwd cotangent:y result:y -> x"), reference=_reference
)
_runtime.count_flops(_op, lambda x, **_: prod(x))
_runtime.register_out("relu")
_eager, _traced = _runtime.eager(_op), _runtime.traced(_op)


def relu(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elementwise `max(x, 0)`; a NaN stays one.

    Args:
        x (Tensor): shape `(*s)`, float32, bfloat16, float16, float64, int8 or int32.
        out (Tensor, optional): the destination of `y`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size, value or device is wrong.
    """
    try:
        if out is not None:
            return _runtime.write("relu", out, x)
        return (_traced if is_dynamo_compiling() else _eager)(x)
    except (RuntimeError, ValueError) as error:
        raise _runtime.explain("relu", error, x) from None


@_runtime.offer
class _ForReLU(_runtime.Patch):
    """A layer whose forward is `relu`."""

    op = "relu"
    of = ("torch.nn.ReLU",)
    reads = ("inplace",)
    dtypes = {
        "input": (
            torch.float32,
            torch.bfloat16,
            torch.float16,
            torch.float64,
            torch.int8,
            torch.int32,
        )
    }

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if self.inplace:
            yield "not self.inplace"

    def forward(self: Any, input: Tensor) -> Any:
        if not self.takes("input", input):
            return super().forward(input)
        return relu(input)
