"""The operators of `generated_neuron` on the CPU, to move to Neuron by one import, with their
gradients.

Rendered by opgen: edit the specs, not this file.
"""

from __future__ import annotations

import torch
from array_api_compat import torch as xp
from torch import Tensor

from .... import core
from ....reference import soft_scale as soft_scale_reference
from ..._checks import explain, find, pullback

torch.ops.load_library(find("generated_neuron_cpu", "libgenerated_neuron_cpu_a751c4d505be.so"))
_ops = torch.ops.generated_neuron_cpu


class SoftScale(torch.autograd.Function):
    """`soft_scale` and its gradient."""

    @staticmethod
    def forward(x, weight, scale, count):
        return _ops.soft_scale(x, weight, scale, count)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, scale, count = inputs
        ctx.save_for_backward(x, weight)
        ctx.scale = scale
        ctx.count = count

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        scale = ctx.scale
        count = ctx.count

        def reference(x, weight):
            return soft_scale_reference.soft_scale(xp, x, weight, scale=scale, count=count)

        dx, dweight = pullback(reference, (x, weight), dy)
        return dx, dweight, None, None


def soft_scale(x: Tensor, weight: Tensor, *, scale: float = 0.5, count: int = 2) -> Tensor:
    """Rows of `x` times `tanh(weight) * scale`, repeated `count` times.

    Args:
        x (Tensor): shape `(*batch, d)`, float32 or bfloat16.
        weight (Tensor): shape `(d,)`, the dtype of `x`.
        scale (float): at least 0. Default: 0.5.
        count (int): at least 1. Default: 2.

    Returns:
        Tensor: shape `(*batch, count*d)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return SoftScale.apply(x, weight, scale, count)
    except (RuntimeError, ValueError) as error:
        raise explain(core.soft_scale, error, x, weight, scale=scale, count=count) from None


class Affine(torch.autograd.Function):
    """`affine` and its gradient."""

    @staticmethod
    def forward(x, b, factor):
        return _ops.affine(x, b, factor)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, _, factor = inputs
        ctx.factor = factor

    @staticmethod
    def backward(ctx, dy):
        factor = ctx.factor
        return dy * factor, dy * factor, None


def affine(x: Tensor, b: Tensor, *, factor: float) -> Tensor:
    """Elementwise `(x + b) * factor`.

    Args:
        x (Tensor): shape `(*s)`, float32 or bfloat16.
        b (Tensor): shape `(*s)`, the dtype of `x`.
        factor (float)

    Returns:
        Tensor: shape `(*s)`, the dtype of `x`.

    Raises:
        TypeError: a dtype, rank or kind of an argument is wrong.
        ValueError: a size or value is wrong.
    """
    try:
        return Affine.apply(x, b, factor)
    except (RuntimeError, ValueError) as error:
        raise explain(core.affine, error, x, b, factor=factor) from None


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
