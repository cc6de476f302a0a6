"""The operators of `generated_neuron` on Neuron, with their gradients.

Rendered by opgen: edit the specs, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch_neuronx.xla_impl import custom_op

from ... import core
from .._checks import explain, find

custom_op.load_library(find("generated_neuron", "libgenerated_neuron_4da56cf99206.so"))
_ops = torch.ops.generated_neuron


class Signs(torch.autograd.Function):
    """`signs` and its gradient."""

    @staticmethod
    def forward(x):
        return _ops.signs(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        raise NotImplementedError("signs: the spec gives no gradient")


def signs(x: Tensor) -> Tensor:
    """Elementwise `sign(x)`.

    Args:
        x (Tensor): shape `(*s)`, float32 or bfloat16.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return Signs.apply(x)
    except (RuntimeError, ValueError) as error:
        raise explain(core.signs, error, x) from None
