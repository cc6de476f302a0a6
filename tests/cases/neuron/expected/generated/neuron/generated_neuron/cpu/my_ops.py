"""The operators of `generated_neuron` on the CPU, to move to Neuron by one import, with
their gradients.

Rendered by opgen: edit the specs, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .... import core
from ..._checks import explain, find

torch.ops.load_library(
    find("generated_neuron_cpu", "libgenerated_neuron_cpu_0fa26a377d4d.so")
)
_ops = torch.ops.generated_neuron_cpu


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

    x: T[*s].
    Returns y: T[*s].

    Raises TypeError for a dtype, rank or kind, ValueError for a size or value.
    """
    try:
        return Signs.apply(x)
    except (RuntimeError, ValueError) as error:
        raise explain(core.signs, error, x) from None
