"""`swiglu` for PyTorch.

Rendered by opgen from silu_and_mul.toml: edit the spec, not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._opgen import torch as _runtime

_reference = _runtime.reference("silu_and_mul", "swiglu")
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


@_runtime.offer
class _ForLlamaMLP(_runtime.Patch):
    """A layer whose forward is `swiglu`."""

    op = "swiglu"
    of = (
        "transformers.models.llama.modeling_llama.LlamaMLP",
        "transformers.models.mistral.modeling_mistral.MistralMLP",
        "transformers.models.qwen2.modeling_qwen2.Qwen2MLP",
        "transformers.models.qwen3.modeling_qwen3.Qwen3MLP",
        "transformers.models.qwen3_moe.modeling_qwen3_moe.Qwen3MoeMLP",
    )
    reads = ("gate_proj", "up_proj", "act_fn", "down_proj")
    runs = ("gate_proj", "up_proj", "down_proj")

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer must meet and does not."""
        if type(self.act_fn).__name__ not in ("SiLU", "SiLUActivation"):
            yield 'type(self.act_fn).__name__ in ("SiLU", "SiLUActivation")'
        if self.act_fn.__module__ not in (torch.nn.SiLU.__module__, "transformers.activations"):
            yield 'self.act_fn.__module__ in (torch.nn.SiLU.__module__, "transformers.activations")'

    def forward(self: Any, x: Tensor) -> Any:
        y = swiglu(self.gate_proj(x), self.up_proj(x))
        return self.down_proj(y)
