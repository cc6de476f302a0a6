"""The operators of `generated_neuron` on the CPU, to move to Neuron by one import, with their
gradients.

Rendered by opgen: edit the specs, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .... import core
from ..._checks import explain, find

torch.ops.load_library(find("generated_neuron_cpu", "libgenerated_neuron_cpu_40ea2068bd85.so"))
_ops = torch.ops.generated_neuron_cpu


class Relu(torch.autograd.Function):
    """`relu` and its gradient."""

    @staticmethod
    def forward(x):
        return _ops.relu(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        dx = relu_bwd(dy, y)
        return dx


def relu(x: Tensor) -> Tensor:
    """Elementwise `max(x, 0)`. A NaN stays a NaN.

    Args:
        x (Tensor): shape `(*s)`, float32, bfloat16, float16, float64, int8 or int32.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return Relu.apply(x)
    except (RuntimeError, ValueError) as error:
        raise explain(core.relu, error, x) from None


class ReluBwd(torch.autograd.Function):
    """`relu_bwd` and its gradient."""

    @staticmethod
    def forward(dy, y):
        return _ops.relu_bwd(dy, y)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, y = inputs
        ctx.save_for_backward(y)

    @staticmethod
    def backward(ctx, ddx):
        (y,) = ctx.saved_tensors
        return torch.where(y <= 0, 0, ddx), None


def relu_bwd(dy: Tensor, y: Tensor) -> Tensor:
    """Gradient of `relu`: 0 where `y <= 0`, otherwise `dy`, also where `y` is NaN.

    Args:
        dy (Tensor): shape `(*s)`, float32, bfloat16, float16 or float64.
        y (Tensor): shape `(*s)`, the dtype of `dy`.

    Returns:
        Tensor: shape `(*s)`, the dtype of `dy`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return ReluBwd.apply(dy, y)
    except (RuntimeError, ValueError) as error:
        raise explain(core.relu_bwd, error, dy, y) from None


class TensorNegate(torch.autograd.Function):
    """`tensor_negate` and its gradient."""

    @staticmethod
    def forward(x):
        return _ops.tensor_negate(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return -dy


def tensor_negate(x: Tensor) -> Tensor:
    """Elementwise `-x`.

    Args:
        x (Tensor): shape `(*s)`, float32, float64 or int8.

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return TensorNegate.apply(x)
    except (RuntimeError, ValueError) as error:
        raise explain(core.tensor_negate, error, x) from None
